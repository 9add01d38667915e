import assert from 'node:assert/strict';
import test from 'node:test';
import { CameraPlayout } from '../../Web/js/playout.js';

const PERIOD = 1 / 60;
const step = (time, zoom) => ({ time, matrix: [zoom] });

/** A flight of a number of steps, one a period, that zooms by one each. */
const flight = (count, from = 0) =>
  Array.from({ length: count }, (_, i) => step(from + (i + 1) * PERIOD, i + 1));

test('a flight is shown one step a vsync, and then the camera stands', () => {
  const cameras = new CameraPlayout();
  cameras.fly(flight(4));
  const shown = [];
  for (let i = 1; i <= 6; i++) shown.push(cameras.advance(i * PERIOD + .002)?.[0] ?? null);
  assert.deepEqual(shown, [1, 2, 3, 4, null, null]);
  assert.equal(cameras.isMoving, false);
});

test('the step nearest to the vsync is chosen', () => {
  const cameras = new CameraPlayout();
  cameras.fly([step(.1, 1), step(.2, 2), step(.3, 3)]);
  assert.deepEqual(cameras.advance(.16), [2]);
  assert.equal(cameras.advance(.24), null);
  assert.deepEqual(cameras.advance(.26), [3]);
});

test('before its time nothing of a flight is shown', () => {
  const cameras = new CameraPlayout();
  cameras.fly(flight(3, 10));
  assert.equal(cameras.advance(9), null);
  assert.equal(cameras.isMoving, true);
});

test('a matrix for now recalls what waits', () => {
  const cameras = new CameraPlayout();
  cameras.fly(flight(9));
  cameras.advance(2 * PERIOD);
  cameras.recall();
  assert.equal(cameras.isMoving, false);
  assert.equal(cameras.advance(1), null);
  cameras.fly([step(2, 7)]);
  assert.deepEqual(cameras.advance(2), [7]);
});

test('a flight in two messages goes on where the first ended', () => {
  const cameras = new CameraPlayout();
  cameras.fly(flight(2));
  cameras.advance(2 * PERIOD);
  cameras.fly([step(3 * PERIOD, 3)]);
  assert.equal(cameras.advance(2.2 * PERIOD), null);
  assert.deepEqual(cameras.advance(3 * PERIOD), [3]);
});

test('while the clock is unknown the last step is shown at once', () => {
  const cameras = new CameraPlayout();
  cameras.fly(flight(5));
  assert.deepEqual(cameras.advance(null), [5]);
  assert.equal(cameras.isMoving, false);
});
