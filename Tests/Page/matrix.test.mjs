import assert from 'node:assert/strict';
import test from 'node:test';
import { matrixText } from '../../Web/js/stage.js';

const numbers = (text) => text.slice('matrix3d('.length, -1).split(',').map(Number);

test('the text of a matrix keeps every bit of its Float32 entries', () => {
  const m = Float32Array.of(
    .7071067811865475, 0, .7071067811865475, -.00035355339059327373, 0, 1, 0, 0,
    -.7071067811865475, 0, .7071067811865475, -3.5e-9, -126.7, 1e-12, 1234.5678, 1);
  assert.deepEqual(Float32Array.from(numbers(matrixText(m))), m);
});

test('one entry has an exponent, so that browsers keep every digit', () => {
  const m = new Float32Array(16);
  m[0] = m[5] = m[10] = m[15] = 1;
  assert.equal(matrixText(m), 'matrix3d(1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1e0)');
  m[15] = .872;
  assert.match(matrixText(m), /,8\.7\d*e-1\)$/);
  assert.equal(Math.fround(numbers(matrixText(m))[15]), m[15]);
});
