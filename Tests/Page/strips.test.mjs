import assert from 'node:assert/strict';
import test from 'node:test';
import { LAP, MARGIN, leastShade, shadeAt } from '../../Web/js/motion/paint.js';
import { leafAt } from '../../Web/js/motion/binding.js';
import { REST_SHADE } from '../../Web/js/motion/bitmaps.js';
import { bentShade } from '../../Web/js/motion/parts.js';
import { reachOf } from '../../Web/js/motion/sprite.js';
import { onward, rangeOf, shadeStrips } from '../../Web/js/motion/strips.js';
import { spreadAt, stripOf } from '../../Web/js/motion/rulings.js';
import { STRIPS } from '../../Web/js/session/wire.js';
import { shadeOpacity } from '../../Web/js/element.js';
import { PART, SIDE } from '../../Web/js/wire.js';

const WIDTH = 362;
const page = (side) => ({ side, width: WIDTH });

test('strips cover their page with a lap on either side, and the outer one has the margin', () => {
  for (const side of [SIDE.right, SIDE.left]) {
    const ranges = Array.from({ length: STRIPS }, (_, n) => rangeOf(n, page(side)));
    const ordered = side === SIDE.right ? ranges : ranges.toReversed();
    for (const [n, [from, to]] of ordered.entries()) {
      assert.ok(to - from >= WIDTH / STRIPS);
      if (n > 0) assert.ok(Math.abs(ordered[n - 1][1] - from - 2 * LAP) < 1e-9);
    }
    const [start, end] = [ordered[0][0], ordered.at(-1)[1]];
    assert.deepEqual([start, end], side === SIDE.right ? [0, WIDTH + MARGIN] : [-MARGIN, WIDTH]);
  }
});

test('the shade of a page is nowhere less than its even part', () => {
  for (const side of [SIDE.right, SIDE.left]) {
    for (let x = 0; x <= 1; x += .01) {
      const alpha = shadeAt(side, x);
      assert.ok(alpha >= leastShade(side) - 1e-9 && alpha <= .55 + 1e-9, `side ${side} at ${x}: ${alpha}`);
    }
    assert.equal(shadeAt(side, 1), .55);
  }
});

/** The shade of each strip of a leaf at its hinges, [inner, outer]; null if it is not visible. */
function shades(side, strengths, isVisible = () => true) {
  const content = page(side);
  const found = Array(strengths.length).fill(null);
  const strips = strengths.map((k, n) => {
    const share = (n + .5) / STRIPS;
    const darkness = bentShade(side, k) * shadeAt(side, side === SIDE.right ? share : 1 - share);
    const veil = (...ends) => { found[n] = ends; };
    return { content, part: PART.strip + n, written: { visible: isVisible(n) }, darkness, veil };
  });
  shadeStrips(strips);
  return { found, strips };
}

/** The strengths of the shade of strips with a progress and a bend, which are those of their angles. */
const strengths = (progress, bend) => Array.from({ length: STRIPS }, (_, n) => {
  const curve = Math.PI / 2 * Math.sin(Math.PI / 2 * (n + .5) / STRIPS) - 1;
  const angle = Math.PI * (progress + bend * progress * (1 - progress) * curve);
  return Math.max(0, 1 - Math.abs(1 - angle * 2 / Math.PI));
});

test('a bent leaf is lit as one surface: strips are equally dark where they meet', () => {
  const lap = LAP * STRIPS / WIDTH;
  for (const side of [SIDE.right, SIDE.left]) {
    for (const progress of [.1, .25, .4, .6, .9]) {
      for (const bend of [-.8, 0, .8]) {
        const { found, strips } = shades(side, strengths(progress, bend));
        for (let n = 1; n < STRIPS; n += 1) {
          const [[before, hinge], [same, after]] = [found[n - 1], found[n]];
          assert.equal(hinge, same);
          // What one strip shows beyond the hinge, and what the other one shows there.
          const step = Math.abs(onward(before, hinge, lap) - (same + (after - same) * lap));
          assert.ok(step < .01, `${progress}, ${bend}, hinge ${n}: a step of ${step}`);
          assert.ok(Math.abs((before + hinge) / 2 - strips[n - 1].darkness) < .03);
        }
      }
    }
  }
});

test('hidden strips and those of another page do not lighten or darken their neighbours', () => {
  const all = strengths(.3, .8);
  const { found, strips } = shades(SIDE.right, all, (n) => n < 5);
  assert.deepEqual(found.slice(5), Array(5).fill(null));
  assert.ok(Math.abs((found[4][0] + found[4][1]) / 2 - strips[4].darkness) < 1e-9);
  const other = shades(SIDE.left, all).strips;
  const hidden = other.map((strip) => ({ ...strip, written: { visible: true } }));
  const mixed = [...shades(SIDE.right, all).strips, ...hidden];
  const ends = [];
  mixed[9].veil = (...shade) => { ends.push(shade); };
  shadeStrips(mixed);
  assert.ok(Math.abs((ends[0][0] + ends[0][1]) / 2 - mixed[9].darkness) < 1e-9);
});

test('a leaf that begins to bend is as dark as at rest, and paper on edge lets light through', () => {
  for (const side of [SIDE.right, SIDE.left]) {
    for (const k of [0, .2, REST_SHADE]) assert.equal(bentShade(side, k), shadeOpacity(side, k));
    let last = 0;
    for (let k = 0; k <= 1; k += .01) {
      const shade = bentShade(side, k);
      assert.ok(shade >= last && shade - last < .03, `strength ${k}`);
      last = shade;
    }
    assert.ok(bentShade(side, 1) * shadeAt(side, side === SIDE.right ? 1 : 0) < .36, 'the darkest paper');
  }
});

test('the shadow of a leaf ends in a rim, which stays on the page', () => {
  const height = 568;
  // A page of the flat book, and one of the standing book, shortened to the length of the shadow.
  const shortened = (length, [x, z], scale) =>
    [x * scale * length, 0, z * scale * length, -z * scale * length / 2000, 0, scale, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  for (const [direction, scale] of [[[1, 0], 1.112], [[-1, 0], 1.112], [[Math.SQRT1_2, Math.SQRT1_2], 1]]) {
    const reach = (length) => reachOf(shortened(length, direction, scale), height);
    assert.ok(Math.abs(reach(.5) - 1.35) < 1e-9);
    assert.ok(Math.abs(reach(.9) - 1 / .9) < 1e-9);
    assert.equal(reach(1), 1);
    assert.equal(reach(1.01), 1);
  }
  // A trapezoid that is as long as the page at one edge.
  const [upper, lower] = [1, .6];
  const slanted = shortened(2 * upper * lower / (upper + lower), [1, 0], 1);
  slanted[7] = (upper - lower) / (upper + lower) * 2 / height;
  assert.ok(Math.abs(reachOf(slanted, height) - 1) < 1e-9);
});

test('the leaves at the edge of a book and the gaps between them are never finer than pixels that can be seen', () => {
  for (const scale of [.5, 1, 1.15, 2.3, 3.45]) {
    const { width, gap } = leafAt(scale);
    assert.ok(width * scale >= 2 - 1e-9 && gap * scale >= 1.25, `scale ${scale}: ${width}, ${gap}`);
  }
  assert.deepEqual(leafAt(3), { width: 1.4, gap: .8 });
});

test('a part is a strip of a curl, or something else', () => {
  assert.deepEqual([0, 1, 2, 15, 26, 31, 96, 255].map(stripOf), Array(8).fill(null));
  assert.deepEqual([16, 25, 32, 48, 73, 89].map(stripOf), [
    { index: 0, apex: null }, { index: 9, apex: null }, { index: 0, apex: 2.5 },
    { index: 0, apex: 1 }, { index: 9, apex: -2.5 }, { index: 9, apex: -1 },
  ]);
  assert.equal(spreadAt(null, .3), 1);
  assert.equal(spreadAt(1, -.5), 1);
  assert.equal(spreadAt(-1, -.5), 3);
});
