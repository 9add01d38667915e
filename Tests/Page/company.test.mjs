import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { Company } from '../../Web/js/beside/company.js';
import { ended } from '../../Web/js/beside/ended.js';
import { decode } from '../../Web/js/wire.js';
import { withDocument } from './dom.mjs';

const file = new URL('../WireTests/Vectors/wire.json', import.meta.url);
const vectors = new Map(JSON.parse(readFileSync(file, 'utf8')).server.map(({ name, hex }) => [name, hex]));
const message = (name) => decode(Uint8Array.from(Buffer.from(vectors.get(name), 'hex')).buffer);

function start() {
  const desk = {
    caption: null, room: null, me: 0, role: null, people: new Map(), place: null, links: null, playback: null,
    sync: new Map(), sent: [], send: (bytes) => desk.sent.push(bytes),
  };
  const connection = { room: 'A', entered: [], enter: (...to) => connection.entered.push(to) };
  const company = new Company(desk, connection);
  const hear = (name, more = {}) => company.hear({ ...message(name), ...more });
  return { desk, connection, company, hear };
}

test('people come, change and go', () => {
  const { desk, connection, company, hear } = start();
  desk.me = 1;
  assert.equal(company.isCompany, false);
  assert.equal(hear('people'), true);
  assert.deepEqual([...desk.people.keys()], [1, 4_000_000_001, 3]);
  assert.equal(desk.people.get(1).isHost, true);
  assert.equal(company.isCompany, true);
  // Who comes back is known by the same name, also to a server that has forgotten it.
  assert.equal(connection.persona.name, 'Maren');
  hear('people who went');
  assert.deepEqual([...desk.people.keys()], [1, 4_000_000_001]);
});

test('secrets of links are told once and stay known when only the code is new', () => {
  const { desk, company } = start();
  const news = message('links');
  company.hear(news);
  assert.equal(desk.links.code, 'HFKMPJ');
  const again = Buffer.from('900000000000000600414243444546000016440000', 'hex').subarray(0, 19);
  company.hear({ type: 'links', view: new DataView(Uint8Array.from(again).buffer) });
  assert.equal(desk.links.code, 'ABCDEF');
  assert.equal(desk.links.follow, 'r3Y6mEJw0bC9uX1qL8sTfA');
});

test('pointers go to those who draw them, and tell nobody else', () => {
  const { desk, hear } = start();
  const seen = [];
  desk.onPointer = (pointer) => seen.push(pointer);
  assert.equal(hear('pointer on a page'), false);
  assert.deepEqual(seen, [{ member: 7, kind: 2, time: 1234.5678, element: 65_535, x: .25, y: .75 }]);
});

test('who draws pointers late, or on a line that broke, draws what there is', () => {
  const { desk, hear } = start();
  hear('pointer on a page');
  assert.deepEqual([...desk.pointers.keys()], [7]);
  const seen = [];
  desk.onPointer = ({ member, kind }) => seen.push([member, kind]);
  hear('welcome');
  assert.deepEqual(seen, [[7, 0]]);
  assert.equal(desk.pointers.size, 0);
});

test('place, sync and playback are on the desk, and what is over is taken away', () => {
  const { desk, hear } = start();
  hear('place');
  hear('sync');
  hear('playback');
  assert.deepEqual(desk.place, { book: 'b7k-ä', page: 15, label: 'xvi' });
  assert.equal(desk.sync.get(1).roundTrip, .001953125);
  assert.equal(desk.playback.length, 600);
  hear('playback put away');
  assert.equal(desk.playback, null);
  hear('role');
  assert.equal(desk.place, null);
});

test('pages are counted while somebody else is there, each once', () => {
  const { company, hear } = start();
  const caption = { type: 'caption', screen: 2, book: 'b', page: 9 };
  company.hear(caption);
  assert.equal(company.pages, 0);
  hear('people');
  company.hear(caption);
  company.hear(caption);
  company.hear({ ...caption, page: 11 });
  assert.equal(company.pages, 4);
});

test('who closes the book is the host', () => {
  const { desk, company, hear } = start();
  hear('people');
  desk.me = 3;
  assert.equal(company.host, 'Maren');
});

test('six letters lead to a room without its name', () => {
  const { desk, connection } = start();
  desk.enter(' hfkmpj ');
  assert.deepEqual(connection.entered, [['', 'HFKMPJ']]);
});

test('the end is told in words: what happened, then what to do', (t) => {
  withDocument(t);
  globalThis.location = { href: 'http://127.0.0.1/r/A' };
  t.after(() => { delete globalThis.location; });
  const about = { reason: 'Correct the client.', room: 'A', typed: '', host: 'Maren', pages: 31 };
  const said = ended(4009, about);
  assert.deepEqual([said.title, said.words], ['Maren closed the book', 'You read 31 pages together.']);
  assert.equal(ended(4009, { ...about, host: '', pages: 1 }).words, 'You read 1 page together.');
  assert.equal(ended(4007, about).title, 'The host has shown you out');
  assert.equal(ended(4004, about).title, 'Every seat is taken');
  assert.equal(ended(4005, { ...about, typed: 'HFKMPJ' }).letters, 'HFKMPJ');
  assert.equal(ended(4000, about).words, 'Correct the client.');
});
