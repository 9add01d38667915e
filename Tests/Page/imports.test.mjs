import assert from 'node:assert/strict';
import test from 'node:test';
import { importsOf } from '../../Web/js/imports.js';
import { WORDS } from '../../Web/js/words/library.js';

test('a library that imports says how many of its books are there', () => {
  assert.deepEqual(importsOf({ done: 812, total: 2000 }), { done: 812, total: 2000 });
  assert.equal(WORDS.importing(812, 2000), '812 of 2,000 books');
});

test('a library at rest, and an answer of another shape, say nothing', () => {
  for (const answer of [null, {}, [], 7, { done: 0, total: 0 }, { done: 9, total: 9 }, { done: '1', total: '2' },
    { done: -1, total: 2 }, { done: 1, total: Infinity }, { done: 0.5, total: 2 }]) {
    assert.equal(importsOf(answer), null);
  }
});
