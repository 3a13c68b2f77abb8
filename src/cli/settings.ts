import {chmod, mkdir, readFile} from 'node:fs/promises';
import path from 'node:path';
import {writeFileAtomically} from '../lib/files.ts';

/** What `svc-cli` remembers (specification, "Command line tool"); `baseUrl` is ours: more than one service exists. */
export const VARIABLES = ['authToken', 'baseUrl'] as const;
export type Variable = (typeof VARIABLES)[number];

export type Values = Partial<Record<Variable, string>>;

export const DEFAULT_BASE_URL = 'http://127.0.0.1:8080';

export function isVariable(name: string): name is Variable {
	return (VARIABLES as readonly string[]).includes(name);
}

/** Throws `TypeError` with words for people where the value cannot be that variable's. */
export function checked(variable: Variable, text: string): string {
	const value = text.trim();
	if (variable === 'authToken') {
		if (!/^[\x21-\x7e]+$/.test(value)) throw new TypeError('a token has no spaces and is not empty');
		return value;
	}
	if (!URL.canParse(value) || !/^https?:/.test(value)) throw new TypeError(`${value} is no http address`);
	return value.replace(/\/+$/, '').replace(/\/v1$/, '');
}

/** The settings of one user: `config.json` in their configuration directory, readable by nobody else. */
export class Settings {
	readonly file: string;

	/** `directory`: oclif's, `~/.config/svc-cli` or below `XDG_CONFIG_HOME`. */
	constructor(directory: string) {
		this.file = path.join(directory, 'config.json');
	}

	/** Nothing where nothing was saved. Throws where the file is not JSON. */
	async read(): Promise<Values> {
		let text: string;
		try {
			text = await readFile(this.file, 'utf8');
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
			throw error;
		}
		try {
			return JSON.parse(text) as Values;
		} catch {
			throw new Error(`${this.file} is not JSON: mend it, or remove it`);
		}
	}

	async save(values: Values): Promise<void> {
		await mkdir(path.dirname(this.file), {recursive: true, mode: 0o700});
		const merged = {...(await this.read()), ...values};
		await writeFileAtomically(this.file, `${JSON.stringify(merged, null, '\t')}\n`);
		await chmod(this.file, 0o600);
	}
}

/** Enough to tell two tokens apart, too little to use one. */
export function masked(variable: Variable, value: string): string {
	if (variable !== 'authToken') return value;
	return value.length < 24 ? '…' : `${value.slice(0, 8)}…`;
}
