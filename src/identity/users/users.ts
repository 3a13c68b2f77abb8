import type {Role} from '../principal.ts';

/** A person or a technical account; instants are epoch milliseconds. */
export interface User {
	readonly id: number;
	readonly communityId: number;
	/** Where the account was made; the default workspace. */
	readonly organisationId: number;
	readonly email: string;
	readonly firstName: string;
	readonly lastName: string;
	readonly locale: string | null;
	readonly lastPasswordUpdateTs: number;
	readonly createdTs: number;
}

export interface UserRole {
	readonly id: number;
	readonly userId: number;
	readonly organisationId: number;
	readonly role: Role;
	readonly creationTs: number;
}
