import assert from 'node:assert/strict';
import test from 'node:test';
import { Leaves, loudness } from '../../Web/js/settings/leaves.js';

const FRAME = 1 / 60;

/** Moves a leaf along its places, one a frame; returns the events, those at rest last. */
function move(places, leaves = new Leaves()) {
  const events = places.flatMap((place, n) => leaves.see(n * FRAME, new Map([[3, place]])));
  return [...events, ...leaves.rest()];
}

/** The places of a leaf that turns from the right to the left in some seconds, and slows down at the end. */
const turn = (seconds) => Array.from({ length: Math.round(seconds / FRAME) + 1 }, (_, n) =>
  .96 * Math.cos(Math.PI * n * FRAME / seconds));

test('a leaf that turns passes the middle and lands, once each', () => {
  assert.deepEqual(move(turn(.6)).map(({ kind }) => kind), ['middle', 'landed']);
  assert.deepEqual(move(turn(.6).map((place) => -place)).map(({ kind }) => kind), ['middle', 'landed']);
});

test('a slow turn lands more quietly than a fast one', () => {
  const [fast, slow] = [.4, 3].map((seconds) => loudness(move(turn(seconds)).at(-1).speed));
  assert.ok(fast > .9, `${fast}`);
  assert.ok(slow < .3, `${slow}`);
  assert.ok(slow > 0 && loudness(0) > 0 && loudness(1000) === 1);
});

test('a cut makes no sound', () => {
  assert.deepEqual(move([.96, .96, -.96, -.96]), []);
  assert.deepEqual(move([.96, -.96]), []);
});

test('a leaf that stands still, or that only moves with its fan, does not land', () => {
  assert.deepEqual(move([.96, .96, .96, .96]), []);
  assert.deepEqual(move([.96, .9, .86, .84, .83, .83]), []);
});

test('a leaf that is held in the middle lands when it is let go', () => {
  const held = [...turn(.6).slice(0, 19), 0, 0, 0, 0, 0, 0];
  const leaves = new Leaves();
  const events = held.flatMap((place, n) => leaves.see(n * FRAME, new Map([[3, place]])));
  assert.deepEqual(events.filter(({ kind }) => kind === 'landed'), []);
  const rest = turn(.6).slice(19).flatMap((place, n) =>
    leaves.see((held.length + n) * FRAME, new Map([[3, place]])));
  assert.deepEqual([...rest, ...leaves.rest()].filter(({ kind }) => kind === 'landed').length, 1);
});

test('a leaf that is let go without slowing down lands when everything rests', () => {
  assert.deepEqual(move([.96, .5, .1, -.3, -.7, -.96]).map(({ kind }) => kind), ['middle', 'landed']);
});

test('each leaf of several lands, and frames of the same moment do not count', () => {
  const leaves = new Leaves();
  const events = turn(.6).flatMap((place, n) => {
    const places = new Map([[1, place], [2, place], [9, -.9]]);
    return [...leaves.see(n * FRAME, places), ...leaves.see(n * FRAME, places)];
  });
  assert.equal([...events, ...leaves.rest()].filter(({ kind }) => kind === 'landed').length, 2);
});
