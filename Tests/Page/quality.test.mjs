import assert from 'node:assert/strict';
import test from 'node:test';
import { QUALITIES, Quality } from '../../Web/js/motion/quality.js';

const PERIOD = 1000 / 60;

/** Counts frames of a motion: each gap is a number of periods. */
function play(quality, gaps, from = 0) {
  let time = from;
  quality.tick(time, PERIOD);
  for (const gap of gaps) quality.tick(time += gap * PERIOD, PERIOD);
  return time;
}
const even = (count) => Array.from({ length: count }, () => 1);
const missing = (count) => Array.from({ length: count }, (_, n) => 1 + n % 2);

test('an even motion keeps the best quality', () => {
  const quality = new Quality();
  play(quality, even(600));
  assert.equal(quality.now, QUALITIES[0]);
});

test('missed frames lower the quality step by step, down to the last one', () => {
  const quality = new Quality();
  play(quality, missing(60));
  assert.equal(quality.now, QUALITIES[1]);
  play(quality, missing(2000));
  assert.equal(quality.now, QUALITIES.at(-1));
});

test('the first frames of a motion and a hidden page do not count', () => {
  const quality = new Quality();
  play(quality, [...missing(8), ...even(20), 3000, ...even(20), 400, ...even(20)]);
  assert.equal(quality.now, QUALITIES[0]);
});

test('after an even motion the quality rises by a step at rest, and after an uneven one it does not', () => {
  const quality = new Quality();
  play(quality, missing(120));
  const low = QUALITIES.indexOf(quality.now);
  assert.ok(low >= 1);
  quality.rest();
  assert.equal(QUALITIES.indexOf(quality.now), low);
  play(quality, even(60), 1e6);
  quality.rest();
  assert.equal(QUALITIES.indexOf(quality.now), low - 1);
});

test('a short motion changes nothing', () => {
  const quality = new Quality();
  play(quality, missing(20));
  quality.rest();
  assert.equal(quality.now, QUALITIES[0]);
});

test('times without a meaning are ignored', () => {
  const quality = new Quality();
  for (const time of [NaN, -5, 0, Infinity, 10]) quality.tick(time, PERIOD);
  for (let time = 0; time < 2000; time += 40) quality.tick(time, 0);
  assert.equal(quality.now, QUALITIES[0]);
});

test('each step costs less than the one before', () => {
  for (const [n, step] of QUALITIES.slice(1).entries()) {
    const before = QUALITIES[n];
    assert.ok(step.fineness <= before.fineness && step.hasShadows <= before.hasShadows);
    assert.notDeepEqual(step, before);
  }
});
