import {readdirSync, readFileSync} from 'node:fs';
import {dirname, join, normalize} from 'node:path';
import {fileURLToPath} from 'node:url';
import {projectFile} from '../../src/lib/project.ts';
import {AREAS} from './rules.ts';

export const ROOT = fileURLToPath(projectFile('.'));

export interface Import {
	readonly from: string;
	/** A path under the root, or a package's name. */
	readonly to: string;
	readonly isPackage: boolean;
	readonly isTypeOnly: boolean;
}

/** Files under the root's folders, as paths from it; what is generated or installed is left out. */
export function filesUnder(folder: string, suffix = ''): string[] {
	return readdirSync(join(ROOT, folder), {recursive: true, withFileTypes: true})
		.filter(entry => entry.isFile() && entry.name.endsWith(suffix))
		.map(entry => join(entry.parentPath, entry.name).slice(ROOT.length))
		.sort();
}

export function textOf(file: string): string {
	return readFileSync(join(ROOT, file), 'utf8');
}

const STATIC = /^(?:import|export)\s+(type\s+)?([\w\s{},*$]*?)\s*from\s+'([^'\n]+)'/gm;
const BARE = /^import '([^'\n]+)'/gm;
const DYNAMIC = /\bimport\('([^']+)'\)/g;

/** Every import of a file: static, re-exported and dynamic ones. Node's own modules are left out. */
export function importsOf(from: string, text: string): Import[] {
	const found = [
		...[...text.matchAll(STATIC)].map(([, type, names = '', target = '']) => ({
			target,
			isTypeOnly: type !== undefined || onlyTypes(names),
		})),
		...[...text.matchAll(BARE), ...text.matchAll(DYNAMIC)].map(([, target = '']) => ({
			target,
			isTypeOnly: false,
		})),
	];
	return found
		.filter(({target}) => !target.startsWith('node:'))
		.map(({target, isTypeOnly}) => {
			const isPackage = !target.startsWith('.');
			return {
				from,
				to: isPackage ? packageName(target) : normalize(join(dirname(from), target)),
				isPackage,
				isTypeOnly,
			};
		});
}

/** `{type A, type B}`: nothing of it is left at run time. */
function onlyTypes(names: string): boolean {
	const list = /^\{(.*)\}$/s.exec(names.trim())?.[1];
	if (list === undefined) return false;
	const words = list.split(',').flatMap(word => word.trim() || []);
	return words.length > 0 && words.every(word => word.startsWith('type '));
}

function packageName(target: string): string {
	return target.split('/', target.startsWith('@') ? 2 : 1).join('/');
}

/** The part of `rules.ts` a file belongs to. */
export function partOf(file: string): string {
	const [root = '', second = '', ...rest] = file.split('/');
	if (root === 'workers') return 'workers/';
	if (rest.length === 0) return second.replace(/\.ts$/, '');
	const role = /\.(store\.fake|route|schema|query|store|services)\.ts$/.exec(file)?.[1];
	if (AREAS.includes(second)) return role ? `*.${role}` : '<x>';
	return role === 'route' ? `${second}/*.route` : `${second}/`;
}

export function areaOf(file: string): string | undefined {
	const second = file.split('/')[1] ?? '';
	return AREAS.includes(second) ? second : undefined;
}
