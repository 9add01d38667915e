import assert from 'node:assert/strict';
import test from 'node:test';
import { clipped, matching } from '../../Web/js/find.js';
import { crc32 } from '../../Web/js/dropped.js';
import { bytes } from '../../Web/js/words/library.js';

const BOOKS = [
  { title: 'Ferns of Wet Places', author: 'Ilse Marow' },
  { title: 'Été', author: 'Jean Ferry' },
  { title: 'The Night Ferry', author: 'Ilse Marow' },
];
const titles = (words) => matching(BOOKS, words).map((book) => book.title);

test('a search ignores case and accents', () => {
  assert.deepEqual(titles('ete'), ['Été']);
  assert.deepEqual(titles('FERNS'), ['Ferns of Wet Places']);
});

test('a search reads letters with strokes as the library does', () => {
  const found = matching([{ title: 'Øre und Straße', author: 'Łukasz' }], 'ore strasse lukasz');
  assert.equal(found.length, 1);
});

test('the title or the author must contain every word', () => {
  assert.deepEqual(titles('marow ferry'), ['The Night Ferry']);
  assert.deepEqual(titles('marow whale'), []);
  assert.deepEqual(titles('  '), []);
});

test('titles that begin with the words come first', () => {
  assert.deepEqual(titles('fer'), ['Ferns of Wet Places', 'Été', 'The Night Ferry']);
});

test('a filter is cut between characters, not within one', () => {
  assert.equal(clipped('ferns'), 'ferns');
  const cut = clipped('é'.repeat(150));
  assert.equal(cut, 'é'.repeat(100));
  assert.equal(clipped(`a${'é'.repeat(150)}`), `a${'é'.repeat(99)}`);
});

test('a number of bytes has a readable unit', () => {
  assert.equal(bytes(12), '12 bytes');
  assert.equal(bytes(1_234), '1.2 KB');
  assert.equal(bytes(80_400_000), '80.4 MB');
  assert.equal(bytes(480_400_000), '480 MB');
});

test('the checksum of an archive is CRC-32', () => {
  assert.equal(crc32(new TextEncoder().encode('123456789')), 0xcbf43926);
  assert.equal(crc32(new Uint8Array()), 0);
});
