import {Command, type Errors} from '@oclif/core';
import {readCliConfig} from '../config.ts';
import {type Answer, Api, Unreachable} from './api.ts';
import {checked, DEFAULT_BASE_URL, Settings} from './settings.ts';
import {askHidden, hasPerson} from './terminal.ts';

/** What every command of `svc-cli` has: `--json`, the settings, the API with the saved token, errors in plain words. */
export abstract class SvcCommand extends Command {
	static override enableJsonFlag = true;

	protected get settings(): Settings {
		return new Settings(this.config.configDir);
	}

	protected async baseUrl(): Promise<string> {
		return (await this.settings.read()).baseUrl ?? DEFAULT_BASE_URL;
	}

	/** Without a token: for logging in. Somebody waits, so it soon gives up; a long upload is more patient. */
	protected openApi(url: string, maxAttempts = 3): Api {
		return new Api({
			url,
			maxAttempts,
			onRetry: (reason, waitMs) => this.logToStderr(`${reason}; again in ${(waitMs / 1000).toFixed(1)} s`),
		});
	}

	/** With the token that is saved; on first use it is asked for and saved (specification, "Command line tool"). */
	protected async api(maxAttempts?: number): Promise<Api> {
		return this.openApi(await this.baseUrl(), maxAttempts).withToken(await this.apiToken());
	}

	async #tokenFromPerson(): Promise<string> {
		if (!hasPerson()) {
			this.fail(
				'there is no token yet: svc-cli login, or svc-cli config:set authToken, or the variable MILLRACE_TOKEN',
			);
		}
		const token = checked('authToken', await askHidden('API token'));
		await this.settings.save({authToken: token});
		this.logToStderr(`saved in ${this.settings.file}`);
		return token;
	}

	protected async apiToken(): Promise<string> {
		return readCliConfig().token ?? (await this.settings.read()).authToken ?? (await this.#tokenFromPerson());
	}

	/** Ends the command with 1 (2 is for commands that were called wrongly). */
	protected fail(message: string): never {
		this.error(message, {exit: 1});
	}

	/** The answer's `data`; what the service refuses is told with its status and the error's id. */
	protected dataOf<Data>(answer: Answer): Data {
		if (answer.status === 200) return answer.body.data as Data;
		const {error = 'no answer of this service', error_id: errorId, errors = []} = answer.body;
		const told = [`${answer.status} ${error}${errorId ? ` (error id ${errorId})` : ''}`];
		for (const {pointer, message} of errors) told.push(`  ${pointer === '' ? 'body' : pointer}: ${message}`);
		this.fail(told.join('\n'));
	}

	override async catch(error: Errors.CLIError & {exitCode?: number}): Promise<unknown> {
		// Ctrl-C at a question.
		if (error.name === 'ExitPromptError') return this.exit(130);
		const isOurs = error instanceof Unreachable || error instanceof TypeError || !('oclif' in error);
		if (isOurs && error.name !== 'ExitError') this.error(error.message, {exit: 1});
		return super.catch(error);
	}
}
