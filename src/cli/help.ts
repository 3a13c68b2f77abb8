import {Help, type Interfaces} from '@oclif/core';

/** `help` lists every command under its whole name, `config:set` as well as `whoami`; oclif's own shows first words. */
export class SvcHelp extends Help {
	constructor(config: Interfaces.Config, options?: Partial<Interfaces.HelpOptions>) {
		super(config, {...options, all: true});
	}
}
