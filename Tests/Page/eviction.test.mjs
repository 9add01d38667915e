import assert from 'node:assert/strict';
import test from 'node:test';
import { evicted } from '../../Web/js/eviction.js';
import { KIND } from '../../Web/js/wire.js';

test('of the hidden elements, those seen last are kept', () => {
  const element = (seen, visible = false) =>
    ({ written: { visible }, seen, part: 0, content: { kind: KIND.page, id: seen } });
  const elements = new Map(Array.from({ length: 31 }, (_, n) => [n, element(n)]));
  elements.set(99, element(99, true));
  assert.deepEqual(evicted(elements), [2, 1, 0]);
});
