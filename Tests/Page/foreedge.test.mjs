import assert from 'node:assert/strict';
import test from 'node:test';
import { placeOf, stopAt, thickness, ticks } from '../../Web/js/foreedge.js';

const WIDTH = 560;

test('a book of 49 stops has a tick for each, of which the first and the last are tall', () => {
  const all = ticks(49, WIDTH);
  assert.equal(all.length, 49);
  assert.deepEqual(all.filter((tick) => tick.isTall).map((tick) => tick.stop), [0, 48]);
  assert.equal(all[0].x, 0);
  assert.equal(all.at(-1).x, WIDTH);
});

test('stops that would be too close share a tick', () => {
  const all = ticks(1000, WIDTH);
  for (let i = 1; i < all.length - 1; i++) assert.ok(all[i].x - all[i - 1].x >= 5 - 1e-9);
  assert.ok(all.length > 40, `${all.length} ticks`);
});

test('ticks ascend and end with the last stop, however long the book', () => {
  for (const count of [1, 2, 3, 8, 31, 32, 333, 9999]) {
    const all = ticks(count, WIDTH);
    assert.equal(all.at(-1).stop, count - 1, `${count} stops`);
    for (let i = 1; i < all.length; i++) assert.ok(all[i].stop >= all[i - 1].stop);
    for (const { x } of all) assert.ok(x >= 0 && x <= WIDTH);
  }
});

test('a chapter has a tall tick at its stop', () => {
  const tall = ticks(49, WIDTH, [12, 26]).filter((tick) => tick.isTall).map((tick) => tick.stop);
  assert.deepEqual(tall, [0, 12, 26, 48]);
});

test('the stop at the position of a stop is that stop', () => {
  assert.equal(stopAt(0, 48, WIDTH), 0);
  assert.equal(stopAt(WIDTH, 48, WIDTH), 47);
  assert.equal(stopAt(-50, 48, WIDTH), 0);
  assert.equal(stopAt(WIDTH + 50, 48, WIDTH), 47);
  for (let stop = 0; stop < 48; stop++) {
    for (const reversed of [false, true]) {
      assert.equal(stopAt(placeOf(stop, 48, WIDTH, reversed), 48, WIDTH, reversed), stop);
    }
  }
});

test('a right-to-left book begins at the right', () => {
  assert.equal(placeOf(0, 48, WIDTH, true), WIDTH);
  assert.equal(stopAt(WIDTH, 48, WIDTH, true), 0);
  assert.equal(ticks(48, WIDTH, [], true)[0].x, WIDTH);
});

test('the stacks of leaves share the thickness of the book by the position in it', () => {
  assert.deepEqual(thickness(0, 250), [0, 20]);
  assert.deepEqual(thickness(249, 250), [20, 0]);
  assert.deepEqual(thickness(0, 1000, true), [20, 0]);
  const [left, right] = thickness(1, 4);
  assert.ok(left > 0 && right > left && left + right < 5);
});

test('a ruler without width gives no NaN', () => {
  assert.equal(stopAt(10, 48, 0), 0);
  assert.ok(ticks(48, 0).every((tick) => tick.x === 0));
});
