import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { filterPixels } from '../../Web/js/settings/tone.js';

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

const { night } = LIGHTS;
const rgb = (colour) => colour.slice(1).match(/../g).map((pair) => parseInt(pair, 16));
const hex = (channels) => `#${channels.map((c) => Math.round(c).toString(16).padStart(2, '0')).join('')}`;
const mixed = (one, share, other) => hex(rgb(one).map((c, n) => c * share + rgb(other)[n] * (1 - share)));
/** What a pattern finds in the style of the night, as numbers. */
const found = (pattern) => css.match(pattern).slice(1).map(Number);

test('links and other coloured words on pages are read by night', () => {
  // The links of browsers, of word processors and of writing programs, and what is usual for emphasis.
  for (const colour of ['#0000ee', '#0563c1', '#1155cc', '#b5352a', '#ff0000', '#c00000', '#008000']) {
    const pixel = [...rgb(colour), 255];
    filterPixels(pixel, night['ink-tone']);
    const shown = hex(pixel.slice(0, 3).map((c, n) => Math.max(c, rgb(night.paper)[n])));
    assert.ok(contrast(shown, night.paper) >= TEXT, `${colour} has ${contrast(shown, night.paper).toFixed(2)}`);
  }
});

test('by night ledges are seen, and neither spines nor boards are brighter than text', () => {
  const [dimmed] = found(/night\] \.ledge \.face\{opacity:([\d.]+)/);
  const [plank] = found(/night\] #plank stop\{stop-color:color-mix\(in srgb,var\(--table\) (\d+)%/);
  const [edge] = found(/night\] #plank stop:first-child\{stop-color:color-mix\(in srgb,var\(--table\) (\d+)%/);
  for (const [share, least] of [[plank, 1.4], [edge, 2]]) {
    const shown = mixed(mixed(night.table, share / 100, night.mist), dimmed, night.table);
    assert.ok(contrast(shown, night.table) >= least, `${shown} has ${contrast(shown, night.table).toFixed(2)}`);
  }
  assert.ok(luminance(mixed('#f6f1e6', dimmed, night.table)) < luminance(night.mist));
  const [share] = found(/night\] #stage\{--boards:color-mix\(in srgb,var\(--board\) (\d+)%/);
  // The lightest board is that of a white cover.
  assert.ok(luminance(mixed('#7f7f7f', share / 100, '#15191d')) < .25 * luminance(night.ink2));
});
