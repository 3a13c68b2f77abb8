import {createInterface} from 'node:readline';
import {input, password} from '@inquirer/prompts';
import Table from 'cli-table3';

/** Whether there is somebody to ask. */
export function hasPerson(): boolean {
	return Boolean(process.stdin.isTTY);
}

/** Questions go to standard error: standard output is the command's answer alone. */
const ASIDE = {output: process.stderr};

export function ask(message: string, initial?: string): Promise<string> {
	return input({message, required: true, ...(initial !== undefined && {default: initial})}, ASIDE);
}

/** What is typed is not shown. */
export function askHidden(message: string): Promise<string> {
	return password({message, mask: false, validate: text => text.trim() !== '' || 'is needed'}, ASIDE);
}

/** All of standard input, without its last line end. */
export async function readStandardInput(): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks)
		.toString('utf8')
		.replace(/\r?\n$/, '');
}

/** The next line of standard input, which whoever writes it may keep open; empty where there is none. */
export async function readInputLine(): Promise<string> {
	try {
		for await (const line of createInterface({input: process.stdin})) return line;
		return '';
	} finally {
		// An input that is still open would keep the process.
		process.stdin.destroy();
	}
}

/** Columns under their names, without frames: easy to read, easy to cut. */
export function table(head: readonly string[], rows: readonly (readonly unknown[])[]): string {
	const bare = new Table({
		head: [...head],
		chars: Object.fromEntries(FRAME.map(part => [part, ''])),
		style: {head: [], border: [], 'padding-left': 0, 'padding-right': 2, compact: true},
	});
	bare.push(
		...rows.map(row => row.map(value => (value === null || value === undefined ? '' : String(value)))),
	);
	return bare.toString().replace(/[ \t]+$/gm, '');
}

const FRAME = [
	...['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right'],
	...['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'],
] as const;
