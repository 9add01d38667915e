import assert from 'node:assert/strict';
import test from 'node:test';
import { chord } from '../../Web/js/motion/parts.js';
import { LAP, MARGIN, leastShade, shadeAt } from '../../Web/js/motion/paint.js';
import { rangeOf } from '../../Web/js/motion/sprite.js';
import { STRIPS } from '../../Web/js/session/wire.js';
import { SIDE } from '../../Web/js/wire.js';

const WIDTH = 362;
const page = (side) => ({ side, width: WIDTH });

/** The matrices of two strips that follow each other, at given angles, for a page on one side. */
function strips(angles, first, side) {
  const way = side === SIDE.right ? 1 : -1;
  let [x, z] = [0, 0];
  return Array.from({ length: first + 2 }, (_, n) => {
    const angle = angles[Math.max(0, n - first)];
    const [s, c] = [Math.sin(angle), Math.cos(angle)];
    const inner = n * WIDTH / STRIPS;
    const depth = z - inner * s;
    const matrix = [way * c, 0, way * s, -way * s / 2000, 0, 1, 0, 0, 0, 0, 1, 0];
    matrix.push(x - inner * c, 0, depth, 1 - depth / 2000);
    x += WIDTH / STRIPS * c;
    z += WIDTH / STRIPS * s;
    return matrix;
  }).slice(-2);
}

const seen = (m, x) => [0, 1, 2, 3].map((k) => x * m[k] + m[12 + k]);

test('two strips drawn as one begin and end where they do', () => {
  for (const side of [SIDE.right, SIDE.left]) {
    for (const index of [0, 2, 8]) {
      const [first, second] = strips([.7, 1.1], index, side);
      const way = side === SIDE.right ? 1 : -1;
      const [inner, outer] = [index, index + 2].map((n) => way * n * WIDTH / STRIPS);
      const both = chord(first, second, inner);
      for (const [x, strip] of [[inner, first], [outer, second]]) {
        const off = seen(both, x).map((value, k) => Math.abs(value - seen(strip, x)[k]));
        assert.ok(Math.max(...off) < 1e-3, `side ${side}, strip ${index}: ${off}`);
      }
    }
  }
});

test('strips cover their page with a lap on either side, and the outer one has the margin', () => {
  for (const side of [SIDE.right, SIDE.left]) {
    for (const count of [1, 2]) {
      const ranges = Array.from({ length: STRIPS / count }, (_, n) => rangeOf(n * count, count, page(side)));
      const ordered = side === SIDE.right ? ranges : ranges.toReversed();
      for (const [n, [from, to]] of ordered.entries()) {
        assert.ok(to - from >= WIDTH / STRIPS * count);
        if (n > 0) assert.ok(Math.abs(ordered[n - 1][1] - from - 2 * LAP) < 1e-9);
      }
      const [start, end] = [ordered[0][0], ordered.at(-1)[1]];
      assert.deepEqual([start, end], side === SIDE.right ? [0, WIDTH + MARGIN] : [-MARGIN, WIDTH]);
    }
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
