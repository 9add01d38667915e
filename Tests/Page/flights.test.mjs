import assert from 'node:assert/strict';
import test from 'node:test';
import { Flights } from '../../Web/js/session/flights.js';

const PERIOD = 1 / 60;
const step = (time, zoom) => ({ time, matrix: [zoom] });

/** Returns a flight with a number of steps, one per period, each of which zooms by one. */
const flight = (count, from = 0) =>
  Array.from({ length: count }, (_, i) => step(from + (i + 1) * PERIOD, i + 1));

test('a flight shows one step per vsync and then stops', () => {
  const flights = new Flights();
  flights.fly(flight(4));
  const shown = [];
  for (let i = 1; i <= 6; i++) shown.push(flights.advance(i * PERIOD + .002)?.[0] ?? null);
  assert.deepEqual(shown, [1, 2, 3, 4, null, null]);
  assert.equal(flights.isMoving, false);
});

test('the step nearest to the vsync is shown', () => {
  const flights = new Flights();
  flights.fly([step(.1, 1), step(.2, 2), step(.3, 3)]);
  assert.deepEqual(flights.advance(.16), [2]);
  assert.equal(flights.advance(.24), null);
  assert.deepEqual(flights.advance(.26), [3]);
});

test('a flight shows nothing before its time', () => {
  const flights = new Flights();
  flights.fly(flight(3, 10));
  assert.equal(flights.advance(9), null);
  assert.equal(flights.isMoving, true);
});

test('a matrix for now discards the steps that wait', () => {
  const flights = new Flights();
  flights.fly(flight(9));
  flights.advance(2 * PERIOD);
  flights.recall();
  assert.equal(flights.isMoving, false);
  assert.equal(flights.advance(1), null);
  flights.fly([step(2, 7)]);
  assert.deepEqual(flights.advance(2), [7]);
});

test('a flight in two messages continues where the first one ends', () => {
  const flights = new Flights();
  flights.fly(flight(2));
  flights.advance(2 * PERIOD);
  flights.fly([step(3 * PERIOD, 3)]);
  assert.equal(flights.advance(2.2 * PERIOD), null);
  assert.deepEqual(flights.advance(3 * PERIOD), [3]);
});

test('while the clock is unknown the last step is shown at once', () => {
  const flights = new Flights();
  flights.fly(flight(5));
  assert.deepEqual(flights.advance(null), [5]);
  assert.equal(flights.isMoving, false);
});
