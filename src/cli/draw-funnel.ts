/** A funnel as the API answers it, as far as it is drawn. */
export interface FunnelAnswer {
	readonly total: number;
	readonly steps: readonly {
		readonly name: string;
		readonly count: number;
		/** Mean seconds since the first step. */
		readonly interaction_duration: number;
		/** Units and money; absent on the first step. */
		readonly conversion?: number;
		readonly amount?: number;
	}[];
}

const BAR_WIDTH = 40;

/** Lines for a terminal: a bar per step as long as its share of everybody, then count, conversions, mean time, money. */
export function drawFunnel({total, steps}: FunnelAnswer): string[] {
	const names = ['Everybody', ...steps.map(({name}) => name)];
	const nameWidth = Math.max(...names.map(name => name.length));
	const countWidth = grouped(total).length;
	const line = (name: string, count: number, rest: string) =>
		`  ${name.padEnd(nameWidth)}  ${bar(count, total)}  ${grouped(count).padStart(countWidth)}  ${rest}`.trimEnd();
	return [
		line('Everybody', total, ''),
		...steps.map((step, index) => {
			const before = steps[index - 1];
			return line(
				step.name,
				step.count,
				before
					? details(step, before.count, index === steps.length - 1)
					: `${percent(step.count, total)} of all`,
			);
		}),
	];
}

/** Money is told where something was sold: at the end. What lay in a basket on the way there is not yet anybody's. */
function details(step: FunnelAnswer['steps'][number], before: number, isLast: boolean): string {
	const parts = [`${percent(step.count, before)} of the step before`];
	if (step.count > 0) parts.push(`after ${duration(step.interaction_duration)} on average`);
	if (isLast && step.amount) parts.push(`${grouped(step.conversion ?? 0)} units, ${money(step.amount)}`);
	return parts.join(', ');
}

function bar(count: number, total: number): string {
	const eighths = total === 0 ? 0 : Math.round((count / total) * BAR_WIDTH * 8);
	const full = '█'.repeat(Math.floor(eighths / 8));
	const rest = ' ▏▎▍▌▋▊▉'[eighths % 8]!.trim();
	return `${full}${rest}`.padEnd(BAR_WIDTH);
}

/** `93784` -> `1 d 2 h`: the two largest units. */
export function duration(seconds: number): string {
	const units = [
		['d', Math.floor(seconds / 86_400)],
		['h', Math.floor(seconds / 3600) % 24],
		['min', Math.floor(seconds / 60) % 60],
		['s', Math.floor(seconds) % 60],
	] as const;
	const first = units.findIndex(([, value]) => value > 0);
	if (first === -1) return '0 s';
	return units
		.slice(first, first + 2)
		.filter(([, value]) => value > 0)
		.map(([unit, value]) => `${value} ${unit}`)
		.join(' ');
}

function percent(part: number, whole: number): string {
	return `${(whole === 0 ? 0 : (100 * part) / whole).toFixed(1)} %`;
}

function grouped(value: number): string {
	return value.toLocaleString('en-US');
}

function money(value: number): string {
	return value.toLocaleString('en-US', {minimumFractionDigits: 2, maximumFractionDigits: 2});
}
