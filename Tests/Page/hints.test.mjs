import assert from 'node:assert/strict';
import test from 'node:test';
import { doneHints, dueHint, freePlace } from '../../Web/js/hints.js';
import { SCREEN } from '../../Web/js/wire.js';

const list = { screen: SCREEN.collections, count: 3, book: '', page: 0 };
const shelf = { screen: SCREEN.shelf, count: 9, book: 'a', page: 0, isWall: false };
const book = { screen: SCREEN.book, count: 12, book: 'a', page: 2, isFlat: false };

test('a hint is due on its screen, in the order of a first visit, until it has been followed', () => {
  assert.equal(dueHint(list, {}), 'list');
  assert.equal(dueHint({ ...list, count: 0 }, {}), null);
  assert.equal(dueHint(shelf, {}), 'shelf');
  assert.equal(dueHint(shelf, { shelf: true }), 'wall');
  assert.equal(dueHint({ ...shelf, count: 5 }, { shelf: true }), null);
  assert.equal(dueHint({ ...shelf, cannotOpen: true, count: 1 }, {}), null);
  assert.equal(dueHint(book, {}), 'turn');
  assert.equal(dueHint(book, { turn: true }), 'flat');
  assert.equal(dueHint({ ...book, isFlat: true }, { turn: true }), null);
  assert.equal(dueHint(book, { turn: true, flat: true }), null);
});

test('what a reader does counts, and where a window begins does not', () => {
  for (const first of [list, shelf, book]) assert.deepEqual(doneHints(first, null), []);
  assert.deepEqual(doneHints(shelf, list), ['list']);
  assert.deepEqual(doneHints({ ...shelf, isWall: true }, shelf), ['wall']);
  assert.deepEqual(doneHints(book, shelf), ['shelf']);
  assert.deepEqual(doneHints({ ...book, page: 4 }, book), ['turn']);
  assert.deepEqual(doneHints({ ...book, isFlat: true }, book), ['flat']);
  assert.deepEqual(doneHints({ ...book, book: 'b', page: 8, isFlat: true }, book), []);
});

test('a hint is in the middle and as low as there is room, and meets nothing', () => {
  const hint = { width: 200, height: 24 };
  const window = { width: 1000, height: 700 };
  const box = (left, top, right, bottom) => ({ left, top, right, bottom });
  assert.deepEqual(freePlace(hint, window, []), [400, 666]);
  assert.deepEqual(freePlace(hint, window, [box(0, 0, 590, 700)]), [620, 666]);
  const [left, top] = freePlace(hint, window, [box(450, 600, 500, 700)]);
  assert.ok(left === 400 && top + hint.height <= 595 && top > 560);
  assert.equal(freePlace(hint, window, [box(0, 0, 1000, 700)]), null);
  assert.equal(freePlace({ width: 990, height: 24 }, window, []), null);
});
