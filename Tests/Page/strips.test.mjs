import assert from 'node:assert/strict';
import test from 'node:test';
import { LAP, MARGIN, leastShade, shadeAt } from '../../Web/js/motion/paint.js';
import { chord, rangeOf } from '../../Web/js/motion/strips.js';
import { spreadAt, stripOf } from '../../Web/js/motion/rulings.js';
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
      const both = chord(first, second, [inner, outer], null);
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

/** The matrices of strips between rulings that meet in an apex, at given angles, for a page on the right. */
function cone(angles, apex, height) {
  const y = apex * height;
  const far = (apex > 0 ? -height / 2 : height / 2) - y;
  let [ex, ey] = [[1, 0, 0], [0, 1, 0]];
  const add = (a, p, b, q) => p.map((value, k) => a * value + b * q[k]);
  return angles.map((angle, n) => {
    const turn = angle - (angles[n - 1] ?? 0);
    const length = Math.hypot(n * WIDTH / STRIPS, far);
    const [s, c] = [n * WIDTH / STRIPS / length, far / length];
    const normal = [1, 2, 3].map((_, k) => ex[(k + 1) % 3] * ey[(k + 2) % 3] - ex[(k + 2) % 3] * ey[(k + 1) % 3]);
    const ruling = add(s, ex, c, ey);
    // Away from the spine, within the page.
    const way = Math.sign(-c);
    const out = add(Math.abs(c), ex, way * s, ey);
    const turned = add(Math.cos(turn), out, Math.sin(turn), normal);
    [ex, ey] = [add(s, ruling, Math.abs(c), turned), add(c, ruling, way * s, turned)];
    const origin = add(1, [0, y, 0], -y, ey);
    const row = (v, w) => [...v, w - v[2] / 2000];
    return [...row(ex, 0), ...row(ey, 0), 0, 0, 1, 0, ...row(origin, 1)];
  });
}

test('two strips of a slanted curl drawn as one begin and end where they do', () => {
  const height = 568;
  for (const apex of [1, 2.5, -1, -2.5]) {
    const matrices = cone(Array.from({ length: STRIPS }, (_, n) => .3 + .12 * n), apex, height);
    const ends = { y: apex * height, far: apex > 0 ? -height / 2 : height / 2 };
    for (const index of [0, 2, 8]) {
      const [inner, outer] = [index, index + 2].map((n) => n * WIDTH / STRIPS);
      const [first, second] = matrices.slice(index);
      const both = chord(first, second, [inner, outer], ends);
      for (const [hinge, strip] of [[inner, first], [outer, second]]) {
        for (const share of [.4, 1]) {
          const [x, y] = [share * hinge, ends.y + share * (ends.far - ends.y)];
          const at = (m) => [0, 1, 2, 3].map((k) => x * m[k] + y * m[4 + k] + m[12 + k]);
          const off = at(both).map((value, k) => Math.abs(value - at(strip)[k]));
          assert.ok(Math.max(...off) < 2e-3, `apex ${apex}, strip ${index}: ${off}`);
        }
      }
    }
  }
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
