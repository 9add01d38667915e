import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';

const FOLDER = new URL('../../Web/css/', import.meta.url);

test('no rule depends on what the body contains, which would compute all styles after every change', () => {
  for (const name of readdirSync(FOLDER)) {
    const css = readFileSync(new URL(name, FOLDER), 'utf8').replace(/\/\*.*?\*\//gs, '');
    for (const [rule] of css.matchAll(/[^{}]*{/g)) assert.doesNotMatch(rule, /(\b(body|html)|:root|\]|&):has\(/, name);
  }
});
