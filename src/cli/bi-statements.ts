import {readFileSync} from 'node:fs';
import {projectFile} from '../lib/project.ts';

const SQL = projectFile('sql/bi/');

export interface BiOptions {
	readonly datamartId: number;
	/** The service's own database. */
	readonly tables?: string | undefined;
	/** The user's name. */
	readonly reader?: string | undefined;
	/** SHA-256 of the reader's password, in hex. */
	readonly passwordHash: string;
	/** Views read with the rights of whoever makes them; false for an engine without users. */
	readonly withUsers?: boolean;
}

/** The statements that make one datamart's views, and those that make who reads them. Names are checked by the caller. */
export function biViews({datamartId, tables, reader, passwordHash, withUsers = true}: BiOptions): {
	readonly views: readonly string[];
	readonly reader: readonly string[];
} {
	const database = `millrace_bi_${datamartId}`;
	const slots: Readonly<Record<string, string>> = {
		database,
		tables: tables ?? 'default',
		datamart: String(datamartId),
		definer: withUsers ? 'DEFINER = CURRENT_USER SQL SECURITY DEFINER' : '',
		reader: reader ?? database,
		password_hash: passwordHash,
	};
	return {views: statements('views.sql', slots), reader: statements('reader.sql', slots)};
}

function statements(file: string, slots: Readonly<Record<string, string>>): string[] {
	const text = readFileSync(new URL(file, SQL), 'utf8');
	const filled = text.replaceAll(/\/\*\{(\w+)\}\*\//g, (_, slot: string) => slots[slot] ?? '');
	return filled.split(/^;$/m).map(one => one.trim());
}
