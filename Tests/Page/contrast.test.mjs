import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

const css = ['lectern', 'controls', 'sheet', 'light']
  .map((name) => readFileSync(new URL(`../../Web/css/${name}.css`, import.meta.url), 'utf8')).join('\n');

/** The tokens of the rules with a selector, as text by name. */
const tokens = (selector) => Object.fromEntries(css.split('}').flatMap((rule) => {
  const [head, body = ''] = rule.split('{');
  return head.trim().split('\n').at(-1) === selector ? [...body.matchAll(/--([\w-]+):([^;]+)/g)] : [];
}).map(([, name, value]) => [name, value.trim()]));

const LIGHTS = { day: tokens(':root') };
for (const light of ['night', 'sepia']) LIGHTS[light] = { ...LIGHTS.day, ...tokens(`:root[data-light=${light}]`) };

function luminance(colour) {
  const digits = colour.slice(1).length === 3 ? [...colour.slice(1)].map((d) => d + d) : colour.slice(1).match(/../g);
  const [r, g, b] = digits.map((pair) => parseInt(pair, 16) / 255)
    .map((c) => (c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4));
  return .2126 * r + .7152 * g + .0722 * b;
}

function contrast(one, other) {
  const [dark, bright] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (bright + .05) / (dark + .05);
}

const TEXT = 4.5;
const GRAPHICS = 3;

test('contrast is computed as WCAG has it', () => {
  assert.equal(contrast('#ffffff', '#000').toFixed(2), '21.00');
  assert.equal(contrast('#767676', '#fff').toFixed(2), '4.54');
});

for (const [light, all] of Object.entries(LIGHTS)) {
  const is = (one, other, least) => {
    const [a, b] = [one, other].map((name) => all[name] ?? name);
    assert.match(a, /^#[0-9a-f]+$/, `${light} has no ${one}`);
    assert.match(b, /^#[0-9a-f]+$/, `${light} has no ${other}`);
    assert.ok(contrast(a, b) >= least, `${light}: ${one} on ${other} has ${contrast(a, b).toFixed(2)}`);
  };

  test(`text on the table of the ${light} can be read`, () => {
    for (const table of ['lit', 'table', 'low', 'edge']) {
      is('cream', table, TEXT);
      is('mist', table, TEXT);
    }
  });

  test(`text on paper and on sheets of the ${light} can be read`, () => {
    const sheet = all.sheet.match(/#[0-9a-f]{6}/g);
    assert.equal(sheet.length, 2);
    for (const ground of ['paper', 'field', ...sheet]) {
      is('ink', ground, TEXT);
      is('ink2', ground, TEXT);
      is('ribbon', ground, GRAPHICS);
    }
    is('rule', 'field', GRAPHICS);
    is('paper', 'ink', TEXT);
  });

  test(`buttons and strips of the ${light} can be read`, () => {
    is('#23272b', 'cream', TEXT);
    is('#ffffff', 'ribbon', TEXT);
    is('cream', 'ribbon', GRAPHICS);
  });
}
