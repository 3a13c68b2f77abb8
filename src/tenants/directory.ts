import {Picture} from '../lib/picture.ts';
import type {Channel, Compartment, Datamart, Organisation} from './tenants.ts';

export type {Channel, Compartment, Datamart, Organisation} from './tenants.ts';

/** All tenants at one moment. */
export interface TenantRecords {
	readonly organisations: readonly Organisation[];
	readonly datamarts: readonly Datamart[];
	readonly compartments: readonly Compartment[];
	readonly channels: readonly Channel[];
}

/** Questions the hot path asks of the tenants: answered from memory, never from PostgreSQL (ADR 0005). */
export interface TenantView {
	organisation(id: number): Organisation | undefined;
	organisations(): readonly Organisation[];
	datamart(id: number): Datamart | undefined;
	datamartsOf(organisationId: number): readonly Datamart[];
	channel(id: number): Channel | undefined;
	channelsOf(datamartId: number): readonly Channel[];
	channelByToken(token: string): Channel | undefined;
	compartmentsOf(datamartId: number): readonly Compartment[];
	/** Ids compare as strings on the wire: `"1"` and `1` are one compartment; another datamart's is none. */
	compartment(datamartId: number, idText: string): Compartment | undefined;
	defaultCompartment(datamartId: number): Compartment | undefined;
	/** Whether an organisation is the other one or somewhere below it. */
	isWithin(organisationId: number, ancestorOrganisationId: number): boolean;
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => number): Map<number, Item[]> {
	const groups = new Map<number, Item[]>();
	for (const item of items) {
		const key = keyOf(item);
		const group = groups.get(key);
		if (group) group.push(item);
		else groups.set(key, [item]);
	}
	return groups;
}

/** One frozen picture with its indexes; also what tests hand to code that needs tenants. */
export function tenantView(records: TenantRecords): TenantView {
	const organisations = new Map(records.organisations.map(item => [item.id, item]));
	const datamarts = new Map(records.datamarts.map(item => [item.id, item]));
	const datamartsOf = groupBy(records.datamarts, item => item.organisationId);
	const channels = new Map(records.channels.map(item => [item.id, item]));
	const channelsOf = groupBy(records.channels, item => item.datamartId);
	const channelsByToken = new Map(records.channels.map(item => [item.token, item]));
	const compartments = new Map(records.compartments.map(item => [`${item.datamartId}/${item.id}`, item]));
	const compartmentsOf = groupBy(records.compartments, item => item.datamartId);
	const defaults = new Map(
		records.compartments.filter(item => item.isDefault).map(item => [item.datamartId, item]),
	);
	return {
		organisation: id => organisations.get(id),
		organisations: () => records.organisations,
		datamart: id => datamarts.get(id),
		datamartsOf: organisationId => datamartsOf.get(organisationId) ?? [],
		channel: id => channels.get(id),
		channelsOf: datamartId => channelsOf.get(datamartId) ?? [],
		channelByToken: token => channelsByToken.get(token),
		compartmentsOf: datamartId => compartmentsOf.get(datamartId) ?? [],
		compartment: (datamartId, idText) => compartments.get(`${datamartId}/${idText}`),
		defaultCompartment: datamartId => defaults.get(datamartId),
		isWithin(organisationId, ancestorOrganisationId) {
			// Bounded by the number of organisations, so that a cycle in the data cannot hang the hot path.
			let current: number | null | undefined = organisationId;
			for (let steps = 0; steps <= organisations.size && current; steps++) {
				if (current === ancestorOrganisationId) return organisations.has(organisationId);
				current = organisations.get(current)?.administratorId;
			}
			return false;
		},
	};
}

/** Where a picture comes from: the tenants' store, or a constant in tests. */
export type LoadTenants = () => Promise<TenantRecords>;

/**
 * The picture that follows PostgreSQL: loaded at start, again after a local write (`refresh`) and whenever the
 * `directory` revision moved. A failed load keeps the last picture: the hot path outlives PostgreSQL.
 */
export class Directory implements TenantView {
	readonly #picture: Picture<TenantView>;

	private constructor(picture: Picture<TenantView>) {
		this.#picture = picture;
	}

	static async open(load: LoadTenants): Promise<Directory> {
		return new Directory(await Picture.open(async () => tenantView(await load())));
	}

	/** Resolves once a load that began after this call is in place; callers in between share one. */
	refresh(): Promise<void> {
		return this.#picture.refresh();
	}

	get #view(): TenantView {
		return this.#picture.current;
	}

	organisation(id: number) {
		return this.#view.organisation(id);
	}
	organisations() {
		return this.#view.organisations();
	}
	datamart(id: number) {
		return this.#view.datamart(id);
	}
	datamartsOf(organisationId: number) {
		return this.#view.datamartsOf(organisationId);
	}
	channel(id: number) {
		return this.#view.channel(id);
	}
	channelsOf(datamartId: number) {
		return this.#view.channelsOf(datamartId);
	}
	channelByToken(token: string) {
		return this.#view.channelByToken(token);
	}
	compartmentsOf(datamartId: number) {
		return this.#view.compartmentsOf(datamartId);
	}
	compartment(datamartId: number, idText: string) {
		return this.#view.compartment(datamartId, idText);
	}
	defaultCompartment(datamartId: number) {
		return this.#view.defaultCompartment(datamartId);
	}
	isWithin(organisationId: number, ancestorOrganisationId: number) {
		return this.#view.isWithin(organisationId, ancestorOrganisationId);
	}
}
