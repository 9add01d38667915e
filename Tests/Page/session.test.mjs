import assert from 'node:assert/strict';
import test from 'node:test';
import { app, session, update, watch } from '../../Web/js/app.js';
import { attend, receive } from '../../Web/js/messages.js';
import { isZoomed } from '../../Web/js/text/pages.js';
import { ROLE, SCREEN } from '../../Web/js/wire.js';

const node = { classList: { toggle() {} }, dataset: {} };
globalThis.document = { body: node, getElementById: () => node, hidden: false };
// The stage is not drawn, with or without animation frames.
globalThis.requestAnimationFrame = globalThis.setTimeout = () => {};

/** A page before its first message; returns the modules that it will load. */
function start() {
  const loaded = [];
  // What an earlier test has left goes nowhere.
  attend({ handle() {} });
  Object.assign(session, {
    caption: null, role: null, room: null, framing: null, place: null, links: null, playback: null, people: new Map(),
    me: 0, self: null, isSettled: false,
  });
  Object.assign(app, {
    stage: { matrix: [1], frameArrived() {} }, playout: { state: {}, snapshot() {} }, connection: {},
    load: (name) => loaded.push(name), controller: undefined,
  });
  return loaded;
}

test('those who watch a fact are called once it is written, but not before the first caption', () => {
  start();
  const seen = [];
  watch(() => seen.push('room'), 'room');
  watch(() => seen.push('any'));
  update({ room: {} });
  assert.deepEqual(seen, []);
  update({ caption: { screen: SCREEN.shelf } });
  assert.deepEqual(seen.splice(0), ['room', 'any']);
  update({ caption: { screen: SCREEN.shelf } });
  assert.deepEqual(seen.splice(0), ['any']);
  update({ room: {}, role: {} });
  assert.deepEqual(seen.splice(0), ['room', 'any']);
  watch(() => seen.push('late'), 'role');
  assert.deepEqual(seen, ['late']);
});

test('the open book, the zoom and the right to open books follow from what the server has said', () => {
  start();
  const known = () => [session.isBook, session.book, isZoomed(), session.mayOpen];
  assert.deepEqual(known(), [false, '', false, false]);
  Object.assign(session, {
    caption: { screen: SCREEN.book, book: 'a' }, framing: { scale: .5 }, role: { rights: { mayShare: true } },
  });
  assert.deepEqual(known(), [true, 'a', true, true]);
  session.framing.scale = 1;
  assert.deepEqual(known(), [true, 'a', false, true]);
  session.caption = { screen: SCREEN.shelf, book: 'a' };
  assert.deepEqual(known(), [false, '', false, true]);
});

test('a role and a room decide when frames are shown, and end what belongs to others', () => {
  start();
  Object.assign(session, { place: {}, links: {} });
  receive({ type: 'role', role: ROLE.wanderer, rights: {} });
  assert.deepEqual([app.playout.isPrompt, session.place], [true, {}]);
  receive({ type: 'role', role: ROLE.follower, rights: {} });
  assert.deepEqual([app.playout.isPrompt, session.place], [false, null]);
  receive({ type: 'room', isShared: true, delay: .1 });
  assert.deepEqual([app.playout.delay, session.links], [.1, {}]);
  receive({ type: 'room', isShared: false, delay: 0 });
  assert.equal(session.links, null);
});

test('a caption loads the controls of its screen', () => {
  const loaded = start();
  const caption = { type: 'caption', heading: '', title: 'A', author: '', range: { labels: [], total: '' } };
  receive({ ...caption, screen: SCREEN.shelf, book: 'a' });
  receive({ ...caption, screen: SCREEN.book, book: 'a' });
  assert.deepEqual(loaded, ['library', 'reading']);
  assert.equal(session.book, 'a');
});

test('the controller gets the messages that came before it, in their order, and all later ones', () => {
  start();
  const types = [];
  receive({ type: 'room', isShared: true, delay: 0 });
  receive({ type: 'clock' });
  attend({ handle: ({ type }) => types.push(type) });
  receive({ type: 'snapshot' });
  assert.deepEqual(types, ['room', 'clock', 'snapshot']);
});

test('a fact is known to the controller before those who watch it are called', () => {
  start();
  session.caption = { screen: SCREEN.shelf };
  const seen = [];
  attend({ handle: () => seen.push(session.room.delay) });
  watch(() => seen.push('watched'), 'room');
  seen.length = 0;
  receive({ type: 'room', isShared: true, delay: .1 });
  assert.deepEqual(seen, [.1, 'watched']);
});
