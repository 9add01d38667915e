import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';

import { languageOf, locale } from '../../Web/js/language.js';

const words = new URL('../../Web/js/words/', import.meta.url);
const names = readdirSync(words).filter((name) => name.endsWith('.js'));
const tableOf = async (path) => (await import(new URL(path, words))).WORDS;

/** Names, numbers and words that are the same in both languages. */
const SAME = new Set([
  'Lectern', 'Zoom', 'PDF', 'Code', 'Link', 'Laptop', 'Tablet', 'Sepia', 'Vibration', 'Aa', '·', 'Garamond', 'English',
  'OpenDyslexic',
  'Deutsch', '100 %', '125 %', '150 %', '', 'EPUB', '{reason}',
]);
/** Functions that only join their values. */
const JOINS = new Set([
  'book.inChapter', 'book.finder.inBook', 'demo.windowTitle', 'session.notice', 'together.people.more',
  'together.facts.all', 'together.strip.ribbon', 'together.share.code',
]);

/** Functions that take a list. */
const LISTS = /\.(people\.(all|raised)|facts\.all|share\.code)$/;

const kindOf = (entry) => (Array.isArray(entry) ? 'list' : typeof entry);
const isTable = (entry) => kindOf(entry) === 'object' && !('name' in entry && Object.keys(entry).length === 1);

/** All entries of a table as [path, entry], those of inner tables included. */
function entriesOf(table, path) {
  return Object.entries(table).flatMap(([key, entry]) =>
    (isTable(entry) ? entriesOf(entry, `${path}.${key}`) : [[`${path}.${key}`, entry]]));
}

/** What an entry says, with values that stand for any. */
const said = (entry) => JSON.stringify(kindOf(entry) === 'function'
  ? entry(...Array.from({ length: entry.length }, (_, n) => [7, 8, 9][n])) : entry);
function saidOf(path, entry) {
  // These take lists.
  if (LISTS.test(path)) return JSON.stringify(entry(['7', '8']));
  return said(entry);
}

test('each table has a German one', () => {
  assert.deepEqual(readdirSync(new URL('de/', words)).sort(), names.sort());
});

for (const file of names) {
  const name = file.slice(0, -3);
  test(`German for ${name}: the same entries of the same kinds, in other words`, async () => {
    const english = entriesOf(await tableOf(file), name);
    const german = entriesOf(await tableOf(`de/${file}`), name);
    const shape = ([path, entry]) => `${path}: ${kindOf(entry)} ${entry.length * (kindOf(entry) === 'function')}`;
    assert.deepEqual(german.map(shape), english.map(shape));
    for (const [n, [path, entry]] of english.entries()) {
      const translation = german[n][1];
      if (kindOf(entry) === 'list') assert.ok(translation.length > 0, path);
      if (SAME.has(entry) || JOINS.has(path)) assert.equal(saidOf(path, translation), saidOf(path, entry), path);
      else assert.notEqual(saidOf(path, translation), saidOf(path, entry), path);
    }
  });
}

test('German sentences have the values of the English ones', async () => {
  for (const file of names) {
    const german = new Map(entriesOf(await tableOf(`de/${file}`), ''));
    for (const [path, entry] of entriesOf(await tableOf(file), '')) {
      if (kindOf(entry) !== 'function' || LISTS.test(path) || /\.readers$/.test(path)) continue;
      const values = [7, 8, 9].slice(0, entry.length);
      for (const value of values) {
        const has = (one) => said(one).includes(String(value));
        assert.equal(has(german.get(path)), has(entry), `${path}: ${value}`);
      }
    }
  }
});

test('German texts have German quotation marks, dashes and apostrophes', async () => {
  for (const file of readdirSync(new URL('de/', words))) {
    const german = readFileSync(new URL(`de/${file}`, words), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
    assert.doesNotMatch(german, /”|—|\bdass nicht\b/, file);
    for (const [quoted] of german.matchAll(/„[^“\n]*/g)) assert.ok(german.includes(`${quoted}“`), `${file}: ${quoted}`);
  }
});

test('without a choice the language is the first of English and German that the browser asks for', () => {
  const had = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
  const asks = (...languages) => Object.defineProperty(globalThis, 'navigator', {
    value: { languages }, configurable: true,
  });
  try {
    for (const [tags, wanted] of [
      [['de-CH', 'en'], 'de'], [['en-GB', 'de'], 'en'], [['fr', 'de'], 'de'], [['fr', 'nl'], 'en'], [[], 'en'],
      [['den', 'en'], 'en'], [['el-DE'], 'en'],
    ]) {
      asks(...tags);
      assert.equal(languageOf(), wanted, tags.join());
      for (const choice of ['en', 'de']) assert.equal(languageOf(choice), choice);
      for (const choice of ['system', '<b>', {}, null, 7]) assert.equal(languageOf(choice), wanted);
    }
    asks('fr', 'en-GB', 'en');
    assert.equal(locale(), 'en-GB');
    asks('de');
    assert.equal(locale(), 'en');
  } finally {
    delete globalThis.navigator;
    if (had) Object.defineProperty(globalThis, 'navigator', had);
  }
});
