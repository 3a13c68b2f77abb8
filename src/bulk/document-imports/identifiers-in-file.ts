import type {WireActivity} from '../../ingestion/facts/activity.ts';
import {
	type Compartments,
	compartmentOf,
	identifierOf,
	NamedIdentifier,
} from '../../ingestion/user-points/identifiers.schema.ts';
import {
	type Identifier,
	identifierKey,
	identifierPlaces,
	identifierSlots,
} from '../../ingestion/user-points/identifiers.ts';
import type {Secrets} from '../../lib/secrets.ts';
import type {DocumentType} from './document-imports.ts';
import type {Place} from './json-values.ts';
import {type Portion, readPortion} from './read-file.ts';

/** Which part of a kept file is looked through for identifiers; plain data, since it is read in a thread. */
export interface SearchTask {
	readonly reader: 'SEARCH';
	readonly file: string;
	readonly from: Place;
	readonly documentType: DocumentType;
	readonly compartments: Compartments;
}

/** A stretch of a file in bytes, `from` inclusive, `until` exclusive. */
export interface Stretch {
	readonly from: number;
	readonly until: number;
}

export interface SearchedPortion extends Portion {
	/** Values that name identifiers, by the keyed hashes of these (hexadecimal). */
	readonly values: readonly (Stretch & {readonly keys: readonly string[]})[];
	/** What cannot be read, and so not be searched; between the values or in place of one. */
	readonly unreadable: readonly Stretch[];
}

/** Reads one portion of a file that an import left, bad lines too: whatever they were, they may name somebody. */
export async function identifiersInFile(task: SearchTask, secrets: Secrets): Promise<SearchedPortion> {
	const values: SearchedPortion['values'][number][] = [];
	const readable: Stretch[] = [];
	let flaws = task.from.inside ? 1 : 0;
	const portion = await readPortion(task.file, task.from, {
		value(_line, value, text, offset) {
			const place = {from: offset, until: offset + text.length};
			const identifiers = identifiersOf(value, task);
			if (!identifiers) {
				flaws++;
				return;
			}
			readable.push(place);
			const keys = identifiers.map(each => identifierKey(secrets, each).toString('hex'));
			if (keys.length > 0) values.push({...place, keys});
		},
		flaw() {
			flaws++;
		},
	});
	const {next, isLast} = portion;
	const end = isLast ? Number.MAX_SAFE_INTEGER : next.offset;
	return {...portion, values, unreadable: flaws > 0 ? between(readable, task.from.offset, end) : []};
}

function between(readable: readonly Stretch[], from: number, until: number): Stretch[] {
	const gaps: Stretch[] = [];
	let at = from;
	for (const each of [...readable, {from: until, until}]) {
		if (each.from > at) gaps.push({from: at, until: each.from});
		at = each.until;
	}
	return gaps;
}

/** Those a line names, whether or not the line was good; undefined where that cannot be told. */
function identifiersOf(
	value: Readonly<Record<string, unknown>>,
	{documentType, compartments}: SearchTask,
): readonly Identifier[] | undefined {
	switch (documentType) {
		case 'USER_ACTIVITY':
			return ofActivity(value as unknown as WireActivity, compartments);
		case 'USER_IDENTIFIERS_ASSOCIATION_DECLARATIONS':
			return allNamed(value.identifiers, compartments);
		case 'USER_SEGMENT':
			return ofSegment(value, compartments);
		case 'USER_IDENTIFIERS_DELETION':
			return allNamed([value], compartments);
	}
}

function ofActivity(activity: WireActivity, {defaultId}: Compartments): Identifier[] | undefined {
	try {
		const isText = identifierSlots(activity).every(({holder, key}) => typeof holder[key] === 'string');
		return isText ? identifierPlaces(activity, defaultId).map(({identifier}) => identifier) : undefined;
	} catch {
		return undefined;
	}
}

function allNamed(named: unknown, compartments: Compartments): Identifier[] | undefined {
	if (!Array.isArray(named)) return undefined;
	const identifiers: Identifier[] = [];
	for (const each of named) {
		const {data} = NamedIdentifier.safeParse(each);
		const identifier = data && identifierOf(data, compartments);
		if (!identifier) return undefined;
		identifiers.push(identifier);
	}
	return identifiers;
}

function ofSegment(line: Readonly<Record<string, unknown>>, compartments: Compartments) {
	const identifiers: Identifier[] = [];
	const add = (kind: Identifier['kind'], text: unknown, compartmentId?: number) => {
		if (text == null) return true;
		if (typeof text !== 'string') return false;
		identifiers.push({kind, compartmentId, text});
		return true;
	};
	const compartment = line.compartment_id;
	const isId = compartment == null || typeof compartment === 'string' || typeof compartment === 'number';
	const compartmentId = isId ? compartmentOf(compartment, compartments) : undefined;
	if (line.user_account_id != null && compartmentId === undefined) return undefined;
	const isReadable =
		add('USER_ACCOUNT', line.user_account_id, compartmentId) &&
		add('USER_EMAIL', line.email_hash) &&
		add('USER_AGENT', line.user_agent_id);
	return isReadable ? identifiers : undefined;
}
