import assert from 'node:assert/strict';
import test from 'node:test';
import { Playout } from '../../Web/js/playout.js';

/** A replacement for FrameState that records which frames are applied. */
class State {
  folded = [];
  number = -1;
  time = 0;
  settled = false;
  apply(frame) {
    const follows = frame.whole || frame.number === this.number + 1;
    if (!follows) return false;
    this.folded.push(frame.number);
    Object.assign(this, { number: frame.number, time: frame.time, settled: !!frame.settled });
    return true;
  }
}

const PERIOD = 1 / 60;
const delta = (number, time = 0, settled = false) => ({ number, time, settled });
const snapshot = (number, time = 0, settled = false) => ({ number, time, settled, whole: true });

function start(time = 0) {
  const playout = new Playout(new State());
  playout.snapshot(snapshot(1, time));
  playout.advance(time);
  return playout;
}

test('a snapshot is shown at the next opportunity, whatever its time', () => {
  const playout = new Playout(new State());
  playout.snapshot(snapshot(7, 1e6));
  assert.equal(playout.advance(0), true);
  assert.deepEqual(playout.state.folded, [7]);
});

test('all driven frames are applied in order, and only the newest is shown', () => {
  const playout = start();
  for (const number of [2, 3, 4]) playout.driven(delta(number, number));
  assert.equal(playout.advance(0), true);
  assert.deepEqual(playout.state.folded, [1, 2, 3, 4]);
  assert.equal(playout.advance(0), false);
});

test('one flown frame is shown per vsync if the clocks agree', () => {
  const playout = start(10);
  playout.flown([1, 2, 3, 4].map((i) => delta(1 + i, 10 + i * PERIOD, i === 4)));
  const shown = [];
  for (let i = 1; i <= 4; i++) {
    playout.advance(10 + i * PERIOD + .002);
    shown.push(playout.state.number);
  }
  assert.deepEqual(shown, [2, 3, 4, 5]);
  assert.equal(playout.isMoving, false);
});

test('the frame nearest to the vsync is shown, not the last one before it', () => {
  const playout = start(0);
  playout.flown([delta(2, .016), delta(3, .032), delta(4, .048)]);
  playout.advance(.025);
  assert.equal(playout.state.number, 3);
  playout.advance(.038);
  assert.equal(playout.state.number, 3);
  playout.advance(.042);
  assert.equal(playout.state.number, 4);
});

test('after a pause a frame is at most half an interval early', () => {
  const playout = start(0);
  playout.flown([delta(2, 1)]);
  assert.equal(playout.advance(.99), false);
  assert.equal(playout.advance(.992), true);
});

test('a screen of 60 Hz shows every second frame of 120 Hz and applies them all', () => {
  const playout = start(0);
  playout.flown(Array.from({ length: 120 }, (_, i) => delta(2 + i, (i + 1) / 120)));
  let shown = 0;
  for (let i = 1; i <= 60; i++) if (playout.advance(i / 60)) shown += 1;
  assert.equal(shown, 60);
  assert.equal(playout.state.number, 121);
  assert.deepEqual(playout.state.folded, Array.from({ length: 121 }, (_, i) => i + 1));
});

test('a snapshot discards the frames that wait', () => {
  const playout = start(0);
  playout.flown([delta(2, .1), delta(3, .2)]);
  playout.snapshot(snapshot(9, .05));
  playout.advance(.05);
  playout.driven(delta(10, .06));
  playout.advance(.06);
  assert.deepEqual(playout.state.folded, [1, 9, 10]);
  assert.equal(playout.waiting, 0);
});

test('a driven frame also applies the flown ones before it, since it is relative to them', () => {
  const playout = start(0);
  playout.flown([delta(2, 5), delta(3, 6)]);
  playout.driven(delta(4, .1));
  playout.advance(.1);
  assert.deepEqual(playout.state.folded, [1, 2, 3, 4]);
});

test('a frame that does not follow is not applied, and one snapshot is requested', () => {
  const playout = start();
  let asked = 0;
  playout.onMissing = () => { asked += 1; };
  playout.driven(delta(3));
  playout.driven(delta(4));
  playout.advance(0);
  assert.equal(asked, 1);
  assert.deepEqual(playout.state.folded, [1]);
});

test('frames before the snapshot of a connection are ignored', () => {
  const playout = start();
  playout.reset();
  playout.driven(delta(2));
  playout.flown([delta(3, 0)]);
  assert.equal(playout.advance(1), false);
  assert.deepEqual(playout.state.folded, [1]);
});

/** Returns the playout of a follower with a delay of 50 ms. */
function follower(time = 0) {
  const playout = new Playout(new State());
  playout.isPrompt = false;
  playout.delay = .05;
  playout.snapshot(snapshot(1, time));
  playout.advance(time);
  return playout;
}

test('a follower sees each frame at its time plus the delay of the room', () => {
  const playout = follower(0);
  playout.driven(delta(2, .1));
  playout.flown([delta(3, .2)]);
  assert.equal(playout.advance(.14), false);
  assert.equal(playout.advance(.15), true);
  assert.equal(playout.state.number, 2);
  assert.equal(playout.advance(.24), false);
  playout.advance(.25);
  assert.equal(playout.state.number, 3);
});

test('two followers on connections of different latency show the same frame at the same time', () => {
  const [near, far] = [follower(0), follower(0)];
  const arrivals = [];
  for (let i = 1; i <= 60; i += 1) {
    arrivals.push([i * PERIOD + .002, near, i], [i * PERIOD + .04 * Math.abs(Math.sin(i)), far, i]);
  }
  arrivals.sort(([a], [b]) => a - b);
  // A connection keeps the order of its messages.
  const sent = new Map([[near, 1], [far, 1]]);
  for (let now = 0; now < 1.2; now += PERIOD) {
    while (arrivals.length > 0 && arrivals[0][0] <= now) {
      const [, playout] = arrivals.shift();
      sent.set(playout, sent.get(playout) + 1);
      playout.driven(delta(sent.get(playout), (sent.get(playout) - 1) * PERIOD));
    }
    near.advance(now);
    far.advance(now);
    assert.equal(near.state.number, far.state.number);
  }
  assert.equal(near.state.number, 61);
});

test('the presenter has no delay, and flights keep their times', () => {
  const playout = start(0);
  playout.delay = .05;
  playout.driven(delta(2, .1));
  assert.equal(playout.advance(0), true);
  playout.flown([delta(3, .2)]);
  assert.equal(playout.advance(.15), false);
  assert.equal(playout.advance(.2), true);
});

test('a member that takes the book sees waiting driven frames at once', () => {
  const playout = follower(0);
  playout.driven(delta(2, .1));
  playout.driven(delta(3, .11));
  assert.equal(playout.advance(.1), false);
  playout.isPrompt = true;
  assert.equal(playout.advance(.1), true);
  assert.equal(playout.state.number, 3);
});

test('the delay follows that of the room by 5 ms per second in motion, and at once at rest', () => {
  const playout = new Playout(new State());
  playout.isPrompt = false;
  playout.snapshot(snapshot(1, 0, true));
  playout.advance(0);
  playout.delay = .03;
  assert.equal(playout.delay, .03);
  playout.delay = .05;
  assert.equal(playout.delay, .05);
  playout.driven(delta(2, 0));
  playout.advance(10);
  playout.delay = .1;
  playout.advance(11);
  assert.ok(Math.abs(playout.delay - .055) < 1e-9, `${playout.delay}`);
  playout.advance(100);
  assert.ok(Math.abs(playout.delay - .1) < 1e-9);
});

test('for a follower a snapshot discards later frames and waits for earlier ones', () => {
  const playout = follower(0);
  playout.flown([delta(2, .1), delta(3, .2), delta(4, .3)]);
  playout.snapshot(snapshot(9, .15));
  assert.equal(playout.waiting, 2);
  playout.advance(.15);
  assert.equal(playout.state.number, 2);
  playout.driven(delta(10, .17));
  playout.advance(.2);
  assert.equal(playout.state.number, 9);
  playout.advance(.22);
  assert.deepEqual(playout.state.folded, [1, 2, 9, 10]);
});

test('every member shows a requested snapshot at the next opportunity', () => {
  const asking = follower(0);
  asking.driven(delta(4, 0));
  asking.advance(.05);
  asking.snapshot(snapshot(9, 5));
  assert.equal(asking.advance(.06), true);
  assert.equal(asking.state.number, 9);
});

test('the last frame stays until another arrives', () => {
  const playout = follower(0);
  playout.flown([delta(2, .1)]);
  playout.advance(.2);
  for (let now = .2; now < 2; now += PERIOD) assert.equal(playout.advance(now), false);
  assert.equal(playout.state.number, 2);
  assert.equal(playout.isMoving, true);
});

test('a screen whose vsync is midway between two frames repeats and skips few', () => {
  const playout = follower(0);
  playout.flown(Array.from({ length: 600 }, (_, i) => delta(2 + i, (i + 1) * PERIOD)));
  let random = 1;
  let uneven = 0;
  for (let i = 1; i <= 590; i += 1) {
    // Times that scatter by a tenth of a millisecond about the middle between two frames.
    random = random * 16807 % 2147483647;
    const before = playout.state.number;
    playout.advance(.05 + (i + .5) * PERIOD + (random / 2147483647 - .5) * 2e-4);
    uneven += Math.abs(playout.state.number - before - 1);
  }
  assert.ok(uneven <= 4, `${uneven} frames repeated or skipped`);
});
