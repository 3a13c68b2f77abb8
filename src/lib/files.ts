import {mkdir, open, rename} from 'node:fs/promises';
import path from 'node:path';

/** Makes the names in a directory survive a power cut (new and renamed files). */
export async function syncDirectory(directory: string): Promise<void> {
	const handle = await open(directory, 'r');
	try {
		await handle.sync();
	} finally {
		await handle.close();
	}
}

/** Makes a directory and all that is missing above it; their names survive a power cut. */
export async function makeDirectory(directory: string): Promise<void> {
	const whole = path.resolve(directory);
	const first = await mkdir(whole, {recursive: true});
	if (first === undefined) return;
	for (let made = whole; ; made = path.dirname(made)) {
		await syncDirectory(path.dirname(made));
		if (made === first) return;
	}
}

/** Replaces a file whole: afterwards either the old or the new content is there, whatever crashes. */
export async function writeFileAtomically(
	file: string,
	content: string | Buffer,
	mode = 0o600,
): Promise<void> {
	const temporary = `${file}.tmp`;
	const handle = await open(temporary, 'w', mode);
	try {
		await handle.writeFile(content);
		await handle.datasync();
	} finally {
		await handle.close();
	}
	await rename(temporary, file);
	await syncDirectory(path.dirname(file));
}
