import assert from 'node:assert/strict';
import test from 'node:test';
import { CHOICES, choiceOf, keepSettings, validSettings, withChoice } from '../../Web/js/settings/store.js';

test('only values that there are, other than the usual ones, are settings', () => {
  assert.deepEqual(validSettings({ light: 'night', motion: 'reduced', text: '150', sound: 'on', vibration: 'on' }),
    { light: 'night', motion: 'reduced', text: '150', sound: 'on', vibration: 'on' });
  assert.deepEqual(validSettings({ light: 'day', motion: 'system', text: '100', sound: 'off' }), {});
});

test('whatever else is stored counts as nothing', () => {
  for (const stored of [null, undefined, 7, 'night', [], ['night'], { light: 'pitch', text: 150, sound: true, x: 'on' },
    { light: { toString: () => 'night' } }, { __proto__: { motion: 'nonsense' } }]) {
    assert.deepEqual(validSettings(stored), {});
  }
});

test('a choice replaces the one before it, and the usual one removes it', () => {
  const night = withChoice({ text: '125' }, 'light', 'night');
  assert.deepEqual(night, { text: '125', light: 'night' });
  assert.deepEqual(withChoice(night, 'light', 'day'), { text: '125' });
  assert.deepEqual(withChoice(night, 'light', 'nonsense'), { text: '125' });
});

test('without a choice a setting has its first value', () => {
  for (const [name, [usual]] of Object.entries(CHOICES)) assert.equal(choiceOf({}, name), usual);
  assert.equal(choiceOf({ light: 'sepia' }, 'light'), 'sepia');
});

test('settings are stored, nothing is stored for the usual ones, and storage may fail', (t) => {
  const stored = new Map();
  globalThis.window = { localStorage: {
    setItem: (name, text) => stored.set(name, text), removeItem: (name) => stored.delete(name),
  } };
  t.after(() => { delete globalThis.window; });
  keepSettings({ light: 'night' });
  assert.deepEqual([...stored.values()], ['{"light":"night"}']);
  keepSettings({});
  assert.equal(stored.size, 0);
  Object.defineProperty(window, 'localStorage', { get() { throw new Error('no storage'); } });
  keepSettings({ light: 'night' });
});
