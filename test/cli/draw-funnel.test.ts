import test from 'ava';
import {drawFunnel, duration} from '../../src/cli/draw-funnel.ts';

const STEPS = [
	{name: 'Saw', count: 1500, interaction_duration: 0},
	{name: 'Bought', count: 375, interaction_duration: 93_784, conversion: 400, amount: 12_345.5},
];

test('bars are as long as the share of everybody, and each step tells its conversion, time and money', t => {
	const [everybody, saw, bought] = drawFunnel({total: 2000, steps: STEPS});
	t.is(everybody, `  Everybody  ${'█'.repeat(40)}  2,000`);
	t.is(saw, `  Saw        ${'█'.repeat(30).padEnd(40)}  1,500  75.0 % of all`);
	t.is(
		bought,
		`  Bought     ${'███████▌'.padEnd(40)}    375  25.0 % of the step before, after 1 d 2 h on average, 400 units, 12,345.50`,
	);
});

test('money is told of the last step alone', t => {
	const [, , basket] = drawFunnel({total: 2000, steps: [...STEPS, {...STEPS[1]!, name: 'Paid'}]});
	t.notRegex(basket!, /units/);
});

test('a funnel nobody entered is drawn without dividing by nobody', t => {
	const steps = STEPS.map(step => ({...step, count: 0, interaction_duration: 0, amount: 0}));
	t.deepEqual(
		drawFunnel({total: 0, steps}).map(line => line.trimEnd().replaceAll(/\s+/g, ' ')),
		[' Everybody 0', ' Saw 0 0.0 % of all', ' Bought 0 0.0 % of the step before'],
	);
});

test('a time is told in its two largest units', t => {
	t.deepEqual([0, 59, 61, 3600, 93_784, 864_000].map(duration), [
		'0 s',
		'59 s',
		'1 min 1 s',
		'1 h',
		'1 d 2 h',
		'10 d',
	]);
});
