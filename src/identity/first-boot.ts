import {randomBytes} from 'node:crypto';
import type {Database} from '../postgres/database.ts';
import {hasTenants, insertFirstTenant} from './first-boot.store.ts';
import {hashPassword} from './passwords.ts';

export interface FirstBootOptions {
	/** ADMIN_EMAIL; absent: `admin@localhost`. */
	readonly adminEmail?: string | undefined;
	/** ADMIN_PASSWORD; absent: a random one, told once. */
	readonly adminPassword?: string | undefined;
}

export interface FirstBoot {
	/** Whether this call made the first tenant; of instances that start together one does. */
	readonly created: boolean;
	readonly adminEmail?: string;
	/** To be printed now: it is kept nowhere. Absent when the password was given. */
	readonly generatedPassword?: string;
}

/**
 * On an empty database: one community, organisation, datamart (UTC), administrator, default compartment and a channel
 * of each type. Later calls do nothing, and never change the administrator's password.
 */
export async function firstBoot(database: Database, options: FirstBootOptions = {}): Promise<FirstBoot> {
	if (await hasTenants(database)) return {created: false};
	const adminEmail = options.adminEmail ?? 'admin@localhost';
	const password = options.adminPassword ?? randomBytes(15).toString('base64url');
	// Hashed before the transaction: on the embedded engine everybody waits for one that is open.
	const passwordHash = await hashPassword(password);
	const created = await insertFirstTenant(database, {email: adminEmail, passwordHash});
	if (!created) return {created};
	return {created, adminEmail, ...(options.adminPassword === undefined && {generatedPassword: password})};
}
