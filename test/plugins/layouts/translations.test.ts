import test from 'ava';
import type {DomainError} from '../../../src/errors.ts';
import {localeOf, parseTranslations, replaceTokens} from '../../../src/plugins/layouts/translations.ts';

const textsOf = (csv: string | Buffer) => Object.fromEntries(parseTranslations(Buffer.from(csv)));

function faultsOf(csv: string | Buffer): unknown {
	try {
		return textsOf(csv);
	} catch (error) {
		return (error as DomainError).faults.map(({pointer}) => pointer);
	}
}

test('a file is read with quotes, commas, newlines and a mark, whatever ends its lines', t => {
	const csv = 'KEY,VALUE\nA,one\nB,"two, three"\nC,"a ""quoted"" word"\nD,"first\nsecond"\n\nE,\nF , spaced ';
	const texts = {A: 'one', B: 'two, three', C: 'a "quoted" word', D: 'first\nsecond', E: '', F: ' spaced '};
	t.deepEqual(textsOf(csv), texts);
	t.deepEqual(textsOf(`\ufeff${csv}\n`), texts);
	t.deepEqual(textsOf(csv.replaceAll('\n', '\r\n')), {...texts, D: 'first\r\nsecond'});
	t.deepEqual(textsOf('"KEY","VALUE"\n"É","ü"'), {É: 'ü'});
	t.deepEqual(textsOf('KEY,VALUE'), {});
	t.deepEqual(textsOf('KEY,VALUE\nA,1\nA,1'), {A: '1'});
});

test('every faulty line is named, by the line it ends on', t => {
	t.deepEqual(faultsOf('KEY,VALUE\nA,one\nB\nC,"x\ny"\nD,a,b\n,text\nA,other'), [
		'line 3',
		'line 6',
		'line 7',
		'line 8',
	]);
	for (const csv of ['', 'A,one', 'key,value\nA,one', 'KEY;VALUE\nA;one', 'KEY,VALUE,MORE\n']) {
		t.deepEqual(faultsOf(csv), ['line 1'], csv);
	}
	t.deepEqual(faultsOf('KEY,VALUE\nA,"open\nB,x'), ['line 3']);
	t.deepEqual(faultsOf('KEY,VALUE\nA,x"y"'), ['line 2']);
	t.deepEqual(faultsOf(Buffer.from('KEY,VALUE\nA,\xe9', 'latin1')), ['']);
});

test('tokens are replaced in every text of a layout, alone or among words, and stay where none is known', t => {
	const texts = new Map([
		['TITLE', 'Titre'],
		['A', '{{TITLE}}'],
		['EMPTY', ''],
	]);
	const layout = {
		title: '{{TITLE}}',
		'{{TITLE}}': ['{{ TITLE }}: {{TITLE}}', {deep: ['{{OTHER}}', '{{EMPTY}}', '{{A}}', '{{}}', '{TITLE}']}],
		number: 7,
		nothing: null,
		flag: true,
	};
	t.deepEqual(replaceTokens(layout, texts), {
		title: 'Titre',
		'{{TITLE}}': ['Titre: Titre', {deep: ['{{OTHER}}', '', '{{TITLE}}', '{{}}', '{TITLE}']}],
		number: 7,
		nothing: null,
		flag: true,
	});
	const odd = JSON.parse('{"__proto__": "{{TITLE}}", "$&": "$& {{TITLE}}"}');
	t.is(JSON.stringify(replaceTokens(odd, texts)), '{"__proto__":"Titre","$&":"$& Titre"}');
	t.is(replaceTokens('{{X}}', new Map([['X', '$& $1']])), '$& $1');
});

test('a layout nested beyond all reason is refused, not followed', t => {
	const deep = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`);
	t.throws(() => replaceTokens(deep, new Map()), {message: /64 levels/});
});

test('texts that would blow a layout up are refused before they fill the memory', t => {
	const texts = new Map([['A', 'a'.repeat(1_000_000)]]);
	t.is((replaceTokens({title: '{{A}}{{A}}'}, texts) as {title: string}).title.length, 2_000_000);
	const many = Array.from({length: 100}, () => '{{A}}'.repeat(1_000));
	t.throws(() => replaceTokens(many, texts), {code: 'field_invalid', message: /letters/});
});

test('a locale has one spelling', t => {
	t.is(localeOf('en_us'), 'en-US');
	t.is(localeOf('EN-us'), 'en-US');
	t.is(localeOf('fr'), 'fr');
	for (const bad of ['', 'english language', '../en', 'en--US', 'e']) t.is(localeOf(bad), undefined, bad);
});
