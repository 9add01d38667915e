import assert from 'node:assert/strict';
import test from 'node:test';
import { app, session } from '../../Web/js/app.js';
import { wayBack } from '../../Web/js/wayback.js';

/** Returns the text of the way back, and the effect of its action. */
function back({ screen = 2, isFlat = false, rights = {}, room = {} }) {
  const done = [];
  Object.assign(session, { caption: { screen, isFlat }, role: { rights }, room: { isShared: true, ...room } });
  Object.assign(app, {
    press: (key) => done.push(key), send: () => done.push('catch up'),
    load: async (name) => { done.push(name); return null; },
  });
  const { words, go } = wayBack();
  go();
  return [words, ...done];
}

test('a host closes the book, or goes on to all shelves', () => {
  const rights = { mayShare: true };
  assert.deepEqual(back({ rights }), ['Close the book', 'Escape']);
  assert.deepEqual(back({ rights, screen: 1 }), ['All shelves', 'Escape']);
  assert.deepEqual(back({ rights, room: { isShared: false } }), ['Close the book', 'Escape']);
});

test('a guest does not close the book: it leaves the session, or goes to a shared shelf', () => {
  assert.deepEqual(back({}), ['Leave the session', 'together/leave']);
  assert.deepEqual(back({ isFlat: true }), ['Stand the book up', 'Escape']);
  assert.deepEqual(back({ rights: { mayLeaveBook: true } }), ['To the shelf', 'Escape']);
  assert.deepEqual(back({ screen: 1 }), ['Back to the others', 'catch up']);
});
