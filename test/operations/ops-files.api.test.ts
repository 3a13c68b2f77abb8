import {spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import anyTest, {type TestFn} from 'ava';
import {z} from 'zod';
import {startTestService, type TestService} from '../support/service.ts';

const test = anyTest as TestFn<{service: TestService; shown: ReadonlyMap<string, string>}>;

test.before(async t => {
	const service = await startTestService();
	const {body} = await service.get('/metrics');
	const shown = new Map<string, string>();
	for (const [, name, kind] of body.matchAll(/^# TYPE (\S+) (\w+)$/gm)) shown.set(name, kind);
	t.context = {service, shown};
});
test.after.always(async t => t.context.service?.stop());

/** What a scrape adds by itself. */
const FROM_PROMETHEUS = ['up'];

/** Names in an expression that no metric of ours has; a histogram's parts count as the histogram. */
function unknownNames(expression: string, shown: ReadonlyMap<string, string>): string[] {
	const words =
		expression.replaceAll(/"[^"]*"|\bby \([^)]*\)|\{[^}]*\}/g, ' ').match(/\b[a-z]\w*_\w+\b|\bup\b/g) ?? [];
	return words.filter(word => {
		if (FROM_PROMETHEUS.includes(word) || shown.has(word) || PROMQL.includes(word)) return false;
		const [, base = ''] = /^(\w+)_(?:bucket|sum|count)$/.exec(word) ?? [];
		return shown.get(base) !== 'histogram';
	});
}
const PROMQL = ['histogram_quantile', 'predict_linear', 'label_values', '__rate_interval'];

const Grid = z.object({
	h: z.int().positive(),
	w: z.int().min(1).max(24),
	x: z.int().min(0).max(23),
	y: z.int().min(0),
});
const Panel = z.object({
	id: z.int(),
	type: z.enum(['row', 'timeseries', 'stat']),
	title: z.string().min(1),
	gridPos: Grid,
	targets: z
		.array(z.object({refId: z.string(), expr: z.string().min(1), legendFormat: z.string()}))
		.optional(),
});
const Dashboard = z.object({
	uid: z.string(),
	title: z.string(),
	schemaVersion: z.int(),
	panels: z.array(Panel).min(20),
});

function dashboard() {
	return Dashboard.parse(JSON.parse(readFileSync('ops/grafana/millrace.json', 'utf8')));
}

test('every panel of the dashboard asks for metrics that the service shows', t => {
	const asked = dashboard().panels.flatMap(({targets = []}) => targets.map(({expr}) => expr));
	t.true(asked.length > 40);
	t.deepEqual(
		asked.flatMap(expr => unknownNames(expr, t.context.shown)),
		[],
	);
	t.deepEqual(unknownNames('rate(millrace_nothing_total[5m])', t.context.shown), ['millrace_nothing_total']);
});

test('each metric of the service’s own has a place on the dashboard, and no two panels share theirs', t => {
	const {panels} = dashboard();
	const text = panels.flatMap(({targets = []}) => targets.map(({expr}) => expr)).join(' ');
	// Told elsewhere on it: bytes and sizes of what is drawn as a rate or a time already.
	const left = [
		...[
			'millrace_journal_appended_bytes_total',
			'millrace_drain_batch_activities',
			'millrace_drain_batch_bytes',
		],
		...['millrace_chain_activities_total', 'millrace_chain_seconds', 'millrace_chain_oldest_seconds'],
		...['millrace_chain_untraced_total', 'millrace_warehouse_read_rows_total'],
	];
	const own = [...t.context.shown.keys()].filter(name => name.startsWith('millrace_'));
	t.deepEqual(own.filter(name => !text.includes(name)).sort(), left.sort());
	t.is(new Set(panels.map(({id}) => id)).size, panels.length);
	const places = panels.flatMap(({gridPos: {x, y, w, h}}) =>
		Array.from({length: w * h}, (_, cell) => `${x + (cell % w)} ${y + Math.floor(cell / w)}`),
	);
	t.is(new Set(places).size, places.length);
});

test('every alert asks for metrics that the service shows, and says what it means', t => {
	const text = readFileSync('ops/prometheus/alerts.yml', 'utf8');
	const rules = text.split(/^ {6}- alert: /m).slice(1);
	t.true(rules.length > 10);
	const guide = readFileSync('docs/operations.md', 'utf8');
	for (const rule of rules) {
		const name = /^\w+/.exec(rule)?.[0] ?? '';
		const expression = /expr: ([\s\S]*?)\n {8}(?:for|labels):/.exec(rule)?.[1] ?? '';
		t.true(expression.length > 5, name);
		t.deepEqual(unknownNames(expression, t.context.shown), [], name);
		t.true(guide.includes(`\`${name}\``), `docs/operations.md says what to do at ${name}`);
	}
});

test('the alerts fire when they should, by Prometheus’ own tool', t => {
	const inOps = {cwd: 'ops/prometheus', encoding: 'utf8', timeout: 60_000} as const;
	const checked = spawnSync('promtool', ['check', 'rules', 'alerts.yml'], inOps);
	if (checked.error) return void t.pass('promtool is not installed: the rules were not tried');
	t.is(checked.status, 0, checked.stderr);
	const tried = spawnSync('promtool', ['test', 'rules', 'alerts.test.yml'], inOps);
	t.is(tried.status, 0, `${tried.stdout}${tried.stderr}`);
});
