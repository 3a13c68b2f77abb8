import {Picture} from '../../lib/picture.ts';
import type {ErrorRecoveryStrategy} from '../instances/instances.ts';
import type {PluginWorker} from '../workers/workers.ts';

/** One analyzer of a channel's chain. Plain data: threads take it. */
export interface AnalyzerLink {
	readonly analyzerId: number;
	/** Of the analyzer, not of its plugin. */
	readonly organisationId: number;
	readonly pluginId: number;
	readonly pluginVersionId: number;
	readonly errorRecoveryStrategy: ErrorRecoveryStrategy;
	/** Undefined while nobody has said where the version's plugin worker is: the analyzer fails. */
	readonly worker: PluginWorker | undefined;
}

/** Channel id -> its analyzers in the order they run. */
export type AnalyzerChains = ReadonlyMap<number, readonly AnalyzerLink[]>;

/** What the hot path asks, of memory alone. */
export interface AnalyzerView {
	/** Empty for a channel without analyzers, and for an id that is no channel. */
	linksOf(channelId: number): readonly AnalyzerLink[];
}

const NONE: readonly AnalyzerLink[] = [];

/**
 * All chains, following PostgreSQL: loaded at start, after a local write (`refresh`) and when the `analyzers` revision
 * moved. A failed load keeps the last ones (ADR 0005).
 */
export class AnalyzerLinks implements AnalyzerView {
	readonly #picture: Picture<AnalyzerChains>;
	readonly #listeners = new Set<(chains: AnalyzerChains) => void>();

	private constructor(picture: Picture<AnalyzerChains>) {
		this.#picture = picture;
	}

	static async open(load: () => Promise<AnalyzerChains>): Promise<AnalyzerLinks> {
		return new AnalyzerLinks(await Picture.open(load));
	}

	linksOf(channelId: number): readonly AnalyzerLink[] {
		return this.#picture.current.get(channelId) ?? NONE;
	}

	/** The whole picture: to hand to a thread. */
	all(): AnalyzerChains {
		return this.#picture.current;
	}

	/** Called with each new picture; answers how to stop. */
	onChange(listener: (chains: AnalyzerChains) => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	/** Resolves once a load that began after this call is in place; callers in between share one. */
	async refresh(): Promise<void> {
		await this.#picture.refresh();
		for (const listener of this.#listeners) listener(this.#picture.current);
	}
}
