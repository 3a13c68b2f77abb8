import {Command, type Errors} from '@oclif/core';
import {MillraceClient, RefusedError} from '../client/index.ts';
import {readCliConfig} from '../config.ts';
import {checked, DEFAULT_BASE_URL, Settings} from './settings.ts';
import {askHidden, hasPerson, readInputLine} from './terminal.ts';

/** What every command of `svc-cli` has: `--json`, the settings, a client with the saved token, errors in plain words. */
export abstract class SvcCommand extends Command {
	static override enableJsonFlag = true;

	protected get settings(): Settings {
		return new Settings(this.config.configDir);
	}

	protected async baseUrl(): Promise<string> {
		return (await this.settings.read()).baseUrl ?? DEFAULT_BASE_URL;
	}

	/** Without a token: for logging in. Somebody waits, so it soon gives up; a long upload is more patient. */
	protected openClient(url: string, maxAttempts = 3): MillraceClient {
		return new MillraceClient({
			url,
			maxAttempts,
			onRetry: ({reason, waitMs}) => this.logToStderr(`${reason}; again in ${(waitMs / 1000).toFixed(1)} s`),
		});
	}

	/** With the token that is saved; on first use it is asked for and saved (specification, "Command line tool"). */
	protected async client(maxAttempts?: number): Promise<MillraceClient> {
		return this.openClient(await this.baseUrl(), maxAttempts).withToken(await this.apiToken());
	}

	/** Whether standard input holds what the command works on: then no token is looked for there. */
	protected inputIsTaken = false;

	async #tokenFromPerson(): Promise<string> {
		const text = await this.#askedToken();
		if (text.trim() === '') {
			this.fail(
				'there is no token yet: svc-cli login, or svc-cli config:set authToken, or the variable MILLRACE_TOKEN',
			);
		}
		const token = checked('authToken', text);
		await this.settings.save({authToken: token});
		this.logToStderr(`saved in ${this.settings.file}`);
		return token;
	}

	#askedToken(): string | Promise<string> {
		if (hasPerson()) return askHidden('API token');
		if (this.inputIsTaken) return '';
		this.logToStderr('API token:');
		return readInputLine();
	}

	protected async apiToken(): Promise<string> {
		return readCliConfig().token ?? (await this.settings.read()).authToken ?? (await this.#tokenFromPerson());
	}

	/** Ends the command with 1 (2 is for commands that were called wrongly). */
	protected fail(message: string): never {
		this.error(message, {exit: 1});
	}

	override async catch(error: Errors.CLIError & {exitCode?: number}): Promise<unknown> {
		// Ctrl-C at a question.
		if (error.name === 'ExitPromptError') return this.exit(130);
		if (error instanceof RefusedError) this.error(toldOf(error), {exit: 1});
		const isOurs = error instanceof TypeError || !('oclif' in error);
		if (isOurs && error.name !== 'ExitError') this.error(error.message, {exit: 1});
		return super.catch(error);
	}
}

/** What the service refuses is told with its status, the error's id, and each field that is at fault. */
function toldOf({status, error, errorId, faults}: RefusedError): string {
	const told = [`${status} ${error}${errorId ? ` (error id ${errorId})` : ''}`];
	for (const {pointer, message} of faults) told.push(`  ${pointer === '' ? 'body' : pointer}: ${message}`);
	return told.join('\n');
}
