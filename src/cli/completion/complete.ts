import {homedir} from 'node:os';
import path from 'node:path';
import {readCacheHome} from '../../config.ts';
import {type CommandWords, readWords, type Words} from './words.ts';

/** What a shell is told when it should complete file names itself. */
export const FILES = '__files__';

export interface Candidate {
	readonly value: string;
	readonly summary: string;
}

/** `svc-cli complete LINE`: the candidates for the last word of the line, one a line, a tab before what they mean. */
export async function complete([line = '']: readonly string[]): Promise<void> {
	const cacheDir = path.join(readCacheHome() ?? path.join(homedir(), '.cache'), 'svc-cli');
	const candidates = candidatesFor(line, await readWords(cacheDir));
	const text = candidates === FILES ? [FILES] : candidates.map(({value, summary}) => `${value}\t${summary}`);
	process.stdout.write(text.map(each => `${each}\n`).join(''));
}

/** `line` is what was typed up to the cursor, the program's name first. */
export function candidatesFor(line: string, words: Words): readonly Candidate[] | typeof FILES {
	const typed = line.trimStart().split(/\s+/).slice(1);
	const current = typed.pop() ?? '';
	const startingWith = (candidates: readonly Candidate[]) =>
		candidates.filter(({value}) => value.startsWith(current));
	if (typed.length === 0) {
		return startingWith(words.commands.map(({id, summary}) => ({value: id, summary})));
	}
	const command = words.commands.find(({id}) => id === typed[0]);
	if (!command) return [];
	const before = typed.at(-1)!;
	const flag = flagOf(command, before);
	if (flag?.takesValue) return startingWith(valuesOf(flag, words));
	if (current.startsWith('-')) {
		return startingWith(command.flags.map(({name, summary}) => ({value: `--${name}`, summary})));
	}
	const options = command.args[argumentsIn(command, typed.slice(1))];
	if (options === undefined) return [];
	return options.length === 0 ? FILES : startingWith(options.map(value => ({value, summary: ''})));
}

function flagOf({flags}: CommandWords, word: string) {
	return flags.find(({name, char}) => word === `--${name}` || (char !== undefined && word === `-${char}`));
}

function valuesOf({name, options}: CommandWords['flags'][number], words: Words): Candidate[] {
	if (name === 'datamart') return words.datamarts.map(({id, name: summary}) => ({value: id, summary}));
	if (name === 'split') return words.dimensions.map(({value, label}) => ({value, summary: label}));
	return options.map(value => ({value, summary: ''}));
}

/** How many of these words are arguments, and neither flags nor their values. */
function argumentsIn(command: CommandWords, typed: readonly string[]): number {
	return typed.filter((word, index) => {
		const before = typed[index - 1];
		return !word.startsWith('-') && !(before !== undefined && flagOf(command, before)?.takesValue);
	}).length;
}
