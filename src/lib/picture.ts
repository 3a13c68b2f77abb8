/**
 * A picture of what is kept elsewhere, in memory: loaded once, and again by `refresh`. A failed load keeps the last
 * one, so that whoever asks outlives the place it came from.
 */
export class Picture<Content> {
	readonly #load: () => Promise<Content>;
	#current: Content;
	/** The last load asked for; never rejects. */
	#tail: Promise<void> = Promise.resolve();
	/** A load that has not begun yet: whoever asks meanwhile shares it. */
	#next: Promise<void> | undefined;

	private constructor(load: () => Promise<Content>, current: Content) {
		this.#load = load;
		this.#current = current;
	}

	static async open<Content>(load: () => Promise<Content>): Promise<Picture<Content>> {
		return new Picture(load, await load());
	}

	get current(): Content {
		return this.#current;
	}

	/** Resolves once a load that began after this call is in place; callers in between share one. */
	refresh(): Promise<void> {
		if (this.#next) return this.#next;
		const next = this.#tail.then(async () => {
			this.#next = undefined;
			this.#current = await this.#load();
		});
		this.#next = next;
		this.#tail = next.catch(() => {});
		return next;
	}
}
