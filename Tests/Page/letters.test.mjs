import assert from 'node:assert/strict';
import test from 'node:test';
import { initialOf, lettersOf, nextWith, shelfWith } from '../../Web/js/letters.js';
import { ORDER } from '../../Web/js/session/wire.js';

test('a title is found under its first letter, without its accent, and numbers are together', () => {
  const titles = ['Été', '«Łódź»', '7 Samurai', 'the end', '千と千尋', '…', ''];
  assert.deepEqual(titles.map(initialOf), ['E', 'L', '#', 'T', '千', '', '']);
});

test('a shelf in alphabetical order has the first title of each letter', () => {
  const titles = ['1984', 'Apes', 'Ants', 'Birds', 'Été', 'Eels', 'Fish'];
  assert.deepEqual(lettersOf(titles), [
    { letter: '#', index: 0 }, { letter: 'A', index: 1 }, { letter: 'B', index: 3 }, { letter: 'E', index: 4 },
    { letter: 'F', index: 6 },
  ]);
});

test('a shelf in another order, of one letter or of a letter for each title has none', () => {
  assert.deepEqual(lettersOf(['B', 'A', 'C', 'B', 'D', 'A', 'E', 'C']), []);
  assert.deepEqual(lettersOf(Array.from({ length: 99 }, (_, n) => `Comic ${n}`)), []);
  assert.deepEqual(lettersOf(Array.from({ length: 99 }, (_, n) => String.fromCodePoint(0x4e00 + n))), []);
});

test('a letter key leads to the next title with it, and begins again after the last', () => {
  const titles = ['Apes', 'Ants', 'Birds', 'Añil'];
  assert.deepEqual([0, 1, 3].map((after) => nextWith(titles, 'A', after)), [1, 3, 0]);
  assert.equal(nextWith(titles, 'X', 0), -1);
  assert.equal(nextWith([], 'A', 0), -1);
});

test('the order of a shelf is the server\'s: as shelved or by title and author, and with the filter', () => {
  const book = (id, title, author = '', collection = 's') => ({ id, title, author, collection });
  const books = [book('1', 'birds'), book('2', 'Apes', 'Z'), book('3', 'Other', '', 't'), book('4', 'Apes', 'B')];
  const here = { book: '1', order: ORDER.shelved, filter: '' };
  const ids = (about) => shelfWith(books, { ...here, ...about }).map(({ id }) => id);
  assert.deepEqual(ids({}), ['1', '2', '4']);
  assert.deepEqual(ids({ order: ORDER.title }), ['4', '2', '1']);
  assert.deepEqual(ids({ filter: 'apes' }), ['2', '4']);
  assert.deepEqual(ids({ order: ORDER.lastRead }), []);
  assert.deepEqual(ids({ book: 'x' }), []);
});
