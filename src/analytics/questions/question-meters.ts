/** How a question ended: the engine answered, somebody else's attempt did, a kept answer or live list did, or an error's code. */
export type Outcome = 'answered' | 'shared' | 'cached' | 'live' | (string & {});

/** What is counted of questions; whoever shows it implements this. */
export interface QuestionMeters {
	/** Statements by name; the time in ms, with the wait for a slot. */
	asked(name: string, outcome: Outcome, ms: number): void;
}

/** For where nobody looks. */
export const NO_METERS: QuestionMeters = {asked: () => undefined};
