import {hostname} from 'node:os';
import {Flags} from '@oclif/core';
import {checked} from '../settings.ts';
import {SvcCommand} from '../svc-command.ts';
import {ask, askHidden, hasPerson, readStandardInput} from '../terminal.ts';

export class Login extends SvcCommand {
	static override summary = 'Log in with e-mail and password, and save an API token made for this machine';
	static override description =
		'The password is asked for and never saved. The token is good for 12 months and can be revoked like any other.';
	static override examples = [
		'<%= config.bin %> login',
		'<%= config.bin %> login --base-url https://millrace.example.org --email ann@example.org',
	];
	static override flags = {
		'base-url': Flags.string({description: 'address of the service; saved as well'}),
		email: Flags.string({description: 'asked for when left out'}),
		'password-stdin': Flags.boolean({description: 'read the password from standard input'}),
		name: Flags.string({description: "the token's name", default: `svc-cli on ${hostname()}`}),
	};

	async run() {
		const {flags} = await this.parse(Login);
		const baseUrl = checked('baseUrl', flags['base-url'] ?? (await this.baseUrl()));
		const email = flags.email ?? (await this.#asked(() => ask('E-mail'), '--email'));
		const password = flags['password-stdin']
			? await readStandardInput()
			: await this.#asked(() => askHidden('Password'), '--password-stdin');
		const client = await this.openClient(baseUrl).login({email, password});
		const user = await client.get('/v1/connected_user');
		const token = await client.post('/v1/users/{userId}/api_tokens', {
			path: {userId: user.id},
			body: {name: flags.name},
		});
		await this.settings.save({authToken: token.value, baseUrl});
		const until = new Date(token.expiration_date).toISOString().slice(0, 10);
		this.log(`Logged in to ${baseUrl} as ${email}; the token is good until ${until}.`);
		return {baseUrl, email, user_id: user.id, expiration_date: token.expiration_date};
	}

	#asked(question: () => Promise<string>, flag: string): Promise<string> {
		if (!hasPerson()) this.fail(`nobody can be asked here: ${flag} is needed`);
		return question();
	}
}
