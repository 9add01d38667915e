import assert from 'node:assert/strict';
import test from 'node:test';
import { AGAIN, Awake, LONG } from '../../Web/js/session/awake.js';

/** A page whose time, visibility and browser the test controls. */
function start(t) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const world = { now: 0, isSeen: true, refuses: false, asked: 0, lock: null };
  const locks = {
    async request(kind) {
      assert.equal(kind, 'screen');
      world.asked += 1;
      if (world.refuses) throw new DOMException('saves power', 'NotAllowedError');
      const lock = { released: false, async release() { this.released = true; } };
      world.lock = lock;
      return lock;
    },
  };
  const awake = new Awake({ locks, isSeen: () => world.isSeen, now: () => world.now });
  /** Lets the requests end. */
  const settle = async () => { for (let n = 0; n < 9; n += 1) await null; };
  const pass = async (ms) => {
    world.now += ms;
    t.mock.timers.tick(ms);
    await settle();
  };
  /** The browser drops the lock of a page that it hides. */
  const see = async (isSeen) => {
    world.isSeen = isSeen;
    if (!isSeen && world.lock !== null) world.lock.released = true;
    awake.see();
    await settle();
  };
  const isOn = () => world.lock?.released === false;
  const open = async () => {
    awake.touch();
    awake.see(true);
    await settle();
  };
  return { awake, world, pass, see, settle, isOn, open };
}

test('the screen stays on from the opening of a book until it is closed', async (t) => {
  const { awake, isOn, open, settle } = start(t);
  awake.touch();
  await settle();
  assert.equal(isOn(), false);
  await open();
  assert.equal(isOn(), true);
  await awake.see(false);
  assert.equal(isOn(), false);
});

test('it may turn off ten minutes after the last touch, and stays on from the next one', async (t) => {
  const { awake, world, isOn, open, pass, settle } = start(t);
  await open();
  await pass(LONG / 2);
  awake.touch();
  await pass(LONG / 2);
  assert.equal(isOn(), true);
  await pass(LONG / 2 - 1);
  assert.deepEqual([isOn(), world.asked], [true, 1]);
  await pass(1);
  assert.equal(isOn(), false);
  awake.touch();
  await settle();
  assert.deepEqual([isOn(), world.asked], [true, 2]);
});

test('a page that was hidden asks again when it is seen, and a hidden one does not', async (t) => {
  const { awake, world, isOn, open, see, settle } = start(t);
  await open();
  await see(false);
  awake.touch();
  await settle();
  assert.deepEqual([isOn(), world.asked], [false, 1]);
  await see(true);
  assert.deepEqual([isOn(), world.asked], [true, 2]);
});

test('a browser that refuses is asked again after a minute, not at each touch', async (t) => {
  const { awake, world, isOn, open, pass, settle } = start(t);
  world.refuses = true;
  await open();
  for (let n = 0; n < 5; n += 1) {
    awake.touch();
    await settle();
  }
  assert.equal(world.asked, 1);
  world.refuses = false;
  await pass(AGAIN);
  awake.touch();
  await settle();
  assert.deepEqual([isOn(), world.asked], [true, 2]);
});

test('a book that is closed before the browser has answered leaves no lock behind', async (t) => {
  const { awake, isOn, settle } = start(t);
  awake.touch();
  awake.see(true);
  awake.see(false);
  await settle();
  assert.equal(isOn(), false);
});

test('at an insecure address, where browsers have no locks, nothing happens', async () => {
  const awake = new Awake({ locks: null, isSeen: () => true, now: () => 0 });
  awake.touch();
  await awake.see(true);
  awake.touch();
});
