/** The tenants' nouns, as code knows them. Ids are positive safe integers; instants are epoch milliseconds. */

export interface Community {
	readonly id: number;
	readonly name: string;
}

export interface Organisation {
	readonly id: number;
	readonly communityId: number;
	/** The organisation above it; null at the top. */
	readonly administratorId: number | null;
	readonly marketId: number | null;
	readonly name: string;
	readonly technicalName: string | null;
	readonly customerType: string;
	readonly archived: boolean;
	readonly createdBy: number | null;
	readonly createdTs: number;
	readonly lastModifiedBy: number | null;
	readonly lastModifiedTs: number;
}

export interface Datamart {
	readonly id: number;
	readonly organisationId: number;
	readonly communityId: number;
	readonly name: string;
	readonly token: string;
	readonly creationTs: number;
	/** IANA name: days and hours of reports are counted in it. */
	readonly timeZone: string;
	readonly type: 'DATAMART';
	readonly datafarm: string;
	readonly storageModelVersion: string;
	readonly userPointSystemVersion: string;
	readonly region: string;
	readonly archived: boolean;
}

/** A namespace of user account ids within a datamart. */
export interface Compartment {
	readonly id: number;
	readonly datamartId: number;
	readonly organisationId: number;
	readonly name: string;
	readonly token: string;
	/** Used when an activity names an account and no compartment; exactly one per datamart. */
	readonly isDefault: boolean;
	readonly archived: boolean;
}

export const CHANNEL_TYPES = ['SITE', 'MOBILE_APPLICATION'] as const;
export type ChannelType = (typeof CHANNEL_TYPES)[number];

/** A site or an app that activities come from. */
export interface Channel {
	readonly id: number;
	readonly datamartId: number;
	readonly organisationId: number;
	readonly type: ChannelType;
	readonly name: string;
	/** Public and write-only: it stands in pages and apps. */
	readonly token: string;
	readonly domain: string | null;
	readonly enableAnalytics: boolean;
	readonly enableInstallationIdAggregation: boolean;
	readonly creationTs: number;
}

/** What a datamart is made with where nothing is said; also first boot's. */
export const DATAMART_DEFAULTS = {
	timeZone: 'UTC',
	datafarm: 'DF_EU_2026_11',
	storageModelVersion: 'v201709',
	userPointSystemVersion: 'v201901',
	region: 'EUROPE',
} as const;
