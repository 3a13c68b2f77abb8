import {setTimeout as delay} from 'node:timers/promises';
import type {BenchOptions, BenchResult} from '../support/bench.ts';
import {residentBytes} from '../support/processes.ts';
import {type ServiceProgram, startService} from '../support/service.ts';
import {ended, importFinalValues, post} from './executions.ts';

/** Of the deleted identifiers, so many are somebody's: the others are unknown. */
const KNOWN_SHARE = 0.1;
const SAMPLE_MS = 100;

/**
 * Bulk work through the service: 100,000 final values from POST to searchable, `rounds` times; then the deletion of `rows`
 * identifiers, a file of about 100 bytes a line, a tenth of them known. Baseline: the same lines parsed as JSON and nothing
 * else; candidate: the execution, from its start to its end. Memory is resident: how far it rose above the least until
 * then, counted from just before the execution. What the service has before holds garbage of the preparations, and
 * whatever of it is collected meanwhile would hide as much.
 */
export async function bench({rows = 1_000_000, rounds = 5, say}: BenchOptions): Promise<BenchResult> {
	const service = await startService();
	try {
		const values = await finalValues(service, rounds, say);
		const deletion = await deletions(service, rows, say);
		return {
			ratio: Number((deletion.ms / deletion.parseMs).toFixed(3)),
			rows,
			lines_per_second: Math.round((rows * 1000) / deletion.ms),
			file_bytes: deletion.fileBytes,
			service_cpu: deletion.cpu,
			memory: deletion.memory,
			final_values_cpu: values.cpu,
			raw: {
				baseline_ms: [deletion.parseMs],
				candidate_ms: [deletion.ms],
				floor_ms: [deletion.parseMs],
				check_ms: [deletion.checkMs],
				final_values_ms: values.times,
			},
		};
	} finally {
		await service.stop();
	}
}

async function finalValues(service: ServiceProgram, rounds: number, say: BenchOptions['say']) {
	const times: number[] = [];
	const before = service.usage();
	for (let round = 0; round <= rounds; round++) {
		const ms = Math.round(await importFinalValues(service));
		if (round > 0) times.push(ms);
		say(`final values: ${ms} ms`);
	}
	return {times, cpu: spent(before, service.usage(), rounds + 1)};
}

async function deletions(service: ServiceProgram, rows: number, say: BenchOptions['say']) {
	const agent = (index: number) => `vec:${String(index).padStart(56, '0')}1`;
	const known = Math.round(rows * KNOWN_SHARE);
	const linked: string[] = [];
	for (let index = 0; index < known; index++) {
		linked.push(`{"identifiers":[{"type":"USER_AGENT","user_agent_id":"${agent(index)}"}]}\n`);
	}
	await execute(service, 'USER_IDENTIFIERS_ASSOCIATION_DECLARATIONS', linked.join(''));
	say(`${known} identifiers are known`);
	const lines: string[] = [];
	for (let index = 0; index < rows; index++) {
		// The known ones are spread over the file.
		const which = index % 10 === 0 ? index / 10 : rows + index;
		lines.push(`{"type":"USER_AGENT","user_agent_id":"${agent(which)}"}`);
	}
	const parseBegan = performance.now();
	for (const line of lines) JSON.parse(line);
	const parseMs = Math.round(performance.now() - parseBegan);
	const file = Buffer.from(`${lines.join('\n')}\n`);
	await delay(2_000);
	const idle = residentBytes(service.pid!) ?? 0;
	let [least, most, rise] = [idle, idle, 0];
	const sampling = setInterval(() => {
		const now = residentBytes(service.pid!) ?? idle;
		[least, most] = [Math.min(least, now), Math.max(most, now)];
		rise = Math.max(rise, now - least);
	}, SAMPLE_MS);
	const before = service.usage();
	const began = performance.now();
	const {done, postedMs} = await execute(service, 'USER_IDENTIFIERS_DELETION', file);
	clearInterval(sampling);
	const {removed, unknown} = done.result.receipt;
	if (removed !== known || unknown !== rows - known)
		throw new Error(`removed ${removed}, unknown ${unknown}`);
	say(
		`${rows} deletions: ${done.duration} ms, POST ${Math.round(postedMs)} ms, ${mib(rise)} MiB above the least until then, ${mib(most - idle)} above what it had before, ${Math.round(performance.now() - began)} ms in all`,
	);
	return {
		ms: done.duration as number,
		parseMs,
		checkMs: Math.round(postedMs),
		fileBytes: file.length,
		cpu: spent(before, service.usage(), 1),
		memory: {idle_mib: mib(idle), rise_mib: mib(rise), most_mib: mib(most)},
	};
}

async function execute(service: ServiceProgram, documentType: string, file: string | Buffer) {
	const {body} = await service.client.post(`${service.datamart}/document_imports`, {
		document_type: documentType,
		mime_type: 'APPLICATION_X_NDJSON',
		encoding: 'utf-8',
		name: 'benchmark',
	});
	const path = `${service.datamart}/document_imports/${body.data.id}/executions`;
	const began = performance.now();
	const posted = await post(service, path, file, 'application/x-ndjson');
	const postedMs = performance.now() - began;
	return {postedMs, done: await ended(service, `${path}/${posted.id}`)};
}

const mib = (bytes: number) => Math.round(bytes / 2 ** 20);

type Usages = ReturnType<ServiceProgram['usage']>;

/** Seconds of CPU of service and engine, by unit; null where the system does not tell. */
function spent(before: Usages, after: Usages, units: number) {
	const of = (part: keyof Usages) => {
		const [from, to] = [before[part], after[part]];
		return from && to ? Math.round(((to.cpuMs - from.cpuMs) / units) * 10) / 10 : null;
	};
	return {service_ms: of('service'), engine_ms: of('engine')};
}
