import {Args} from '@oclif/core';
import {checked} from '../../settings.ts';
import {SvcCommand} from '../../svc-command.ts';
import {ask, askHidden, hasPerson, readStandardInput} from '../../terminal.ts';
import {variableArgument} from './variable.ts';

export class ConfigSet extends SvcCommand {
	static override summary = 'Set a configuration variable';
	static override description =
		'Asks where the value is left out; without a terminal it is read from standard input. A token that is typed as an argument stands in the history of the shell.';
	static override args = {
		VARIABLE: variableArgument({required: true}),
		VALUE: Args.string({description: 'its value; asked for when left out, tokens without showing them'}),
	};

	async run() {
		const {args} = await this.parse(ConfigSet);
		const value = checked(args.VARIABLE, args.VALUE ?? (await askedValue(args.VARIABLE)));
		await this.settings.save({[args.VARIABLE]: value});
		this.log(`${args.VARIABLE} saved in ${this.settings.file}`);
		return {saved: args.VARIABLE};
	}
}

function askedValue(variable: 'authToken' | 'baseUrl'): Promise<string> {
	if (!hasPerson()) return readStandardInput();
	return variable === 'authToken' ? askHidden(variable) : ask(variable);
}
