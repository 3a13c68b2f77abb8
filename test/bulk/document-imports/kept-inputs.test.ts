import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import type {DocumentType} from '../../../src/bulk/document-imports/document-imports.ts';
import {identifiersInFile} from '../../../src/bulk/document-imports/identifiers-in-file.ts';
import type {ImportScope} from '../../../src/bulk/document-imports/import-job.ts';
import {blanked, KeptInputs} from '../../../src/bulk/document-imports/kept-inputs.ts';
import type {JobExecution} from '../../../src/bulk/job-executions/job-executions.ts';
import {identifierKey} from '../../../src/ingestion/user-points/identifiers.ts';
import {datamartNumber, directoryOf, SECRETS} from '../../support/ingestion.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 5, 1);
const DELETED = 'vec:deleted';
const KEY = identifierKey(SECRETS, {kind: 'USER_AGENT', compartmentId: undefined, text: DELETED}).toString(
	'hex',
);

interface Kept {
	readonly documentType: DocumentType;
	readonly text: string;
	readonly creationTs?: number;
	readonly endTs?: number;
}

/** What a deletion at `NOW` makes of the files that those executions left; undefined where it removed one. */
async function cleared(t: ExecutionContext, kept: readonly Kept[], deletedMs = NOW) {
	const directory = mkdtempSync(join(tmpdir(), 'millrace-kept-'));
	t.teardown(() => rmSync(directory, {recursive: true}));
	const texts: (string | undefined)[] = kept.map(({text}) => text);
	const executions = kept.map(
		({documentType, creationTs = NOW - 1000, endTs = NOW - 500}, id) =>
			({id, datamartId: 1, parameters: {documentType}, creationTs, endTs}) as unknown as JobExecution,
	);
	const datamart = datamartNumber(1);
	const replaced: number[] = [];
	const inputs = new KeptInputs({
		jobs: {
			withInput: async (_, before, limit) =>
				executions
					.filter(({id}) => id < before)
					.reverse()
					.slice(0, limit),
			inputRemoved: async () => {},
		},
		files: {
			async take({id}) {
				const file = join(directory, String(id));
				writeFileSync(file, texts[id]!);
				return file;
			},
			release: async () => {},
			async remove({id}) {
				texts[id] = undefined;
			},
			async replace({id}, change) {
				replaced.push(id);
				const pieces: Buffer[] = [];
				// Of three bytes each: places are cut anywhere.
				async function* content() {
					const bytes = Buffer.from(texts[id]!);
					for (let at = 0; at < bytes.length; at += 3) yield bytes.subarray(at, at + 3);
				}
				for await (const piece of change(content())) pieces.push(piece);
				texts[id] = Buffer.concat(pieces).toString();
			},
		},
		pool: {run: task => identifiersInFile(task, SECRETS)},
		deletion: {deletedMs: async (_, keys) => new Map(keys.includes(KEY) ? [[KEY, deletedMs]] : [])},
		directory: directoryOf([datamart]),
	});
	const signal = new AbortController().signal;
	await inputs.clear({job: {id: kept.length}, datamart, signal} as unknown as ImportScope, NOW);
	return {texts, replaced};
}

const ann = '{"user_agent_id":"vec:ann","segment_id":"1"}';
const gone = `{"user_agent_id":"${DELETED}","segment_id":"é"}`;
const blankOf = (line: string) => ' '.repeat(Buffer.byteLength(line));

test('lines that name a deleted identifier are blanked, and the others keep their bytes and their numbers', async t => {
	const {texts, replaced} = await cleared(t, [
		{documentType: 'USER_SEGMENT', text: `${ann}\n${gone}\r\n${ann}\n`},
		{documentType: 'USER_SEGMENT', text: `${ann}\n`},
		{
			documentType: 'USER_ACTIVITY',
			text: `{\n"$type": "SITE_VISIT",\n"$user_agent_id": "${DELETED}"}\n{"$type":"SITE_VISIT"}`,
		},
	]);
	t.is(texts[0], `${ann}\n${blankOf(`${gone}\r`)}\n${ann}\n`);
	t.is(texts[1], `${ann}\n`);
	t.is(texts[2]!.split('\n').length, 4);
	t.is(texts[2]!.trim(), '{"$type":"SITE_VISIT"}');
	t.deepEqual(replaced, [2, 0], 'a file without it is not touched');
});

test('what cannot be read is blanked as well, since it may name anybody', async t => {
	const bad = `{"user_agent_id": ["${DELETED}"]}`;
	const {texts} = await cleared(t, [
		{documentType: 'USER_SEGMENT', text: `${ann}\nno json: ${DELETED}\n${ann}\n${bad}\n${ann}`},
		{documentType: 'USER_ACTIVITY', text: `{"$user_agent_id":["${DELETED}"]}\n{"$user_identifiers":7}\n`},
		{
			documentType: 'USER_IDENTIFIERS_ASSOCIATION_DECLARATIONS',
			text: `{"identifiers":[{"type":"USER_AGENTS","user_agent_id":"${DELETED}"}]}\n`,
		},
	]);
	t.is(texts[0], `${ann}\n${blankOf(`no json: ${DELETED}`)}\n${ann}\n${blankOf(bad)}\n${ann}`);
	t.is(texts[1]!.trim(), '');
	t.is(texts[2]!.trim(), '');
});

test('who came back in a file after the deletion stays in it', async t => {
	const {texts, replaced} = await cleared(t, [{documentType: 'USER_SEGMENT', text: gone}], NOW - 2000);
	t.is(texts[0], gone);
	t.deepEqual(replaced, []);
});

test('a file that was left a month ago is removed instead of being read', async t => {
	const {texts} = await cleared(t, [
		{documentType: 'USER_SEGMENT', text: ann, endTs: NOW - 31 * DAY_MS},
		{documentType: 'USER_SEGMENT', text: ann, endTs: NOW - 29 * DAY_MS},
	]);
	t.deepEqual(texts, [undefined, ann]);
});

test('stretches are blanked however the content is cut, and newlines stay', async t => {
	const text = 'ab\ncdef\nghij';
	for (let size = 1; size <= text.length; size++) {
		async function* content() {
			for (let at = 0; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size));
		}
		let out = '';
		for await (const piece of blanked(content(), [
			{from: 1, until: 5},
			{from: 6, until: 7},
			{from: 10, until: Number.MAX_SAFE_INTEGER},
		])) {
			out += piece;
		}
		t.is(out, 'a \n  e \ngh  ');
	}
});
