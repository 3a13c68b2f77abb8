/** How a question ended: the engine answered, somebody else's attempt did, memory did, or an error's code. */
export type Outcome = 'answered' | 'shared' | 'cached' | (string & {});

/** What is counted of questions; whoever shows it implements this. */
export interface QuestionMeters {
	/** Statements by name; the time in ms, with the wait for a slot. */
	asked(name: string, outcome: Outcome, ms: number): void;
}

/** For where nobody looks. */
export const NO_METERS: QuestionMeters = {asked: () => undefined};
