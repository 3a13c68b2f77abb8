import {writeFile} from 'node:fs/promises';
import path from 'node:path';
import {Args, Flags} from '@oclif/core';
import {readCliConfig, readShell} from '../../config.ts';
import {instructions, SCRIPTS, SHELLS, type Shell} from '../completion/scripts.ts';
import {commandWords, keepWords, readWords, type ServiceWords} from '../completion/words.ts';
import {SvcCommand} from '../svc-command.ts';

export class Autocomplete extends SvcCommand {
	static override summary = 'Display autocomplete installation instructions';
	static override args = {
		SHELL: Args.string({description: 'bash, zsh or fish; your own where left out', options: [...SHELLS]}),
	};
	static override flags = {
		'refresh-cache': Flags.boolean({
			char: 'r',
			description: 'Refresh cache (ignores displaying instructions)',
		}),
	};

	async run() {
		const {args, flags} = await this.parse(Autocomplete);
		const known = await readWords(this.config.cacheDir);
		if (flags['refresh-cache'] || known.commands.length === 0) await this.#refresh(known);
		const scripts = await this.#writeScripts();
		if (flags['refresh-cache']) {
			this.log('cache refreshed');
			return {refreshed: true};
		}
		const shell = (args.SHELL ?? path.basename(readShell() ?? 'bash')) as Shell;
		const script = scripts[shell];
		if (script === undefined) this.fail(`no completion for ${shell}: ${SHELLS.join(', ')}`);
		this.log(`Setup instructions for SVC-CLI autocomplete in ${shell}:\n`);
		this.log(`  ${instructions(shell, script)}\n`);
		this.log(`Then: svc-cli <TAB>. After changes of datamarts or dimensions: svc-cli autocomplete -r`);
		return {shell, script};
	}

	async #refresh(known: ServiceWords): Promise<void> {
		const {datamarts, dimensions} = await this.#serviceWords(known);
		await keepWords(this.config.cacheDir, {commands: commandWords(this.config), datamarts, dimensions});
	}

	/** Commands can be completed without a service; nobody is asked for a token here. */
	async #serviceWords(known: ServiceWords): Promise<ServiceWords> {
		const token = readCliConfig().token ?? (await this.settings.read()).authToken;
		if (token === undefined) return known;
		try {
			const client = this.openClient(await this.baseUrl(), 1).withToken(token);
			const {workspaces} = await client.get('/v1/connected_user');
			const datamarts = workspaces.flatMap(workspace => workspace.datamarts);
			const first = datamarts[0];
			if (!first) return {datamarts, dimensions: known.dimensions};
			const {dimensions} = await client.get(
				'/v1/datamarts/{datamartId}/user_activities_analytics/dimensions',
				{path: {datamartId: first.id}, query: {is_available_for_funnel: 'true'}},
			);
			return {datamarts: datamarts.map(({id, name}) => ({id, name})), dimensions};
		} catch (error) {
			this.logToStderr(`datamarts and dimensions stay as they were: ${(error as Error).message}`);
			return known;
		}
	}

	async #writeScripts(): Promise<Record<Shell, string>> {
		const files = {} as Record<Shell, string>;
		for (const shell of SHELLS) {
			files[shell] = path.join(this.config.cacheDir, `svc-cli.${shell}`);
			await writeFile(files[shell], SCRIPTS[shell]);
		}
		return files;
	}
}
