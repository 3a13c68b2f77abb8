import {Flags} from '@oclif/core';

/** Which datamart a command is about. */
export const datamartFlag = Flags.custom<string>({
	char: 'd',
	required: true,
	description: 'id of the datamart',
	helpValue: 'ID',
	async parse(text) {
		if (!/^[1-9]\d*$/.test(text)) throw new TypeError('--datamart is a positive whole number');
		return text;
	},
});
