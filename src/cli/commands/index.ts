import {ActivitiesSend} from './activities/send.ts';
import {Autocomplete} from './autocomplete.ts';
import {ConfigGet} from './config/get.ts';
import {ConfigList} from './config/list.ts';
import {ConfigSet} from './config/set.ts';
import {Funnel} from './funnel.ts';
import {ImportsRun} from './imports/run.ts';
import {Login} from './login.ts';
import {Usage} from './usage.ts';
import {WhoAmI} from './whoami.ts';

/** Every command of `svc-cli` by its name; `help` comes from oclif's plugin. */
export const COMMANDS = {
	'activities:send': ActivitiesSend,
	autocomplete: Autocomplete,
	'config:get': ConfigGet,
	'config:list': ConfigList,
	'config:set': ConfigSet,
	funnel: Funnel,
	'imports:run': ImportsRun,
	login: Login,
	usage: Usage,
	whoami: WhoAmI,
};
