import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { Participants } from '../../Web/js/session/participants.js';
import { ended, unconnected } from '../../Web/js/session/ended.js';
import { decode } from '../../Web/js/wire.js';

const file = new URL('../WireTests/Vectors/wire.json', import.meta.url);
const vectors = new Map(JSON.parse(readFileSync(file, 'utf8')).server.map(({ name, hex }) => [name, hex]));
const message = (name) => decode(Uint8Array.from(Buffer.from(vectors.get(name), 'hex')).buffer);

function start() {
  const session = {
    room: null, me: 0, role: null, people: new Map(), place: null, links: null, playback: null, sync: new Map(),
    pointers: new Map(), onPointer: null,
  };
  const actions = { send: () => {} };
  const context = { view: { caption: null }, session, actions };
  const connection = { room: 'A', entered: [], enter: (...to) => connection.entered.push(to) };
  const participants = new Participants(context, connection);
  const handle = (name, more = {}) => participants.handle({ ...message(name), ...more });
  return { session, actions, connection, participants, handle };
}

test('members join, change and leave', () => {
  const { session, connection, participants, handle } = start();
  session.me = 1;
  assert.equal(participants.hasOthers, false);
  assert.equal(handle('people'), true);
  assert.deepEqual([...session.people.keys()], [1, 4_000_000_001, 3]);
  assert.equal(session.people.get(1).isHost, true);
  assert.equal(participants.hasOthers, true);
  // The name survives a reconnection to a server that has forgotten it.
  assert.equal(connection.persona.name, 'Maren');
  handle('people who went');
  assert.deepEqual([...session.people.keys()], [1, 4_000_000_001]);
});

test('the secrets of links stay when a later message has only a new code', () => {
  const { session, participants } = start();
  const news = message('links');
  participants.handle(news);
  assert.equal(session.links.code, 'HFKMPJ');
  const again = Buffer.from('900000000000000600414243444546000016440000', 'hex').subarray(0, 19);
  participants.handle({ type: 'links', view: new DataView(Uint8Array.from(again).buffer) });
  assert.equal(session.links.code, 'ABCDEF');
  assert.equal(session.links.follow, 'r3Y6mEJw0bC9uX1qL8sTfA');
});

test('a pointer is passed to its drawing function and is no other change', () => {
  const { session, handle } = start();
  const seen = [];
  session.onPointer = (pointer) => seen.push(pointer);
  assert.equal(handle('pointer on a page'), false);
  assert.deepEqual(seen, [{ member: 7, kind: 2, time: 1234.5678, element: 4_000_000_000, x: .25, y: .75 }]);
});

test('pointers are kept for a later drawing function and end with the connection', () => {
  const { session, handle } = start();
  handle('pointer on a page');
  assert.deepEqual([...session.pointers.keys()], [7]);
  const seen = [];
  session.onPointer = ({ member, kind }) => seen.push([member, kind]);
  handle('welcome');
  assert.deepEqual(seen, [[7, 0]]);
  assert.equal(session.pointers.size, 0);
});

test('place, sync and playback are stored until they end', () => {
  const { session, handle } = start();
  handle('place');
  handle('sync');
  handle('playback');
  assert.deepEqual(session.place, {
    book: 'b7k-ä', page: 15, title: 'Der Deich', position: 'pages xvi–xvii', label: 'xvi–xvii',
    range: { labels: ['xvi', 'xvii'], total: '' },
  });
  assert.equal(session.sync.get(1).roundTrip, .001953125);
  assert.equal(session.playback.length, 600);
  handle('playback put away');
  assert.equal(session.playback, null);
  handle('role');
  assert.equal(session.place, null);
});

test('each page that is open while another member is present counts once', () => {
  const { participants, handle } = start();
  const caption = { type: 'caption', screen: 2, book: 'b', spread: [9, 10] };
  participants.handle(caption);
  assert.equal(participants.pages, 0);
  handle('people');
  participants.handle(caption);
  participants.handle(caption);
  participants.handle({ ...caption, spread: [11, 12] });
  assert.equal(participants.pages, 4);
});

test('the host is the other member with a host\'s rights', () => {
  const { session, participants, handle } = start();
  handle('people');
  session.me = 3;
  assert.equal(participants.host, 'Maren');
});

test('a code leads to a room without its name', () => {
  const { actions, connection } = start();
  actions.enter(' hfkmpj ');
  assert.deepEqual(connection.entered, [['', 'HFKMPJ']]);
});

test('the end of a connection says what happened and what the reader can do', () => {
  const about = { room: 'A', typed: '', host: 'Maren', pages: 31 };
  const said = ended(4009, about);
  assert.deepEqual([said.title, said.words], ['Maren closed the book', 'You read 31 pages together.']);
  assert.equal(ended(4009, { ...about, host: '', pages: 1 }).words, 'You read 1 page together.');
  assert.deepEqual(said.acts, [{ text: 'Open a room of your own', href: '/' }]);
  assert.equal(ended(4007, about).title, 'The host has removed you from this reading');
  assert.equal(ended(4004, about).title, 'This room is full');
  assert.deepEqual(ended(4004, about).acts, [{ text: 'Try again' }]);
  assert.equal(ended(4005, { ...about, typed: 'HFKMPJ' }).letters, 'HFKMPJ');
  assert.deepEqual(ended(4005, { ...about, room: '' }).acts, [{ needsKey: true }]);
  assert.match(ended(4001, about).words, /Reload the page/);
  assert.equal(ended(4999, about).words, '');
});

test('no end is a dead end: a room of one\'s own, the key of the library and a code are offered', () => {
  const about = { room: 'A', typed: '', host: '', pages: 0 };
  const home = { text: 'Open a room of your own', href: '/' };
  for (const [refused, title] of [
    ['', 'You need an invitation link for this room'], ['link', 'This reading is over'],
    ['key', 'That key does not open this library'],
  ]) {
    const said = ended(4005, { ...about, refused });
    assert.equal(said.title, title);
    assert.deepEqual(said.acts, [{ needsKey: true }, home]);
    assert.equal(said.takesCode, true);
  }
  assert.equal(ended(4005, { ...about, room: '', refused: 'key' }).title, 'That key does not open this library');
  for (const { acts, takesCode } of [4002, 4012].map((code) => ended(code, about))) {
    assert.deepEqual([acts, takesCode], [[home], true]);
  }
  assert.match(unconnected(true).words, /WebSockets.*Upgrade/s);
  assert.equal(unconnected(false).title, 'The server does not answer');
});
