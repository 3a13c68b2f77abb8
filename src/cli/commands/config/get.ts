import {SvcCommand} from '../../svc-command.ts';
import {variableArgument} from './variable.ts';

export class ConfigGet extends SvcCommand {
	static override summary = 'Print a configuration variable';
	static override args = {VARIABLE: variableArgument({required: true})};

	async run() {
		const {args} = await this.parse(ConfigGet);
		const value = (await this.settings.read())[args.VARIABLE];
		if (value === undefined) this.fail(`${args.VARIABLE} is not set`);
		this.log(value);
		return {[args.VARIABLE]: value};
	}
}
