import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import { sentence } from '../../Web/js/notices.js';
import { WORDS as GERMAN } from '../../Web/js/words/de/notices.js';
import { WORDS as ENGLISH } from '../../Web/js/words/notices.js';
import { WORDS as TOGETHER } from '../../Web/js/words/together.js';

const source = readFileSync(new URL('../../Sources/Notices/Notice+Sentences.swift', import.meta.url), 'utf8');

/** The codes of the server, with its sentences; those that only pages say have none. */
const [, table] = /enum Code[^{]*\{([\s\S]*?)\n  \}/.exec(source);
const served = Object.fromEntries(table.replace(/\/\/.*/g, '').split(/\n    case /).slice(1).flatMap((one) => {
  const [, code, text] = /^(\w+) =\s*([^]*)$/.exec(one) ?? [];
  if (code === undefined) return one.trim().split(/,\s*/).map((name) => [name, undefined]);
  const line = text.trim().replace(/^"+\n?|\n? *"+$/g, '').replace(/ \\\n/g, ' ').replace(/ {2,}/g, ' ').trim();
  return [[code, line.replaceAll('\\u{2019}', '’')]];
}));

const { news: NEWS } = TOGETHER;
const { words: terms, ...sentences } = ENGLISH;
const { words: begriffe, ...saetze } = GERMAN;

test('each code of the server has its sentence in both languages, with the same values', () => {
  assert.ok(Object.keys(served).length > 80);
  assert.deepEqual([...Object.keys(sentences), ...Object.keys(NEWS)].sort(), Object.keys(served).sort());
  for (const [code, text] of Object.entries(served)) if (text !== undefined) assert.equal(sentences[code], text, code);
  assert.deepEqual(Object.keys(saetze), Object.keys(sentences));
  const values = (text) => [...new Set(text.match(/\{[^}]*\}/g))].sort();
  for (const [code, text] of Object.entries(sentences)) {
    assert.deepEqual(values(saetze[code]), values(text), code);
    // A sentence that is one value has no words.
    if (!/^\{[^}]*\}$/.test(text)) assert.notEqual(saetze[code], text, code);
  }
});

test('each word of the server is in both languages', () => {
  const [, block] = /static let words = \[([\s\S]*?)\n  \]/.exec(source);
  const known = Object.fromEntries([...block.matchAll(/"(\w+)": "([^"]*)"/g)].map(([, name, text]) => [name, text]));
  const { bytes, ...others } = terms;
  assert.deepEqual(others, known);
  assert.deepEqual(Object.keys(begriffe), Object.keys(terms));
  assert.equal(bytes, 'bytes');
});

test('values are put into a sentence: names, numbers, sizes and words', () => {
  for (const [code, values, text] of [
    ['pageTooLarge', { page: '12' }, 'Page 12 is too large to show. The rest of the book can be read.'],
    ['tooManyPages', { count: '12000', limit: '5000' }, 'This book has 12,000 pages; the limit is 5,000. Split it.'],
    ['fileTooLarge', { bytes: `${1.5 * 2 ** 30}`, limit: `${2 ** 30}` },
      'This file is larger than 1 GiB: it has 1.5 GiB. Split it.'],
    ['uploadTooLarge', { limit: '900' }, 'This file is larger than 900 bytes.'],
    ['documentDamaged', { format: 'zip' },
      'This ZIP archive is damaged and could not be opened. Try another copy of the file.'],
    ['fileUnreadable', { name: 'a.pdf', reason: 'permission denied' },
      'The file a.pdf cannot be read: permission denied. Check that it is there.'],
    ['tooManyPages', { count: 'many', limit: '9' }, 'This book has many pages; the limit is 9. Split it.'],
    ['imageDamaged', { name: '$& {name} <b>' }, 'Image $& {name} <b> is damaged and cannot be shown. Save it again.'],
  ]) assert.equal(sentence({ code, values }), text);
});

test('what is no message of the server, or of a later one, has no sentence', () => {
  for (const notice of [undefined, null, 7, 'bookGone', {}, { code: 'words' }, { code: 'toString' }, { code: 7 }]) {
    assert.equal(sentence(notice), '');
  }
  assert.equal(sentence({ code: 'pageTooLarge', values: { page: {} } }),
    'Page  is too large to show. The rest of the book can be read.');
  assert.ok(sentence({ code: 'other', values: { reason: 'x'.repeat(9000) } }).length <= 600);
});
