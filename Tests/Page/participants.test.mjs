import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { app, session, update } from '../../Web/js/app.js';
import { Participants } from '../../Web/js/session/participants.js';
import { ended, unconnected } from '../../Web/js/session/ended.js';
import { decode } from '../../Web/js/wire.js';

const file = new URL('../WireTests/Vectors/wire.json', import.meta.url);
const vectors = new Map(JSON.parse(readFileSync(file, 'utf8')).server.map(({ name, hex }) => [name, hex]));
const message = (name) => decode(Uint8Array.from(Buffer.from(vectors.get(name), 'hex')).buffer);

function start() {
  Object.assign(session, {
    caption: null, room: null, me: 0, role: null, people: new Map(), self: null, place: null, links: null,
    playback: null, sync: new Map(),
  });
  app.connection = { room: 'A' };
  const participants = new Participants();
  const handle = (name, more = {}) => participants.handle({ ...message(name), ...more });
  return { participants, handle };
}

test('members join, change and leave', () => {
  const { participants, handle } = start();
  session.me = 1;
  assert.equal(participants.hasOthers, false);
  handle('people');
  assert.deepEqual([...session.people.keys()], [1, 4_000_000_001, 3]);
  assert.equal(session.people.get(1).isHost, true);
  assert.equal(participants.hasOthers, true);
  // The name survives a reconnection to a server that has forgotten it.
  assert.equal(session.self.name, 'Maren');
  handle('people who went');
  assert.deepEqual([...session.people.keys()], [1, 4_000_000_001]);
});

test('the secrets of links stay when a later message has only a new code', () => {
  const { participants } = start();
  const news = message('links');
  participants.handle(news);
  assert.equal(session.links.code, 'HFKMPJ');
  const again = Buffer.from('900000000000000600414243444546000016440000', 'hex').subarray(0, 19);
  participants.handle({ type: 'links', view: new DataView(Uint8Array.from(again).buffer) });
  assert.equal(session.links.code, 'ABCDEF');
  assert.equal(session.links.follow, 'r3Y6mEJw0bC9uX1qL8sTfA');
});

test('the pointers of the others come to what draws them', async () => {
  const { handle } = start();
  const seen = [];
  app.load = async (name) => ({ come: (pointer) => seen.push([name, pointer]) });
  handle('pointer on a page');
  session.me = 7;
  handle('pointer on a page');
  await null;
  const pointer = { member: 7, kind: 2, time: 1234.5678, element: 4_000_000_000, x: .25, y: .75 };
  assert.deepEqual(seen, [['together/hands', pointer]]);
});

test('place, sync and playback are stored until they end', () => {
  const { handle } = start();
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
});

test('each page that is open while another member is present counts once', () => {
  const { participants, handle } = start();
  const caption = { screen: 2, book: 'b', spread: [9, 10] };
  update({ caption });
  assert.equal(participants.pages, 0);
  handle('people');
  update({ caption });
  update({ caption: { ...caption, spread: [11, 12] } });
  assert.equal(participants.pages, 4);
});

test('the host is the other member with a host\'s rights', () => {
  const { participants, handle } = start();
  handle('people');
  session.me = 3;
  assert.equal(participants.host, 'Maren');
});

test('the end of a connection says what happened and what the reader can do', () => {
  const about = { room: 'A', typed: '', host: 'Maren', pages: 31 };
  const said = ended(4009, about);
  assert.deepEqual([said.title, said.words], ['Maren closed the book', 'You read 31 pages together.']);
  assert.equal(ended(4009, { ...about, host: '', pages: 1 }).words, 'You read 1 page together.');
  assert.deepEqual(said.acts, [{ text: 'Open a room of your own', href: '/' }]);
  assert.equal(ended(4007, about).title, 'The host has removed you from this session');
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
    ['', 'The end of this link is missing'], ['link', 'This session is over'],
    ['key', 'That key does not open this library'],
  ]) {
    const said = ended(4005, { ...about, refused });
    assert.equal(said.title, title);
    assert.deepEqual(said.acts, [{ needsKey: true }, home]);
    assert.equal(said.takesCode, true);
    // Without the end of its link, a reader is most likely to have a code.
    assert.equal(said.isCodeFirst === true, refused === '');
  }
  assert.equal(ended(4005, { ...about, room: '', refused: 'key' }).title, 'That key does not open this library');
  for (const { acts, takesCode } of [4002, 4012].map((code) => ended(code, about))) {
    assert.deepEqual([acts, takesCode], [[home], true]);
  }
  assert.match(unconnected(true).words, /WebSockets.*Upgrade/s);
  assert.equal(unconnected(false).title, 'The server does not answer');
});
