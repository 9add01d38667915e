import assert from 'node:assert/strict';
import test from 'node:test';
import { arrival, keep, keysOf, persona, resumeName, secretOf, takePass } from '../../Web/js/keys.js';
import { forgetSecret } from '../../Web/js/session/participants.js';

class Store extends Map {
  getItem(name) { return this.get(name) ?? null; }
  setItem(name, value) { this.set(name, value); }
  removeItem(name) { this.delete(name); }
}

/** Opens a window at an address; its storage can be passed to the next one. */
function open(t, address, { session = new Store(), local = new Store(), name = '' } = {}) {
  const { pathname, hash } = new URL(address, 'http://127.0.0.1');
  const page = { left: null };
  const history = { replaceState: (state, title, path) => { page.left = path; } };
  const all = { sessionStorage: session, localStorage: local, location: { pathname, hash }, history, name };
  Object.assign(globalThis, all, { window: globalThis });
  t.after(() => { for (const key of [...Object.keys(all), 'window']) delete globalThis[key]; });
  return Object.assign(page, { session, local });
}

test('only the address determines the room', (t) => {
  const all = [['/r/k7-X', 'k7-X'], ['/', ''], ['/r/', ''], ['/r/a/b', 'a'], ['/r/a/b/9', 'a'], ['/r/a/b/c', ''],
    ['/r/a%20b', '']];
  for (const [address, room] of all) {
    open(t, address);
    assert.deepEqual(arrival(), { room, typed: '', resume: '' });
  }
});

test('the secret of a link is stored for this window and removed from the address', (t) => {
  const page = open(t, '/r/k7-X#r3Y6mEJw0bC9uX1qL8sTfA');
  assert.equal(arrival().room, 'k7-X');
  assert.equal(page.left, '/r/k7-X');
  assert.deepEqual(keysOf('k7-X'), ['r3Y6mEJw0bC9uX1qL8sTfA']);
  assert.deepEqual(keysOf('other'), []);
  assert.equal(page.local.size, 0);
});

test('the library\'s key is stored in this browser and opens every room without a secret', (t) => {
  const page = open(t, '/#key=0123456789abcdefghij_-');
  arrival();
  assert.equal(page.left, '/');
  const later = open(t, '/r/k7-X', { local: page.local });
  arrival();
  assert.equal(later.left, null);
  assert.deepEqual(keysOf('k7-X'), ['0123456789abcdefghij_-']);
  assert.deepEqual(keysOf(''), ['0123456789abcdefghij_-']);
  keep('sessionStorage', 'lectern-room-k7-X', 'secret');
  assert.deepEqual(keysOf('k7-X'), ['secret', '0123456789abcdefghij_-']);
});

test('a page that replaces another is the same member, once and within a minute', (t) => {
  const page = open(t, '/r/k7-X');
  const left = (at, room = 'k7-X') => keep('sessionStorage', resumeName(), JSON.stringify({ room, token: 'T', at }));
  left(Date.now() - 1000);
  assert.equal(arrival().resume, 'T');
  assert.equal(arrival().resume, '');
  left(Date.now() - 61_000);
  assert.equal(arrival().resume, '');
  left(Date.now(), 'other');
  assert.equal(arrival().resume, '');
  assert.equal(page.session.size, 0);
});

test('the code of an address is taken once, and leads away from the room that was left', (t) => {
  const page = open(t, '/c/abcdef');
  keep('sessionStorage', resumeName(), JSON.stringify({ room: 'k7-X', token: 'T', at: Date.now() - 1000 }));
  assert.deepEqual(arrival(), { room: '', typed: 'ABCDEF', resume: '' });
  assert.equal(page.left, '/');
  for (const address of ['/c/', '/c/abc', '/c/abcdefg', '/c/abc123', '/x/abcdef']) {
    open(t, address);
    assert.equal(arrival().typed, '');
  }
});

test('the plain address continues as the same member, too, within a minute', (t) => {
  open(t, '/');
  const left = (at) => keep('sessionStorage', resumeName(), JSON.stringify({ room: 'k7-X', token: 'T', at }));
  left(Date.now() - 1000);
  assert.deepEqual(arrival(), { room: '', typed: '', resume: 'T' });
  left(Date.now() - 61_000);
  assert.deepEqual(arrival(), { room: '', typed: '', resume: '' });
});

test('frames of one page stay different members', (t) => {
  const page = open(t, '/r/k7-X', { name: 'tablet' });
  keep('sessionStorage', resumeName(), JSON.stringify({ room: 'k7-X', token: 'T', at: Date.now() }));
  open(t, '/r/k7-X', { session: page.session, name: 'wall' });
  assert.equal(arrival().resume, '');
});

test('the page works without storage', (t) => {
  open(t, '/r/k7-X#secret', { session: null, local: null });
  assert.deepEqual(arrival(), { room: 'k7-X', typed: '', resume: '' });
  assert.deepEqual(persona(), {});
  assert.equal(secretOf('k7-X'), '');
});

test('a rejected secret removes no other one', (t) => {
  const page = open(t, '/r/k7-X#wrong');
  page.local.setItem('lectern-room-k7-X', 'right');
  arrival();
  assert.equal(secretOf('k7-X'), 'wrong');
  forgetSecret('k7-X', 'wrong');
  assert.equal(secretOf('k7-X'), 'right');
});

test('the pass is a cookie of this window, and lasts as long as the pass', (t) => {
  open(t, '/r/k7-X');
  globalThis.document = { cookie: '' };
  t.after(() => delete globalThis.document);
  takePass('7~46~b-k3.c2ln');
  const [cookie, ...attributes] = document.cookie.split(';');
  assert.match(cookie, /^lectern-pass-[a-z0-9]+=7~46~b-k3\.c2ln$/);
  assert.deepEqual(attributes, ['path=/', 'max-age=120', 'samesite=strict']);
  location.protocol = 'https:';
  takePass('8~46.c2ln');
  assert.equal(document.cookie, `${cookie.split('=')[0]}=8~46.c2ln;path=/;max-age=120;samesite=strict;secure`);
});
