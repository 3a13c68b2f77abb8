import {masked, VARIABLES} from '../../settings.ts';
import {SvcCommand} from '../../svc-command.ts';
import {table} from '../../terminal.ts';

export class ConfigList extends SvcCommand {
	static override summary = 'List configuration variables';

	async run() {
		await this.parse(ConfigList);
		const values = await this.settings.read();
		const shown = Object.fromEntries(
			VARIABLES.map(name => [name, values[name] === undefined ? null : masked(name, values[name])]),
		);
		this.log(table(['VARIABLE', 'VALUE'], Object.entries(shown)));
		return shown;
	}
}
