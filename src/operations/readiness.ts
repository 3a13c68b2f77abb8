/** Which parts of the service are up: what `GET /health/ready` tells. */
export class Readiness {
	readonly #parts = new Map<string, string>();
	#stopping = false;

	constructor(parts: readonly string[]) {
		for (const part of parts) this.#parts.set(part, 'starting');
	}

	up(part: string): void {
		this.#parts.set(part, 'up');
	}

	/** From now on nothing is accepted; a balancer is told before connections end. */
	stopping(): void {
		this.#stopping = true;
	}

	get ready(): boolean {
		return !this.#stopping && [...this.#parts.values()].every(state => state === 'up');
	}

	report(): {ready: boolean; stopping: boolean; parts: Record<string, string>} {
		return {ready: this.ready, stopping: this.#stopping, parts: Object.fromEntries(this.#parts)};
	}
}
