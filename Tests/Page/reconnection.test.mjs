import assert from 'node:assert/strict';
import test from 'node:test';
import { Reconnection, isFinal } from '../../Web/js/session/reconnection.js';

/** Returns a page whose time, random numbers, timers and visibility the test controls. */
function start(t, luck = .5) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const world = { now: 0, isHidden: false, opened: 0 };
  const reconnection = new Reconnection(() => { world.opened += 1; }, {
    isHidden: () => world.isHidden, random: () => luck, now: () => world.now,
  });
  const pass = (ms) => {
    world.now += ms;
    t.mock.timers.tick(ms);
  };
  return { reconnection, world, pass };
}

test('attempts come after 0, 100, 250 and 500 ms, 1 s, 2 s, and then every 5 s', (t) => {
  const { reconnection, world, pass } = start(t);
  const waits = [];
  for (let i = 0; i < 8; i += 1) {
    const wait = reconnection.lost();
    waits.push(Math.round(wait));
    pass(Math.ceil(wait));
    assert.equal(world.opened, i + 1);
  }
  assert.deepEqual(waits, [0, 100, 250, 500, 1000, 2000, 5000, 5000]);
});

test('each wait is randomly up to 30 % longer or shorter', (t) => {
  for (const [luck, wait] of [[0, 70], [1, 130]]) {
    const { reconnection, pass } = start(t, luck);
    reconnection.lost();
    pass(1);
    assert.equal(Math.round(reconnection.lost()), wait);
    t.mock.timers.reset();
  }
});

test('a steady connection resets the waits, and one that fails at once does not', (t) => {
  const { reconnection, world, pass } = start(t);
  reconnection.lost();
  pass(1);
  reconnection.welcomed();
  pass(100);
  assert.equal(Math.round(reconnection.lost()), 100);
  pass(100);
  reconnection.welcomed();
  pass(6000);
  assert.equal(reconnection.lost(), 0);
  assert.equal(world.opened, 2);
});

test('a hidden page makes no attempt until it is visible', (t) => {
  const { reconnection, world, pass } = start(t);
  world.isHidden = true;
  reconnection.lost();
  pass(60_000);
  assert.equal(world.opened, 0);
  world.isHidden = false;
  reconnection.wake();
  assert.equal(world.opened, 1);
});

test('a page that is hidden while it waits makes no attempt', (t) => {
  const { reconnection, world, pass } = start(t);
  reconnection.lost();
  pass(1);
  reconnection.lost();
  world.isHidden = true;
  reconnection.wake();
  pass(60_000);
  assert.equal(world.opened, 1);
});

test('after a goodbye the page reconnects at the time that the server named, not before', (t) => {
  const { reconnection, world, pass } = start(t);
  reconnection.goodbye(2.5);
  assert.equal(reconnection.lost(), 2500);
  pass(2499);
  assert.equal(world.opened, 0);
  pass(1);
  assert.equal(world.opened, 1);
  // If that attempt was too early, the next one comes after the usual wait.
  assert.equal(Math.round(reconnection.lost()), 100);
});

test('the page reconnects at once when the network is back', (t) => {
  const { reconnection, world, pass } = start(t);
  for (let i = 0; i < 6; i += 1) {
    reconnection.lost();
    reconnection.wake();
  }
  assert.equal(world.opened, 6);
  reconnection.welcomed();
  reconnection.wake();
  pass(60_000);
  assert.equal(world.opened, 6);
});

test('after a final code, such as a removal, there is no attempt', () => {
  const final = [1003, 1008, 1009, 4000, 4001, 4002, 4003, 4004, 4005, 4006, 4007, 4009, 4010, 4011, 4012, 4013];
  for (const code of final) assert.equal(isFinal(code), true, `${code}`);
  for (const code of [1000, 1001, 1005, 1006, 1011, 4008]) assert.equal(isFinal(code), false, `${code}`);
});

test('an attempt from before the page was seen or the network was back is repeated, unless it has succeeded', (t) => {
  const { reconnection, world, pass } = start(t);
  reconnection.wake();
  assert.equal(world.opened, 0);
  reconnection.lost();
  pass(1);
  assert.equal(world.opened, 1);
  reconnection.wake();
  assert.equal(world.opened, 2);
  reconnection.welcomed();
  reconnection.wake();
  reconnection.lost();
  reconnection.stop();
  reconnection.wake();
  assert.equal(world.opened, 2);
});

test('a page that has never been welcomed has tried in vain after four attempts, or two that took long', (t) => {
  for (const [slow, attempts] of [[0, 4], [3000, 4], [11_000, 2]]) {
    const { reconnection, world, pass } = start(t);
    for (let n = 1; n <= attempts; n += 1) {
      assert.equal(reconnection.isInVain, false, `${slow} ms, attempt ${n}`);
      reconnection.lost();
      world.now += n < attempts ? slow : 0;
    }
    assert.deepEqual([reconnection.isInVain, reconnection.isNew], [true, true]);
    reconnection.welcomed();
    for (let n = 0; n < 9; n += 1) reconnection.lost();
    assert.deepEqual([reconnection.isInVain, reconnection.isNew], [false, false]);
    pass(1);
    t.mock.timers.reset();
  }
});
