import assert from 'node:assert/strict';
import test from 'node:test';
import { placeOf, spreadAt, thickness, ticks } from '../../Web/js/foreedge.js';

const WIDTH = 560;

test('a book of 49 spreads has a tick for each, the first and the last of them tall', () => {
  const all = ticks(49, WIDTH);
  assert.equal(all.length, 49);
  assert.deepEqual(all.filter((tick) => tick.isTall).map((tick) => tick.spread), [0, 48]);
  assert.equal(all[0].x, 0);
  assert.equal(all.at(-1).x, WIDTH);
});

test('spreads that would lie too close share a tick', () => {
  const all = ticks(1000, WIDTH);
  for (let i = 1; i < all.length - 1; i++) assert.ok(all[i].x - all[i - 1].x >= 5 - 1e-9);
  assert.ok(all.length > 40, `${all.length} ticks`);
});

test('ticks ascend and end with the last spread, however long the book', () => {
  for (const count of [1, 2, 3, 8, 31, 32, 333, 9999]) {
    const all = ticks(count, WIDTH);
    assert.equal(all.at(-1).spread, count - 1, `${count} spreads`);
    for (let i = 1; i < all.length; i++) assert.ok(all[i].spread >= all[i - 1].spread);
    for (const { x } of all) assert.ok(x >= 0 && x <= WIDTH);
  }
});

test('a chapter is a tall tick at its spread', () => {
  const tall = ticks(49, WIDTH, [12, 26]).filter((tick) => tick.isTall).map((tick) => tick.spread);
  assert.deepEqual(tall, [0, 12, 26, 48]);
});

test('the spread at a place is the one that lies there, and the place of a spread finds it again', () => {
  assert.equal(spreadAt(0, 48, WIDTH), 0);
  assert.equal(spreadAt(WIDTH, 48, WIDTH), 47);
  assert.equal(spreadAt(-50, 48, WIDTH), 0);
  assert.equal(spreadAt(WIDTH + 50, 48, WIDTH), 47);
  for (let spread = 0; spread < 48; spread++) {
    for (const reversed of [false, true]) {
      assert.equal(spreadAt(placeOf(spread, 48, WIDTH, reversed), 48, WIDTH, reversed), spread);
    }
  }
});

test('a book that is read from right to left begins at the right', () => {
  assert.equal(placeOf(0, 48, WIDTH, true), WIDTH);
  assert.equal(spreadAt(WIDTH, 48, WIDTH, true), 0);
  assert.equal(ticks(48, WIDTH, [], true)[0].x, WIDTH);
});

test('the stacks of leaves share the thickness of the book by how far one is', () => {
  assert.deepEqual(thickness(0, 250), [0, 20]);
  assert.deepEqual(thickness(249, 250), [20, 0]);
  assert.deepEqual(thickness(0, 1000, true), [20, 0]);
  const [left, right] = thickness(1, 4);
  assert.ok(left > 0 && right > left && left + right < 5);
});

test('a ruler of no width divides by nothing', () => {
  assert.equal(spreadAt(10, 48, 0), 0);
  assert.ok(ticks(48, 0).every((tick) => tick.x === 0));
});
