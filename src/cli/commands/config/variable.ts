import {Args} from '@oclif/core';
import {isVariable, VARIABLES, type Variable} from '../../settings.ts';

/** The name of a configuration variable, as an argument. */
export const variableArgument = Args.custom<Variable>({
	description: `one of ${VARIABLES.join(', ')}`,
	options: [...VARIABLES],
	async parse(text) {
		if (!isVariable(text)) throw new TypeError(`${text} is no variable: ${VARIABLES.join(', ')}`);
		return text;
	},
});
