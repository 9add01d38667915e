import assert from 'node:assert/strict';
import test from 'node:test';
import { pageAt, placeOf, spreadOf, thickness, ticks } from '../../Web/js/foreedge.js';

const WIDTH = 560;

test('a book of 96 pages has a tick for each leaf, the first and the last of them tall', () => {
  const all = ticks(96, WIDTH);
  assert.equal(all.length, 49);
  assert.deepEqual(all.filter((tick) => tick.isTall).map((tick) => tick.page), [0, 95]);
  assert.equal(all[0].x, 0);
  assert.equal(all.at(-1).x, WIDTH);
});

test('leaves that would lie too close share a tick', () => {
  const all = ticks(2000, WIDTH);
  for (let i = 1; i < all.length - 1; i++) assert.ok(all[i].x - all[i - 1].x >= 5 - 1e-9);
  assert.ok(all.length > 40, `${all.length} ticks`);
});

test('ticks ascend and end with the last page, however long the book', () => {
  for (const pages of [1, 2, 3, 8, 31, 32, 333, 9999]) {
    const all = ticks(pages, WIDTH);
    assert.equal(all.at(-1).page, pages - 1, `${pages} pages`);
    for (let i = 1; i < all.length; i++) assert.ok(all[i].page >= all[i - 1].page);
    for (const { x } of all) assert.ok(x >= 0 && x <= WIDTH);
  }
});

test('a chapter is a tall tick at its leaf', () => {
  const tall = ticks(96, WIDTH, [24, 51]).filter((tick) => tick.isTall).map((tick) => tick.page);
  assert.deepEqual(tall, [0, 24, 52, 95]);
});

test('a spread begins with an odd page, and the cover opens with the first', () => {
  assert.deepEqual([0, 1, 2, 3, 4, 5].map(spreadOf), [1, 1, 1, 3, 3, 5]);
});

test('the page at a place is the spread that lies there, and the place of a spread finds it again', () => {
  assert.equal(pageAt(0, 96, WIDTH), 1);
  assert.equal(pageAt(WIDTH, 96, WIDTH), 95);
  assert.equal(pageAt(-50, 96, WIDTH), 1);
  assert.equal(pageAt(WIDTH + 50, 96, WIDTH), 95);
  for (let page = 1; page < 96; page += 2) assert.equal(pageAt(placeOf(page, 96, WIDTH), 96, WIDTH), page);
});

test('a book that is read from right to left begins at the right', () => {
  assert.equal(placeOf(0, 96, WIDTH, true), WIDTH);
  assert.equal(pageAt(WIDTH, 96, WIDTH, true), 1);
  assert.equal(ticks(96, WIDTH, [], true)[0].x, WIDTH);
});

test('the stacks of leaves share the thickness of the book by how far one is', () => {
  assert.deepEqual(thickness(0, 500), [0, 20]);
  assert.deepEqual(thickness(499, 500), [20, 0]);
  assert.deepEqual(thickness(0, 2000, true), [20, 0]);
  const [left, right] = thickness(3, 8);
  assert.ok(left > 0 && right > left && left + right < 5);
});

test('a ruler of no width divides by nothing', () => {
  assert.equal(pageAt(10, 96, 0), 1);
  assert.ok(ticks(96, 0).every((tick) => tick.x === 0));
});
