export type {ClientOptions, Retry} from './calls.ts';
export {type ErrorCode, type Fault, MillraceError, RefusedError, UnreachableError} from './errors.ts';
export type {Api, ErrorAnswer} from './interface.generated.ts';
export {MillraceClient, type SendOptions, type Sent} from './millrace-client.ts';
export type {RecordError, RecordResult} from './records.ts';
export {type SignedCall, type SigningKey, signatureHeaders} from './signature.ts';
export type {
	Activity,
	AnswerOf,
	CallOptions,
	DataOf,
	ItemOf,
	ListPath,
	OptionsOf,
	PathOf,
	Raw,
	UserPoint,
	UserPointsQuestion,
} from './typed.ts';
