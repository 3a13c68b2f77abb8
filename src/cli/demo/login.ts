import {randomBytes} from 'node:crypto';
import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';

export interface Login {
	readonly email: string;
	readonly password: string;
}

/** The demo's own administrator: made once and kept beside its data, since only the first start takes a password. */
export async function demoLogin(dataDir: string): Promise<Login> {
	const file = join(dataDir, 'demo-login.json');
	try {
		return JSON.parse(await readFile(file, 'utf8')) as Login;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
	}
	const login = {email: 'demo@millrace.example', password: randomBytes(9).toString('base64url')};
	await mkdir(dataDir, {recursive: true});
	await writeFile(file, `${JSON.stringify(login)}\n`, {mode: 0o600});
	return login;
}
