import assert from 'node:assert/strict';
import test from 'node:test';
import { ClockSync } from '../../Web/js/session/clockSync.js';
import { Vsync } from '../../Web/js/session/vsync.js';
import { Clock } from '../../Web/js/clock.js';

const TRUE_OFFSET = 5000; // server seconds minus page seconds

/** A clock that follows its probes, as the page's does. */
class Pair {
  clock = new Clock();
  sync = new ClockSync();

  get offset() { return this.clock.offset; }

  get roundTrip() { return this.sync.roundTrip; }

  add(sent, received, serverSeconds) {
    const offset = this.sync.add(sent, received, serverSeconds);
    if (offset !== null) this.clock.follow(offset, received, this.sync.isUnsure);
  }
}

/** Returns a probe sent at a page time, with a path of `out` ms to the server and `back` ms from it. */
function probe(clock, sent, out, back) {
  clock.add(sent, sent + out + back, TRUE_OFFSET + (sent + out) / 1000);
}

const errorInMs = (clock) => Math.abs(clock.offset - TRUE_OFFSET) * 1000;

test('the probe with the shortest round trip decides', () => {
  const clock = new Pair();
  probe(clock, 0, 40, 2);
  probe(clock, 50, 1, 1.2);
  probe(clock, 100, 3, 60);
  assert.ok(errorInMs(clock) < .11, `${errorInMs(clock)} ms`);
  assert.ok(Math.abs(clock.roundTrip - 2.2) < 1e-9);
});

test('the error is at most half the round trip, however asymmetric the path is', () => {
  for (const [out, back] of [[0, 30], [30, 0], [10, 20]]) {
    const clock = new Pair();
    probe(clock, 1000, out, back);
    assert.ok(errorInMs(clock) <= 15 + 1e-6);
  }
});

test('the fastest way there and the fastest way back may come from two probes', () => {
  const clock = new Pair();
  probe(clock, 0, 60, 2);
  assert.ok(errorInMs(clock) > 28);
  probe(clock, 60, 2, 50);
  assert.ok(errorInMs(clock) < .01, `${errorInMs(clock)} ms`);
});

test('on a connection of 80 ms with varying delays the clock is within 8 ms', () => {
  // Pseudorandom numbers, the same in each run.
  let seed = 7;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  for (let round = 0; round < 50; round += 1) {
    const clock = new Pair();
    for (let i = 0; i < 16; i += 1) probe(clock, 60 * i, 20 + 40 * random(), 20 + 40 * random());
    assert.ok(errorInMs(clock) < 8, `${errorInMs(clock)} ms in round ${round}`);
  }
});

test('page times in whole milliseconds do not disturb the estimate', () => {
  const clock = new Pair();
  for (let i = 0; i < 16; i += 1) {
    const sent = 61.37 * i;
    clock.add(Math.floor(sent), Math.floor(sent + .4), TRUE_OFFSET + (sent + .2) / 1000);
  }
  assert.ok(errorInMs(clock) < 1, `${errorInMs(clock)} ms`);
});

test('a newer sample replaces an old one, since clocks drift', () => {
  const clock = new Pair();
  probe(clock, 0, 1, 1);
  const drifted = TRUE_OFFSET + .02;
  clock.add(60_000, 60_006, drifted + 60.003);
  assert.ok(Math.abs(clock.offset - drifted) < 1e-6);
});

test('the server time is null before the welcome, then that of the welcome, then the estimate of the probes', () => {
  const clock = new Pair();
  assert.equal(clock.clock.serverTime(0), null);
  clock.clock.estimate(5001, 1000);
  assert.equal(clock.clock.serverTime(2000), 5002);
  assert.equal(clock.clock.isExchanged, false);
  probe(clock, 2000, 1, 1);
  assert.equal(clock.clock.isExchanged, true);
  assert.ok(Math.abs(clock.clock.serverTime(3000) - 5003) < 1e-9);
});

/** Returns a clock after the first eight answers, which no longer adopts each estimate at once. */
function settled() {
  const clock = new Pair();
  for (let i = 0; i < 8; i += 1) probe(clock, 60 * i, 5, 5);
  return clock;
}

/** Answers a probe as if the server's clock were ahead by more ms. */
function ahead(clock, now, ms) { clock.add(now, now + 2, TRUE_OFFSET + ms / 1000 + (now + 1) / 1000); }

test('at first the clock adopts a better sample at once', () => {
  const clock = new Pair();
  clock.clock.estimate(TRUE_OFFSET - .03, 0);
  probe(clock, 0, 40, 2);
  assert.ok(errorInMs(clock) > 18);
  probe(clock, 60, 1, 1);
  assert.ok(errorInMs(clock) < .01);
});

test('later the clock follows the offset by at most 2 ms per second', () => {
  const clock = settled();
  ahead(clock, 1000, 20);
  const before = clock.offset;
  clock.clock.advance(2002);
  assert.ok(Math.abs(clock.offset - before - .002) < 1e-6, `${clock.offset - before}`);
  clock.clock.advance(60_000);
  assert.ok(Math.abs(clock.offset - TRUE_OFFSET - .02) < 1e-6);
});

test('an error of more than 50 ms is corrected at once', () => {
  const clock = settled();
  ahead(clock, 1000, 51);
  assert.ok(Math.abs(clock.offset - TRUE_OFFSET - .051) < 1e-6);
});

test('after the machine has slept, earlier samples do not count', () => {
  const clock = settled();
  clock.sync.forget();
  clock.add(5000, 5200, TRUE_OFFSET + 3600 + 5.1);
  assert.ok(Math.abs(clock.offset - TRUE_OFFSET - 3600) < .001);
});

test('the first of seventeen samples is forgotten', () => {
  const clock = settled();
  probe(clock, 500, .1, .1);
  for (let i = 0; i < 15; i += 1) probe(clock, 600 + i, 4, 4);
  assert.ok(clock.roundTrip < 1);
  probe(clock, 700, 4, 4);
  assert.ok(Math.abs(clock.roundTrip - 8) < 1e-9);
});

test('impossible samples are rejected', () => {
  const clock = new Pair();
  clock.add(10, 5, 1);
  clock.add(10, 15, NaN);
  assert.equal(clock.clock.isExchanged, false);
});

test('the period is the median of the frames, and the next vsync is after now', () => {
  const vsync = new Vsync();
  let at = 0;
  for (let i = 0; i < 30; i++) vsync.tick(at += i % 7 === 3 ? 2000 / 120 : 1000 / 120);
  assert.ok(Math.abs(vsync.period - 1000 / 120) < 1e-9);
  const now = at + 3;
  assert.ok(Math.abs(vsync.next(now) - (at + 1000 / 120)) < 1e-9);
  assert.ok(vsync.next(at) > at);
  assert.ok(vsync.next(at + 100) > at + 100 && vsync.next(at + 100) <= at + 100 + 1000 / 120 + .1);
});
