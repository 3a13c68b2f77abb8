import {mkdirSync, mkdtempSync, rmSync, statSync, truncateSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {type AnalyzerWorker, startAnalyzerWorker, unchanged} from '../support/analyzer-worker.ts';
import {linkAnalyzer} from '../support/analyzers.ts';
import {
	childrenOf,
	killIfThere,
	type ServiceProcess,
	startServiceProcess,
	untilGone,
} from '../support/process.ts';
import {type Client, clientOf, login} from '../support/service.ts';
import {analysedAll, drainAll, inspect, missingFromTimelines, peopleCounted} from './check.ts';
import {Disk} from './disk.ts';
import {checkpointOf, leastDurable, newestSegmentFile, type Phase, phasesHit} from './evidence.ts';
import {Ledger} from './ledger.ts';
import {Load} from './load.ts';
import {Random} from './random.ts';
import {dropTokens} from './tokens.ts';
import type {Verdict} from './verdict.ts';

/**
 * kill: the process is ended, the machine goes on. power: the disk under all stores loses its power first. files: for
 * machines without such a disk, the journal is cut where nobody was answered and the engine forgets its tokens.
 */
export type Mode = 'kill' | 'power' | 'files';

export interface CrashOptions {
	readonly rounds: number;
	readonly seed: number;
	readonly mode: Mode;
	/** No round begins after so long; what was done by then is judged. */
	readonly mostMs?: number;
	/** Told after every round. */
	readonly onRound?: (round: Round) => void;
}

export interface Round {
	readonly number: number;
	readonly phases: readonly Phase[];
	readonly ms: number;
	readonly acknowledged: number;
}

export interface CrashReport extends Verdict {
	readonly rounds: number;
	readonly phases: Readonly<Record<Phase, number>>;
	/** Activities with a `$unique_key` that were sent once more, since no answer had come. */
	readonly sentAgain: number;
	/** Answers that are neither 200 nor a 503 with Retry-After, starts that failed, timelines without an activity. */
	readonly surprises: readonly string[];
	readonly seconds: number;
}

/** One data directory over all rounds: load, crash, start again; then everything is compared with the ledger. */
export async function crash(options: CrashOptions): Promise<CrashReport> {
	const disk = options.mode === 'power' ? Disk.make() : undefined;
	const home = mkdtempSync(join(tmpdir(), 'millrace-crash-'));
	const dataDir = join(disk?.directory ?? home, 'data');
	mkdirSync(dataDir);
	const run = new CrashRun(options, dataDir, new Ledger(join(home, 'ledger')), disk);
	try {
		return await run.all();
	} finally {
		await run.endService();
		disk?.remove();
		rmSync(home, {recursive: true, force: true, maxRetries: 10});
	}
}

const START_AGAIN_MS = 15_000;
const ENVIRONMENT = {PLUGIN_WORKER_ALLOWED_NETWORKS: '127.0.0.0/8'};
const TOKEN_MS = 40 * 60_000;
/** At most this long a round loads. A power cut takes what was not synced, so there must be something confirmed. */
const LOAD_MS: Readonly<Record<Mode, number>> = {kill: 900, files: 900, power: 3000};

class CrashRun {
	readonly #options: CrashOptions;
	readonly #dataDir: string;
	readonly #ledger: Ledger;
	readonly #disk: Disk | undefined;
	readonly #random: Random;
	readonly #surprises: string[] = [];
	readonly #unanswered: number[][] = [];
	readonly #phases: Record<Phase, number> = {
		starting: 0,
		accepting: 0,
		journaling: 0,
		analysing: 0,
		draining: 0,
		merging: 0,
	};
	#rounds = 0;
	#sentAgain = 0;
	#service: ServiceProcess | undefined;
	#login: {token: string; at: number; datamart: string} | undefined;
	#analyzer: {worker: AnalyzerWorker; channelId: string} | undefined;

	constructor(options: CrashOptions, dataDir: string, ledger: Ledger, disk: Disk | undefined) {
		this.#options = options;
		this.#dataDir = dataDir;
		this.#ledger = ledger;
		this.#disk = disk;
		this.#random = new Random(options.seed);
	}

	async all(): Promise<CrashReport> {
		const began = Date.now();
		const {rounds, mostMs = Number.POSITIVE_INFINITY} = this.#options;
		for (let number = 1; number <= rounds && Date.now() - began < mostMs; number++) {
			this.#rounds = number;
			const roundBegan = Date.now();
			const phases = await this.#round(number);
			for (const phase of phases) this.#phases[phase] += 1;
			const ms = Date.now() - roundBegan;
			this.#options.onRound?.({number, phases, ms, acknowledged: this.#ledger.acknowledgedCount});
		}
		return {...(await this.#check()), seconds: (Date.now() - began) / 1000};
	}

	async endService(): Promise<void> {
		await this.#service?.kill('SIGKILL');
		await this.#analyzer?.worker.close();
	}

	async #round(number: number): Promise<Phase[]> {
		// The first start makes everything there is: it is left alone.
		if (number > 1 && this.#random.chance(0.2)) return this.#crashWhileStarting();
		const client = await this.#start();
		const load = new Load({
			client,
			datamart: this.#login!.datamart,
			analysedChannel: await this.#channelWithAnalyzer(client),
			ledger: this.#ledger,
			seed: this.#options.seed,
			random: this.#random,
			// A key is remembered once its activity is on disk; here the cut takes such activities all the same.
			unanswered: this.#options.mode === 'files' ? [] : this.#unanswered,
			onUnexpected: what => this.#surprises.push(`round ${number}: ${what}`),
		});
		await delay(this.#random.between(20, LOAD_MS[this.#options.mode]));
		const aim = this.#random.next();
		if (aim < 0.4) await this.#untilDraining();
		else if (aim < 0.7) await this.#untilWritten();
		load.expectEnd();
		const inFlight = load.inFlight;
		await this.#crash();
		await load.end();
		this.#sentAgain += load.sentAgain;
		const phases = await phasesHit(this.#dataDir, this.#ledger, inFlight);
		if (this.#options.mode === 'files') await this.#cutFiles();
		return phases;
	}

	/** From nothing: what a first start wrote has to hold as well. */
	#spawn({untilReady = true} = {}): Promise<ServiceProcess> {
		return startServiceProcess(this.#dataDir, ENVIRONMENT, {untilReady, prepared: false});
	}

	async #crashWhileStarting(): Promise<Phase[]> {
		this.#service = await this.#spawn({untilReady: false});
		await delay(this.#random.between(300, 2500));
		const ready = await fetch(`${this.#service.url}/health/ready`).catch(() => undefined);
		await this.#crash();
		return ready?.status === 200 ? [] : ['starting'];
	}

	/** Starts the service and logs in; a token is used for most of its hour, over crashes. */
	async #start(): Promise<Client> {
		const service = await this.#spawn().catch(error => {
			// Told of in the end, and tried once more: what was accepted so far is to be judged all the same.
			this.#surprises.push(
				`round ${this.#rounds}: a start failed: ${(error as Error).message.slice(0, 300)}`,
			);
			return delay(START_AGAIN_MS).then(() => this.#spawn());
		});
		this.#service = service;
		const {url} = service;
		if (!this.#login || Date.now() - this.#login.at > TOKEN_MS) {
			const token = await login(url);
			const {workspaces} = (await clientOf(url, token).get('/v1/connected_user')).body.data;
			this.#login = {token, at: Date.now(), datamart: `/v1/datamarts/${workspaces[0].datamarts[0].id}`};
		}
		return clientOf(url, this.#login.token);
	}

	/** A channel whose plugin worker lives here, through all crashes: some of what it is asked is answered late. */
	async #channelWithAnalyzer(client: Client): Promise<string> {
		if (this.#analyzer) return this.#analyzer.channelId;
		let calls = 0;
		const worker = await startAnalyzerWorker((request, response) => {
			calls += 1;
			setTimeout(() => unchanged(request, response), (calls % 5) * 20);
		});
		const {workspaces} = (await client.get('/v1/connected_user')).body.data;
		const channel = {name: 'analysed', type: 'SITE'};
		const {body} = await client.post(`${this.#login!.datamart}/channels`, channel);
		const channelId = String(body.data.id);
		this.#analyzer = {worker, channelId};
		const {organisation_id: organisationId} = workspaces[0];
		await linkAnalyzer(client, {organisationId, channelId, url: worker.url});
		return channelId;
	}

	/** Until a batch is under way, and then somewhere into it. */
	async #untilDraining(): Promise<void> {
		const journal = join(this.#dataDir, 'journal');
		for (const until = Date.now() + 400; Date.now() < until; await delay(1)) {
			if ((await checkpointOf(journal)).inDoubt) return void (await delay(this.#random.between(0, 60)));
		}
	}

	/** Until the journal has just grown: its sync, or the answer, is under way. */
	async #untilWritten(): Promise<void> {
		const file = await newestSegmentFile(this.#dataDir);
		const before = statSync(file).size;
		for (const until = Date.now() + 200; Date.now() < until && statSync(file).size === before; ) {
			await new Promise(resolve => setImmediate(resolve));
		}
	}

	/** Ends the main process, and every other time its engine with it; otherwise that one ends by itself. */
	async #crash(): Promise<void> {
		const service = this.#service!;
		const children = childrenOf(service.child.pid!);
		await this.#disk?.cutUnder([service.child.pid!, ...children]);
		service.child.kill('SIGKILL');
		if (this.#disk || this.#random.chance(0.5)) for (const child of children) killIfThere(child);
		await service.ended;
		if (this.#disk || this.#options.mode === 'files') await untilGone(children);
		await this.#disk?.restore();
	}

	/** The strictest power cut that breaks no promise: all behind the last answer goes, or is torn. */
	async #cutFiles(): Promise<void> {
		const {file, offset, length} = await leastDurable(this.#dataDir, this.#ledger);
		truncateSync(file, this.#random.chance(0.5) ? offset : this.#random.between(offset, length));
		dropTokens(join(this.#dataDir, 'clickhouse'));
	}

	async #check(): Promise<Omit<CrashReport, 'seconds'>> {
		const client = await this.#start();
		const {datamart} = this.#login!;
		await analysedAll(this.#service!.url);
		await drainAll(client, datamart);
		const counted = await peopleCounted(client, datamart);
		const missing = await missingFromTimelines(client, datamart, {
			ledger: this.#ledger,
			seed: this.#options.seed,
			random: this.#random,
			samples: 60,
		});
		if (missing.length > 0) this.#surprises.push(`timelines do not show ${missing.join(', ')} once`);
		const ended = await this.#service!.kill('SIGTERM');
		if (ended !== 0) this.#surprises.push(`the service, asked to end, ended with ${ended}`);
		const datamartId = Number(datamart.split('/').at(-1));
		const {userPoints, ...verdict} = await inspect(this.#dataDir, {
			datamartId,
			seed: this.#options.seed,
			ledger: this.#ledger,
		});
		if (counted !== userPoints)
			this.#surprises.push(`the funnel counts ${counted} people of ${userPoints} user points`);
		return {
			...verdict,
			rounds: this.#rounds,
			phases: this.#phases,
			sentAgain: this.#sentAgain,
			surprises: this.#surprises,
		};
	}
}
