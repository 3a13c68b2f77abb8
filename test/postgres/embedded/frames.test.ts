import test from 'ava';
import fc from 'fast-check';
import {
	FrameReader,
	SYNC_MESSAGE,
	simpleQuery,
	startupMessage,
	statusAfter,
} from '../../../src/postgres/embedded/frames.ts';

function message(type: string, body: string): Buffer {
	const bytes = Buffer.alloc(5 + body.length);
	bytes.write(type, 0);
	bytes.writeInt32BE(4 + body.length, 1);
	bytes.write(body, 5, 'latin1');
	return bytes;
}

test('however the bytes are cut on their way, the same batches arrive', t => {
	const extended = [message('P', 'select $1'), message('B', 'x'.repeat(300)), message('E', ''), SYNC_MESSAGE];
	const stream = Buffer.concat([
		startupMessage('u', 'd'),
		simpleQuery('select 1'),
		...extended,
		message('X', ''),
	]);
	const cuts = fc.array(fc.integer({min: 1, max: stream.length - 1}), {maxLength: 12});

	fc.assert(
		fc.property(cuts, positions => {
			const reader = new FrameReader();
			const edges = [0, ...positions.sort((a, b) => a - b), stream.length];
			const frames = edges.slice(1).flatMap((end, index) => reader.push(stream.subarray(edges[index], end)));
			t.deepEqual(
				frames.map(frame => (frame.kind === 'batch' ? frame.bytes.toString('latin1') : frame.kind)),
				[
					'startup',
					simpleQuery('select 1').toString('latin1'),
					Buffer.concat(extended).toString('latin1'),
					'end',
				],
			);
		}),
		{numRuns: 200},
	);
});

test('encryption is declined, an unknown protocol, a COPY and a nonsensical length are refused', t => {
	const ssl = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
	t.deepEqual(new FrameReader().push(ssl), [{kind: 'refuse_encryption'}]);
	t.throws(() => new FrameReader().push(Buffer.from([0, 0, 0, 8, 0, 2, 0, 0])), {
		message: /unknown protocol/,
	});

	const reader = new FrameReader();
	reader.push(startupMessage('u', 'd'));
	t.throws(() => reader.push(message('d', 'rows')), {message: /COPY/});

	const hostile = new FrameReader();
	hostile.push(startupMessage('u', 'd'));
	t.throws(() => hostile.push(Buffer.from([0x51, 0x7f, 0xff, 0xff, 0xff])), {message: /malformed/});
});

test('the transaction status is read from the end of an answer, and only where it is one', t => {
	const ready = (status: string) => Buffer.concat([message('C', 'BEGIN\0'), message('Z', status)]);
	t.is(statusAfter(ready('I')), 'I');
	t.is(statusAfter(ready('T')), 'T');
	t.is(statusAfter(ready('E')), 'E');
	t.is(statusAfter(message('1', '')), undefined);
	t.is(statusAfter(new Uint8Array()), undefined);
});
