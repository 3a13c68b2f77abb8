import type {Bindings} from './fragment.ts';
import {type Metric, metricSql} from './metrics.ts';
import type {ReportRequest} from './report.schema.ts';
import type {ReportKey} from './report-keys.ts';

type Asked = Pick<ReportRequest, 'metrics' | 'metricClause' | 'orderBy'>;

/** Grouped how, which groups are kept, in which order. */
export function reportTail(request: Asked, keys: readonly ReportKey[], bindings: Bindings): string {
	const lines: string[] = [];
	if (keys.length > 0) lines.push(`GROUP BY ${keys.map(({name}) => name).join(', ')}`);
	const kept = request.metricClause.filters.map(({metric, operator, value, not}) => {
		const sign = {EQUAL: '=', GREATER_THAN: '>', LESS_THAN: '<'}[operator];
		return `${not ? 'NOT ' : ''}(${metricSql(metric)} ${sign} ${bindings.bind('Float64', value)})`;
	});
	if (kept.length > 0) lines.push(`HAVING ${kept.join(` ${request.metricClause.operator} `)}`);
	const order = orderOf(request, keys);
	if (order.length > 0) lines.push(`ORDER BY ${order.join(', ')}`);
	return lines.join('\n');
}

/** As asked; then by time, by the first metric or by frequency, best first, and by value. */
function orderOf({orderBy, metrics}: Asked, keys: readonly ReportKey[]): string[] {
	const asked = orderBy.flatMap(({by, descending}) => {
		const key = keys.find(each => each.dimension === by);
		const direction = descending ? ' DESC' : '';
		return key ? key.order(direction) : [`${metricSql(by as Metric)}${direction}`];
	});
	if (keys.length === 0) return asked;
	const times = keys.filter(({dimension}) => dimension.kind === 'time');
	const best = metrics[0] ? `${metricSql(metrics[0])} DESC` : 'sum(facts) DESC';
	const byTime = metrics.length > 0 ? times.flatMap(key => key.order('')) : [];
	return [...new Set([...asked, ...byTime, best, ...keys.flatMap(key => key.order(''))])];
}
