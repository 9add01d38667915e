import assert from 'node:assert/strict';
import test from 'node:test';
import { filterPixels, isInk } from '../../Web/js/settings/tone.js';

const SIZE = 2400;
const WHITE = [255, 255, 255, 255];
const CREAM = [246, 241, 230, 255];

/** Pixels of which each given share has a colour, and the rest is paper. */
function image(paper, ...parts) {
  const pixels = Array.from({ length: SIZE }, () => paper);
  let at = 0;
  for (const [share, colour] of parts) {
    pixels.fill(colour, at, at += Math.round(share * SIZE));
  }
  return Uint8ClampedArray.from(pixels.flat());
}

test('blank paper, and text that is reduced to grey lines, are ink', () => {
  assert.ok(isInk(image(WHITE)));
  assert.ok(isInk(image(CREAM)));
  assert.ok(isInk(image(WHITE, [.6, [205, 205, 205, 255]])));
  assert.ok(isInk(image(CREAM, [.5, [205, 200, 188, 255]], [.04, [40, 36, 30, 255]])));
});

test('a drawing of some lines and a few dark or coloured places is ink', () => {
  assert.ok(isInk(image(CREAM, [.1, [45, 75, 44, 255]], [.2, [190, 195, 180, 255]])));
});

test('photographs and paintings are pictures, dark or bright, in colour or not', () => {
  assert.equal(isInk(image([90, 110, 150, 255], [.3, [200, 180, 120, 255]])), false);
  assert.equal(isInk(image([250, 220, 120, 255])), false, 'a bright yellow page');
  assert.equal(isInk(image([200, 205, 190, 255])), false, 'a pale sky');
  assert.equal(isInk(image([120, 120, 120, 255], [.5, [200, 200, 200, 255]])), false, 'a grey photograph');
  assert.equal(isInk(image(WHITE, [.45, [30, 60, 120, 255]])), false, 'a picture on half a page');
});

test('dark pages are not turned', () => {
  assert.equal(isInk(image([20, 20, 24, 255], [.1, WHITE])), false);
});

test('what is transparent counts as paper', () => {
  assert.ok(isInk(image([0, 0, 0, 0], [.1, [0, 0, 0, 255]])));
  assert.equal(isInk(new Uint8ClampedArray(0)), false);
});

test('pixels change as the filters of the style sheet change them', () => {
  const filtered = (colour, filter) => {
    const pixels = Uint8ClampedArray.of(...colour, 255);
    filterPixels(pixels, filter);
    assert.equal(pixels[3], 255);
    return [...pixels.slice(0, 3)];
  };
  assert.deepEqual(filtered([255, 255, 255], 'brightness(.72) saturate(.9)'), [184, 184, 184]);
  assert.deepEqual(filtered([100, 100, 100], 'invert(1)'), [155, 155, 155]);
  assert.deepEqual(filtered([255, 0, 0], 'saturate(0)'), [54, 54, 54]);
  assert.deepEqual(filtered([10, 20, 30], ''), [10, 20, 30]);
  const ink = 'invert(.9) hue-rotate(180deg) brightness(.88) saturate(.7)';
  // White becomes darker than the paper of the night, and black light.
  assert.deepEqual(filtered([255, 255, 255], ink), [22, 22, 22]);
  assert.deepEqual(filtered([0, 0, 0], ink), [202, 202, 202]);
  const [r, g, b] = filtered([60, 140, 60], ink);
  assert.ok(g > r && g > b, 'green stays green');
});
