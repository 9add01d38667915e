import assert from 'node:assert/strict';
import test from 'node:test';
import { Playout } from '../../Web/js/playout.js';

/** Stands for the state that frames are folded into; remembers which were. */
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

test('a snapshot is shown at the next chance, whatever the clock says', () => {
  const playout = new Playout(new State());
  playout.snapshot(snapshot(7, 1e6));
  assert.equal(playout.advance(0), true);
  assert.deepEqual(playout.state.folded, [7]);
});

test('driven frames are all folded, in order, and only the newest is shown', () => {
  const playout = start();
  for (const number of [2, 3, 4]) playout.driven(delta(number, number));
  assert.equal(playout.advance(0), true);
  assert.deepEqual(playout.state.folded, [1, 2, 3, 4]);
  assert.deepEqual(playout.stats, { applied: 2, repeated: 0, skipped: 2 });
});

test('flown frames are shown one a vsync when the clocks agree', () => {
  const playout = start(10);
  playout.flown([1, 2, 3, 4].map((i) => delta(1 + i, 10 + i * PERIOD, i === 4)));
  const shown = [];
  for (let i = 1; i <= 4; i++) {
    playout.advance(10 + i * PERIOD + .002);
    shown.push(playout.state.number);
  }
  assert.deepEqual(shown, [2, 3, 4, 5]);
  assert.deepEqual(playout.stats, { applied: 5, repeated: 0, skipped: 0 });
  assert.equal(playout.isMoving, false);
});

test('the frame nearest to the vsync is chosen, not the last one before it', () => {
  const playout = start(0);
  playout.flown([delta(2, .1), delta(3, .2), delta(4, .3)]);
  playout.advance(.16);
  assert.equal(playout.state.number, 3);
  playout.advance(.24);
  assert.equal(playout.state.number, 3);
  playout.advance(.26);
  assert.equal(playout.state.number, 4);
});

test('a screen of 60 Hz shows every other frame of 120 Hz and folds them all', () => {
  const playout = start(0);
  playout.flown(Array.from({ length: 120 }, (_, i) => delta(2 + i, (i + 1) / 120)));
  let shown = 0;
  for (let i = 1; i <= 60; i++) if (playout.advance(i / 60)) shown += 1;
  assert.equal(shown, 60);
  assert.equal(playout.state.number, 121);
  assert.deepEqual(playout.state.folded, Array.from({ length: 121 }, (_, i) => i + 1));
});

test('a snapshot recalls the frames that wait', () => {
  const playout = start(0);
  playout.flown([delta(2, .1), delta(3, .2)]);
  playout.snapshot(snapshot(9, .05));
  playout.advance(.05);
  playout.driven(delta(10, .06));
  playout.advance(.06);
  assert.deepEqual(playout.state.folded, [1, 9, 10]);
  assert.equal(playout.waiting, 0);
});

test('a driven frame folds the flown ones before it, since it is relative to them', () => {
  const playout = start(0);
  playout.flown([delta(2, 5), delta(3, 6)]);
  playout.driven(delta(4, .1));
  playout.advance(.1);
  assert.deepEqual(playout.state.folded, [1, 2, 3, 4]);
});

test('a frame that does not follow is not folded and a snapshot is asked for once', () => {
  const playout = start();
  let asked = 0;
  playout.onMissing = () => { asked += 1; };
  playout.driven(delta(3));
  playout.driven(delta(4));
  playout.advance(0);
  assert.equal(asked, 1);
  assert.deepEqual(playout.state.folded, [1]);
});

test('before a snapshot of this connection nothing is taken', () => {
  const playout = start();
  playout.reset();
  playout.driven(delta(2));
  playout.flown([delta(3, 0)]);
  assert.equal(playout.advance(1), false);
  assert.deepEqual(playout.state.folded, [1]);
});

test('an animation frame without anything new counts as repeated only in motion', () => {
  const playout = start();
  playout.advance(1);
  assert.equal(playout.stats.repeated, 1);
  playout.driven(delta(2, 1, true));
  playout.advance(1);
  playout.advance(2);
  assert.equal(playout.stats.repeated, 1);
});
