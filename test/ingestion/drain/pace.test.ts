import test from 'ava';
import {paceMs} from '../../../src/ingestion/drain/drain.ts';

test('batches that cost little follow each other closely, costly ones gather more, and nobody waits long', t => {
	t.deepEqual(
		[5, 30, 60, 80, 100, 200, 480].map(tookMs => paceMs(tookMs)),
		[150, 150, 240, 320, 350, 350, 350],
	);
	t.is(paceMs(2_000), 350, 'a batch that took longer is followed by the next at once');
});
