import assert from 'node:assert/strict';
import test from 'node:test';
import { Timing, percentile } from '../../Web/js/session/timing.js';

const PERIOD = 1 / 60;
const shown = (time, more = {}) =>
  ({ state: { time, settled: false }, interval: PERIOD, isDriven: false, isPrompt: false, ...more });

test('a frame within half an interval of the due time has no error', () => {
  const timing = new Timing();
  for (const off of [-.008, 0, .008]) timing.drawn(0, 10 + off, true, shown(10));
  assert.equal(timing.ack(1, .002).syncError, 0);
});

test('the error is the 95th percentile of the distances beyond that, in both directions', () => {
  const timing = new Timing();
  for (let i = 0; i < 94; i += 1) timing.drawn(0, 10, true, shown(10));
  for (let i = 0; i < 6; i += 1) timing.drawn(0, 10.1, false, shown(10));
  assert.ok(Math.abs(timing.ack(1, 0).syncError - (.1 - PERIOD / 2)) < 1e-9);
  timing.drawn(0, 9.9, true, shown(10));
  assert.ok(Math.abs(timing.ack(1, 0).syncError - (.1 - PERIOD / 2)) < 1e-9);
});

test('each ack covers the frames since the last one', () => {
  const timing = new Timing();
  timing.arrived(0, .03);
  timing.arrived(5, -.01);
  timing.drawn(0, 11, false, shown(10));
  assert.equal(timing.isOwed, true);
  assert.equal(timing.ack(7, 0).lateness, .03);
  assert.equal(timing.isOwed, false);
  timing.arrived(9, .01);
  assert.deepEqual(timing.ack(8, .5), { frame: 8, lateness: .01, syncError: 0, roundTrip: .5 });
});

test('the lateness stays the same without driven frames', () => {
  const timing = new Timing();
  timing.arrived(0, null);
  assert.equal(timing.ack(1, .08).lateness, .04);
  timing.arrived(0, .02);
  timing.ack(2, .08);
  timing.arrived(0, null);
  assert.equal(timing.ack(3, .08).lateness, .02);
});

test('rest, a still finger and the reader\'s own finger count as no error', () => {
  const timing = new Timing();
  timing.drawn(0, 99, false, { ...shown(10), state: { time: 10, settled: true } });
  timing.drawn(0, 99, false, shown(10, { isDriven: true }));
  timing.drawn(0, 99, true, shown(10, { isDriven: true, isPrompt: true }));
  timing.drawn(0, null, true, shown(10));
  assert.equal(timing.ack(1, 0).syncError, 0);
});

test('a flight that stops arriving is an error', () => {
  const timing = new Timing();
  timing.drawn(0, 10.5, false, shown(10));
  assert.ok(timing.ack(1, 0).syncError > .49);
});

test('the rate covers the last second, and the silence begins with the last frame', () => {
  const timing = new Timing();
  for (let now = 0; now <= 2000; now += 20) timing.drawn(now, 1, now % 40 === 0, shown(1));
  assert.equal(timing.rate(2000), 26);
  assert.equal(timing.rate(4000), 0);
  timing.arrived(2000, null);
  assert.equal(timing.silence(2300), 300);
});

test('a percentile is one of the values', () => {
  assert.equal(percentile([], .95), 0);
  assert.equal(percentile([3], .95), 3);
  assert.equal(percentile([5, 1, 4, 2, 3], .5), 3);
  assert.equal(percentile(Array.from({ length: 100 }, (_, i) => i + 1), .95), 95);
});
