import assert from 'node:assert/strict';
import test from 'node:test';
import { Heartbeat } from '../../Web/js/session/heartbeat.js';

/** Advances the time to a given value as a timer does, which may be late. */
function run(heartbeat, state, until) {
  while (heartbeat.next <= until) {
    state.now = Math.max(state.now, heartbeat.next);
    heartbeat.tick(state.now);
  }
  state.now = until;
}

function start({ answers = true } = {}) {
  const state = { now: 0, sent: [], died: [], woke: 0, answers };
  const heartbeat = new Heartbeat(() => {
    state.sent.push(state.now);
    if (state.answers) heartbeat.heard();
  }, () => state.died.push(state.now), () => { state.woke += 1; });
  heartbeat.burst(0);
  return { heartbeat, state };
}

test('eight probes come first, 60 ms apart, then one every two seconds for twenty seconds', () => {
  const { heartbeat, state } = start();
  run(heartbeat, state, 400);
  assert.deepEqual(state.sent, [0, 60, 120, 180, 240, 300, 360]);
  run(heartbeat, state, 20_000);
  assert.deepEqual(state.sent.slice(7, 10), [420, 2420, 4420]);
  assert.equal(state.sent.length, 8 + 9);
});

test('later a probe is sent every four seconds', () => {
  const { heartbeat, state } = start();
  run(heartbeat, state, 30_000);
  state.sent = [];
  run(heartbeat, state, 90_000);
  assert.equal(state.sent.length, 15);
});

test('a dead connection is noticed within twelve seconds', () => {
  const { heartbeat, state } = start();
  run(heartbeat, state, 60_000);
  // The connection dies right after an answer.
  const last = state.sent.at(-1);
  state.answers = false;
  run(heartbeat, state, 90_000);
  assert.equal(state.died.length, 1);
  assert.ok(state.died[0] - last <= 12_000, `${state.died[0] - last} ms`);
  assert.equal(heartbeat.next, Infinity);
});

test('any message shows that the connection is alive', () => {
  const { heartbeat, state } = start({ answers: false });
  for (let now = 0; now < 60_000; now += 500) {
    run(heartbeat, state, now);
    heartbeat.heard();
  }
  assert.deepEqual(state.died, []);
});

test('after a sleep the probes start again, and the connection does not count as dead', () => {
  const { heartbeat, state } = start({ answers: false });
  run(heartbeat, state, 1000);
  state.now = 3_600_000;
  heartbeat.tick(state.now);
  assert.deepEqual([state.died.length, state.woke], [0, 1]);
  state.answers = true;
  state.sent = [];
  run(heartbeat, state, state.now + 420);
  assert.equal(state.sent.length, 7);
});

test('a stopped heartbeat sends no probe', () => {
  const { heartbeat, state } = start();
  run(heartbeat, state, 5000);
  heartbeat.stop();
  const { length } = state.sent;
  run(heartbeat, state, 100_000);
  assert.equal(state.sent.length, length);
});
