import assert from 'node:assert/strict';
import test from 'node:test';
import { clipped, matching } from '../../Web/js/find.js';
import { crc32 } from '../../Web/js/dropped.js';
import { bytesInWords } from '../../Web/js/upload.js';
import { surplus } from '../../Web/js/surplus.js';
import { KIND } from '../../Web/js/wire.js';

const BOOKS = [
  { title: 'Ferns of Wet Places', author: 'Ilse Marow' },
  { title: 'Été', author: 'Jean Ferry' },
  { title: 'The Night Ferry', author: 'Ilse Marow' },
];
const titles = (words) => matching(BOOKS, words).map((book) => book.title);

test('capitals and accents make no difference to what is found', () => {
  assert.deepEqual(titles('ete'), ['Été']);
  assert.deepEqual(titles('FERNS'), ['Ferns of Wet Places']);
});

test('every word must be found, in the title or in the author', () => {
  assert.deepEqual(titles('marow ferry'), ['The Night Ferry']);
  assert.deepEqual(titles('marow whale'), []);
  assert.deepEqual(titles('  '), []);
});

test('titles that begin with the words come first', () => {
  assert.deepEqual(titles('fer'), ['Ferns of Wet Places', 'Été', 'The Night Ferry']);
});

test('a filter is cut between letters, not within one', () => {
  assert.equal(clipped('ferns'), 'ferns');
  const cut = clipped('é'.repeat(150));
  assert.equal(cut, 'é'.repeat(100));
  assert.equal(clipped(`a${'é'.repeat(150)}`), `a${'é'.repeat(99)}`);
});

test('bytes are said as people say them', () => {
  assert.equal(bytesInWords(12), '12 bytes');
  assert.equal(bytesInWords(1_234), '1.2 KB');
  assert.equal(bytesInWords(80_400_000), '80.4 MB');
  assert.equal(bytesInWords(480_400_000), '480 MB');
});

test('the checksum of an archive is the usual one', () => {
  assert.equal(crc32(new TextEncoder().encode('123456789')), 0xcbf43926);
  assert.equal(crc32(new Uint8Array()), 0);
});

test('of the hidden pages those far from the spread are too many, and none in sight', () => {
  const element = (kind, index, visible, seen = 0) => ({ content: { kind, index }, written: { visible }, seen });
  const pages = new Map(Array.from({ length: 60 }, (_, i) => [i, element(KIND.page, i, i === 59 || i === 10)]));
  const gone = surplus(pages, 10);
  assert.equal(gone.length, 58 - 28);
  assert.ok(gone.every((id) => Math.abs(id - 10) >= 14));
  assert.ok(!gone.includes(59) && !gone.includes(10));
});
