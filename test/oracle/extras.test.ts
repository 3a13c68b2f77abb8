import test from 'ava';
import {ask, chainOf, counts, eventIs, on, step, visit} from './story.ts';

const nine = on(5, '09:00');
const ten = on(5, '10:00');
const eleven = on(5, '11:00');

test('an exclusion after a step forbids such rows strictly between it and the next', t => {
	const answer = (...names: string[]) =>
		counts(
			ask(
				[
					visit(
						'ann',
						names.map((name, i) => [name, nine + i] as const),
					),
				],
				{
					for: [step('view'), step('basket'), step('buy')],
					exclusions: [{after_step: 2, filter_clause: eventIs('clear')}],
				},
			),
		);

	t.deepEqual(answer('view', 'basket', 'buy'), [1, 1, 1]);
	t.deepEqual(answer('view', 'basket', 'clear', 'buy'), [1, 1, 0]);
	t.deepEqual(answer('view', 'clear', 'basket', 'buy'), [1, 1, 1]);
	t.deepEqual(answer('view', 'basket', 'clear', 'basket', 'buy'), [1, 1, 1]);
});

test('between rows of one millisecond the order still tells what lies between', t => {
	const same = (...names: string[]) =>
		counts(
			ask(
				[
					visit(
						'ann',
						names.map(name => [name, nine] as const),
					),
				],
				{
					for: [step('view'), step('buy')],
					exclusions: [{after_step: 1, filter_clause: eventIs('clear')}],
				},
			),
		);

	t.deepEqual(same('view', 'clear', 'buy'), [1, 0]);
	t.deepEqual(same('clear', 'view', 'buy'), [1, 1]);
	t.deepEqual(same('view', 'buy', 'clear'), [1, 1]);
});

test('a row may be excluded and end the pair itself', t => {
	const answer = ask(
		[
			visit('ann', [
				['view', nine],
				['view', ten],
				['buy', eleven],
			]),
		],
		{for: [step('view'), step('buy')], exclusions: [{after_step: 1, filter_clause: eventIs('view')}]},
	);

	// The first view has another between it and the purchase.
	t.deepEqual(chainOf(answer), [ten, eleven]);
});

test('a held dimension wants one value on all rows of the chain, any of a row with several', t => {
	const answer = (...products: string[][]) =>
		counts(
			ask(
				[
					visit(
						'ann',
						products.map((ids, i) => [`e${i}`, nine + i, {$items: ids.map($id => ({$id}))}] as const),
					),
				],
				{for: products.map((_, i) => step(`e${i}`)), holding_dimension: 'product_id'},
			),
		);

	t.deepEqual(answer(['a'], ['a']), [1, 1]);
	t.deepEqual(answer(['a'], ['b']), [1, 0]);
	t.deepEqual(answer(['a', 'b'], ['b', 'c'], ['c']), [1, 1, 0]);
	t.deepEqual(answer(['a', 'b'], ['b', 'a'], ['x', 'b']), [1, 1, 1]);
	t.deepEqual(answer([], ['b']), [0, 0]);
});

test('over the values of a held dimension the deepest chain is reported, of those the one that ends first', t => {
	const brand = (name: string) => ({$brand: name});
	const history = [
		visit('ann', [
			['view', nine, brand('slow')],
			['view', nine + 1, brand('quick')],
			['view', nine + 2, brand('never')],
			['buy', ten, brand('quick')],
			['buy', eleven, brand('slow')],
		]),
	];

	t.deepEqual(chainOf(ask(history, {for: [step('view'), step('buy')], holding_dimension: 'BRAND'})), [
		nine + 1,
		ten,
	]);
	t.deepEqual(
		chainOf(ask(history, {for: [step('view'), step('buy'), step('z')], holding_dimension: 'BRAND'})),
		[nine + 1, ten],
	);
	t.deepEqual(chainOf(ask(history, {for: [step('view')], holding_dimension: 'BRAND'})), [nine]);
});
