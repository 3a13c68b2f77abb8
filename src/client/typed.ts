import type {Api} from './interface.generated.ts';

type Key = keyof Api;

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The paths that are served for a method, as the document writes them: `/v1/datamarts/{datamartId}/channels`. */
export type PathOf<M extends Method> = Key extends infer K
	? K extends `${M} ${infer P}`
		? P
		: never
	: never;

type Operation<M extends Method, P extends string> = Api[Extract<Key, `${M} ${P}`>];

type Part<O, Name extends string> = Name extends keyof O ? O[Name] : never;

/** What a call sends as its body, beside what is sent as JSON. */
export interface Raw<Type extends string = string> {
	readonly content: string | Uint8Array<ArrayBuffer> | Blob;
	readonly type: Type;
}

export interface CallOptions {
	/** Ends the call, and any waiting for another attempt. */
	readonly signal?: AbortSignal | undefined;
	/** Of this call alone; `Idempotency-Key` among them is kept over all its attempts. */
	readonly headers?: Readonly<Record<string, string>>;
	/** Whether it does no harm when it arrives twice; known of most (`repeatable.ts`). */
	readonly repeatable?: boolean;
	readonly timeoutMs?: number;
}

type PathPart<O> = O extends {path: infer Path} ? {readonly path: Path} : unknown;
type QueryPart<O> = O extends {query: infer Query}
	? {readonly query: Query}
	: O extends {query?: infer Query}
		? {readonly query?: Query}
		: unknown;

/** A typed `body`; or `raw`: JSON that is text already, bytes, or another content type the route takes. */
type BodyPart<O> = O extends {body: infer Body}
	? {readonly body: Body} | {readonly raw: Raw<'application/json' | Extract<Part<O, 'raw'>, string>>}
	: O extends {raw: infer Type extends string}
		? {readonly raw: Raw<Type>}
		: unknown;

export type OptionsOf<M extends Method, P extends string> = CallOptions &
	PathPart<Operation<M, P>> &
	QueryPart<Operation<M, P>> &
	BodyPart<Operation<M, P>>;

/** The options may be left out where nothing in them is needed. */
export type Arguments<Options> = object extends Options ? [options?: Options] : [options: Options];

/** The whole envelope. */
export type AnswerOf<M extends Method, P extends string> = Part<Operation<M, P>, 'answer'>;

export type DataOf<M extends Method, P extends string> =
	AnswerOf<M, P> extends {data: infer Data} ? Data : undefined;

/** Those that answer bytes, or may. */
export type BytesPath = Key extends infer K
	? K extends `GET ${infer P}`
		? K extends Key
			? Api[K] extends {bytes: true}
				? P
				: never
			: never
		: never
	: never;

/** Lists that are read page by page. */
export type ListPath = Key extends infer K
	? K extends `GET ${infer P}`
		? K extends Key
			? Api[K] extends {answer: {data: readonly unknown[]; total: number}}
				? P
				: never
			: never
		: never
	: never;

export type ItemOf<P extends ListPath> = DataOf<'GET', P> extends readonly (infer Item)[] ? Item : never;

const ACTIVITIES = 'POST /v1/datamarts/{datamartId}/user_activities';
const USER_POINTS = 'POST /v1/datamarts/{datamartId}/user_analytics_funnel/user_points';

/** A user activity as it is sent. */
export type Activity = Extract<Api[typeof ACTIVITIES]['body'], {$type: string}>;

/** A funnel, and which of its user points are asked for. */
export type UserPointsQuestion = Omit<
	Api[typeof USER_POINTS]['body'],
	'cursor' | 'first_result' | 'max_results'
>;
export type UserPoint = Api[typeof USER_POINTS]['answer']['data'][number];
