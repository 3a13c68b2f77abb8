/** A refusal in ClickHouse's own words: numeric code, type word, text; the client cannot tell it from a server's. */
export class EngineError extends Error {
	readonly code: number;
	readonly type: string;

	constructor(code: number, type: string, message: string) {
		super(message);
		this.name = 'EngineError';
		this.code = code;
		this.type = type;
	}

	/** As the engine words it on the wire. */
	get wireText(): string {
		return `Code: ${this.code}. DB::Exception: ${this.message}. (${this.type})`;
	}
}

/** What chdb threw: its text begins `Code: 60. DB::Exception: ...` and ends `(UNKNOWN_TABLE)`. */
export function asEngineError(thrown: unknown): EngineError {
	if (thrown instanceof EngineError) return thrown;
	const text = thrown instanceof Error ? thrown.message : String(thrown);
	const code = Number(/^Code: (\d+)/.exec(text)?.[1] ?? 1002);
	const type = [...text.matchAll(/\(([A-Z][A-Z0-9_]{2,})\)/g)].at(-1)?.[1] ?? 'UNKNOWN_EXCEPTION';
	const message = text
		.replace(/^(?:Code: \d+\. DB::Exception: )+/, '')
		.replace(/(?:\. ?)?\([A-Z0-9_]{3,}\)\s*$/, '');
	return new EngineError(code, type, message);
}
