import {mkdir, readFile} from 'node:fs/promises';
import path from 'node:path';
import type {Config} from '@oclif/core';
import {writeFileAtomically} from '../../lib/files.ts';

export interface FlagWord {
	readonly name: string;
	readonly char: string | undefined;
	readonly summary: string;
	readonly takesValue: boolean;
	readonly options: readonly string[];
}

export interface CommandWords {
	readonly id: string;
	readonly summary: string;
	readonly flags: readonly FlagWord[];
	/** The values of each argument, as far as they are known; none: a file. */
	readonly args: readonly (readonly string[])[];
}

/** All that can be completed: the commands, and what the service has. */
export interface Words {
	readonly commands: readonly CommandWords[];
	readonly datamarts: readonly {readonly id: string; readonly name: string}[];
	readonly dimensions: readonly {readonly value: string; readonly label: string}[];
}

export type ServiceWords = Pick<Words, 'datamarts' | 'dimensions'>;

const NONE: Words = {commands: [], datamarts: [], dimensions: []};

function fileIn(cacheDir: string): string {
	return path.join(cacheDir, 'completion.json');
}

/** Nothing where nothing was kept, or nothing that can be read. */
export async function readWords(cacheDir: string): Promise<Words> {
	try {
		return {...NONE, ...(JSON.parse(await readFile(fileIn(cacheDir), 'utf8')) as Words)};
	} catch {
		return NONE;
	}
}

export async function keepWords(cacheDir: string, words: Words): Promise<void> {
	await mkdir(cacheDir, {recursive: true, mode: 0o700});
	await writeFileAtomically(fileIn(cacheDir), JSON.stringify(words));
}

export function commandWords(config: Config): CommandWords[] {
	return config.commands
		.filter(({hidden}) => !hidden)
		.map(({id, summary, description, flags, args}) => ({
			id,
			summary: (summary ?? description ?? '').split('\n')[0]!,
			flags: Object.entries(flags ?? {}).map(([name, flag]) => ({
				name,
				char: flag.char,
				summary: (flag.summary ?? flag.description ?? '').split('\n')[0]!,
				takesValue: flag.type === 'option',
				options: flag.type === 'option' ? [...(flag.options ?? [])] : [],
			})),
			args: Object.values(args ?? {}).map(arg => [...(arg.options ?? [])]),
		}))
		.sort((a, b) => (a.id < b.id ? -1 : 1));
}
