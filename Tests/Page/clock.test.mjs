import assert from 'node:assert/strict';
import test from 'node:test';
import { Clock, Vsync } from '../../Web/js/clock.js';

const TRUE_OFFSET = 5000; // server seconds minus page seconds

/** A probe sent at a page time over a path that is `out` ms there and `back` ms back. */
function probe(clock, sent, out, back) {
  clock.add(sent, sent + out + back, TRUE_OFFSET + (sent + out) / 1000);
}

const errorInMs = (clock) => Math.abs(clock.offset - TRUE_OFFSET) * 1000;

test('the quickest probe is believed', () => {
  const clock = new Clock();
  probe(clock, 0, 40, 2);
  probe(clock, 50, 1, 1.2);
  probe(clock, 100, 3, 60);
  assert.ok(errorInMs(clock) < .11, `${errorInMs(clock)} ms`);
  assert.ok(Math.abs(clock.roundTrip - 2.2) < 1e-9);
});

test('the error is at most half the round trip, however lopsided the path', () => {
  for (const [out, back] of [[0, 30], [30, 0], [10, 20]]) {
    const clock = new Clock();
    probe(clock, 1000, out, back);
    assert.ok(errorInMs(clock) <= 15 + 1e-6);
  }
});

test('an old sample yields to a newer one, since clocks drift', () => {
  const clock = new Clock();
  probe(clock, 0, 1, 1);
  const drifted = TRUE_OFFSET + .02;
  clock.add(60_000, 60_006, drifted + 60.003);
  assert.ok(Math.abs(clock.offset - drifted) < 1e-6);
});

test('before the welcome there is no server time, after it a guess, after a probe the estimate', () => {
  const clock = new Clock();
  assert.equal(clock.serverTime(0), null);
  clock.guess(5001, 1000);
  assert.equal(clock.serverTime(2000), 5002);
  assert.equal(clock.isExchanged, false);
  probe(clock, 2000, 1, 1);
  assert.equal(clock.isExchanged, true);
  assert.ok(Math.abs(clock.serverTime(3000) - 5003) < 1e-9);
});

test('five quick probes come first, then one in ten seconds and none at rest', () => {
  const clock = new Clock();
  clock.reset();
  const sent = [];
  for (let now = 0; now < 1000; now += 10) if (clock.due(now, false)) sent.push(now);
  assert.deepEqual(sent, [0, 40, 80, 120, 160]);
  for (let now = 1000; now < 60_000; now += 100) assert.equal(clock.due(now, false), false);
  let later = 0;
  for (let now = 60_000; now < 91_000; now += 16) if (clock.due(now, true)) later += 1;
  assert.equal(later, 3 + 3); // three after the long rest, then one each ten seconds
});

test('impossible samples are refused', () => {
  const clock = new Clock();
  clock.add(10, 5, 1);
  clock.add(10, 15, NaN);
  assert.equal(clock.isExchanged, false);
});

test('the period is the median of the frames, and the next vsync lies after now', () => {
  const vsync = new Vsync();
  let at = 0;
  for (let i = 0; i < 30; i++) vsync.tick(at += i % 7 === 3 ? 2000 / 120 : 1000 / 120);
  assert.ok(Math.abs(vsync.period - 1000 / 120) < 1e-9);
  const now = at + 3;
  assert.ok(Math.abs(vsync.next(now) - (at + 1000 / 120)) < 1e-9);
  assert.ok(vsync.next(at) > at);
  assert.ok(vsync.next(at + 100) > at + 100 && vsync.next(at + 100) <= at + 100 + 1000 / 120 + .1);
});
