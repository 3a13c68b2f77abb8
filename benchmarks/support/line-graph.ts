/** A line graph as SVG text: every series over the same x axis, y from zero, the series' names beside their last values. */
export interface LineGraph {
	readonly title: string;
	readonly xLabel: string;
	readonly yLabel: string;
	readonly series: readonly Series[];
}

export interface Series {
	readonly name: string;
	readonly points: readonly (readonly [x: number, y: number])[];
}

const WIDTH = 900;
const HEIGHT = 400;
const MARGIN = {top: 40, right: 190, bottom: 50, left: 70};
const COLOURS = ['#1f6feb', '#d9480f', '#2b8a3e', '#862e9c'];

export function lineGraph({title, xLabel, yLabel, series}: LineGraph): string {
	const points = series.flatMap(({points}) => points);
	const xStep = niceStep(Math.max(1, ...points.map(([x]) => x)) / 6);
	const yStep = niceStep(Math.max(1, ...points.map(([, y]) => y)) / 5);
	const xEnd = Math.max(1, ...points.map(([x]) => x));
	const yEnd = Math.ceil(Math.max(1, ...points.map(([, y]) => y)) / yStep) * yStep;
	const x = (value: number) => round(MARGIN.left + (value / xEnd) * (WIDTH - MARGIN.left - MARGIN.right));
	const y = (value: number) =>
		round(HEIGHT - MARGIN.bottom - (value / yEnd) * (HEIGHT - MARGIN.top - MARGIN.bottom));
	const rows = ticks(yEnd, yStep).map(
		value =>
			`<line x1="${x(0)}" x2="${x(xEnd)}" y1="${y(value)}" y2="${y(value)}" stroke="#ddd"/>` +
			text(x(0) - 8, y(value) + 4, value.toLocaleString('en'), 'end'),
	);
	const columns = ticks(xEnd, xStep).map(value =>
		text(x(value), HEIGHT - MARGIN.bottom + 18, value.toLocaleString('en'), 'middle'),
	);
	const lines = series.map(({name, points}, index) => {
		const colour = COLOURS[index % COLOURS.length]!;
		const path = points.map(([px, py]) => `${x(px)},${y(py)}`).join(' ');
		const end = points.at(-1) ?? [0, 0];
		return (
			`<polyline fill="none" stroke="${colour}" stroke-width="1.5" points="${path}"/>` +
			text(x(end[0]) + 8, y(end[1]) + 4, name, 'start', colour)
		);
	});
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" font-family="sans-serif" font-size="12">`,
		`<title>${escaped(title)}</title>`,
		`<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
		text(MARGIN.left, 22, title, 'start', '#111'),
		text(x(xEnd / 2), HEIGHT - 12, xLabel, 'middle'),
		text(8, MARGIN.top - 6, yLabel, 'start'),
		...rows,
		...columns,
		...lines,
		'</svg>\n',
	].join('\n');
}

function text(x: number, y: number, words: string, anchor: string, colour = '#555'): string {
	return `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${colour}">${escaped(words)}</text>`;
}

function escaped(words: string): string {
	return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function ticks(end: number, step: number): number[] {
	return Array.from({length: Math.floor(end / step) + 1}, (_, index) => index * step);
}

/** 1, 2 or 5 times a power of ten, at least as large. */
function niceStep(least: number): number {
	const power = 10 ** Math.floor(Math.log10(least));
	return ([1, 2, 5].find(factor => factor * power >= least) ?? 10) * power;
}

function round(value: number): number {
	return Math.round(value * 10) / 10;
}
