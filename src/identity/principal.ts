/** Roles from least to most; CUSTOMER_ADMIN is a legacy word for the administrator of a community. */
export const ROLES = ['READER', 'EDITOR', 'ORGANISATION_ADMIN', 'COMMUNITY_ADMIN', 'CUSTOMER_ADMIN'] as const;

export type Role = (typeof ROLES)[number];

export interface RoleGrant {
	readonly organisationId: number;
	/** The community of that organisation: what a community administrator reaches. */
	readonly communityId: number;
	readonly role: Role;
}

export interface UserPrincipal {
	readonly kind: 'user';
	readonly userId: number;
	readonly credential: 'access_token' | 'api_token' | 'signature';
	/** The token's or key's record id: names it in logs and limits without showing it. */
	readonly credentialId: string;
	readonly communityId: number;
	readonly roles: readonly RoleGrant[];
}

/** A page or an app that tracks with its channel's public token: may write activities, nothing else. */
export interface ChannelPrincipal {
	readonly kind: 'channel';
	readonly channelId: number;
	readonly datamartId: number;
	readonly organisationId: number;
}

/** The plugin worker of a plugin's version: makes the calls its kind needs, where its plugin is put to use. */
export interface WorkerPrincipal {
	readonly kind: 'worker';
	readonly credential: 'worker';
	/** Its worker id: no secret. */
	readonly credentialId: string;
	readonly pluginId: number;
	readonly pluginVersionId: number;
	/** Of the plugin. */
	readonly organisationId: number;
	/** Those that have an instance of the plugin: it serves them and all below them. */
	readonly servedOrganisations: readonly number[];
}

/** Who asks; whoever switches on `kind` is told by the compiler. */
export type Principal = UserPrincipal | ChannelPrincipal | WorkerPrincipal;
