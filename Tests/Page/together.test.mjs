import assert from 'node:assert/strict';
import test from 'node:test';
import { beyond, wheelTo } from '../../Web/js/together/beckon.js';
import { codeIn, linkTo, roomOf, short } from '../../Web/js/together/links.js';
import { faded, placeAt, trailPath } from '../../Web/js/together/spots.js';
import {
  acts, bookAct, facts, initial, readers, shown, strip, timing, timeWords, turning,
} from '../../Web/js/together/status.js';
import { WORDS } from '../../Web/js/words/together.js';
import { ROLE } from '../../Web/js/wire.js';

const HOST_LEADS = 1;
const BOOK = { screen: 2, book: 'ferry', page: 9, position: 'pages 10–11' };

const person = (id, name, more = {}) => ({ id, name, role: ROLE.follower, colour: 0, ...more });

/** Returns a room in which Maren, a host, has the book, Theo is present, and this member is Nadia. */
function room(more = {}) {
  const people = [person(1, 'Maren', { isHost: true, role: ROLE.presenter }), person(2, 'Theo'), person(3, 'Nadia')];
  return {
    me: 3, people: new Map((more.people ?? people).map((one) => [one.id, one])), place: more.place ?? null,
    room: { presenter: 1, policy: HOST_LEADS, ...more.room },
    role: {
      role: more.role ?? ROLE.follower, rights: more.rights ?? {}, acts: more.acts ?? {},
      prompt: { kind: more.prompt ?? 'none', member: more.member ?? 0 },
    },
    caption: more.caption ?? BOOK, ...more.self,
  };
}

const text = (words) => words?.map((part) => part.name ?? part).join('') ?? null;

test('the initial of a name is its first letter in any script', () => {
  assert.deepEqual(['maren', ' Øyvind', 'élise', 'нина', '👩‍🚀 Ada', ''].map(initial), ['M', 'Ø', 'É', 'Н', '👩‍🚀', '·']);
});

test('small numbers of readers are words, and large ones are digits', () => {
  assert.deepEqual([1, 2, 12].map(WORDS.people.readers), ['One reader', 'Two readers', '12 readers']);
});

test('a time has hours only if it is long enough', () => {
  assert.deepEqual([0, 7.9, 187, 3725, -1].map(timeWords), ['0:00', '0:07', '3:07', '1:02:05', '0:00']);
});

test('a member is in step or behind, with figures in milliseconds, and neither before it has been measured', () => {
  assert.deepEqual(timing(undefined), { textContent: '', title: '' });
  assert.deepEqual(timing({ error: .0121, roundTrip: .0004 }),
    { textContent: 'in step', title: 'in time within 12\u00a0ms, round trip 1\u00a0ms' });
  assert.equal(timing({ error: .741, roundTrip: .1 }).textContent, 'behind');
});

test('a place beyond the window has a direction, and a wheel that leads to it', () => {
  const window = { width: 400, height: 800 };
  assert.equal(beyond({ left: 200, top: 400 }, window), null);
  assert.equal(beyond({ left: -7, top: 807 }, window), null);
  assert.deepEqual(beyond({ left: 600, top: 400 }, window), { x: 316, y: 400, angle: 0 });
  assert.equal(Math.abs(beyond({ left: -200, top: 400 }, window).angle), Math.PI);
  assert.deepEqual(beyond({ left: 200, top: 1000 }, window), { x: 200, y: 728, angle: Math.PI / 2 });
  assert.deepEqual(wheelTo({ left: 700, top: 100 }, window, false), { dx: 500, dy: -300, x: 200, y: 400 });
  assert.equal(wheelTo({ left: 700, top: 100 }, window, true).dy, 0, 'a window of one page goes to the other page');
});

test('a reader with two windows is counted and shown once', () => {
  const again = person(3, 'Maren', { isAgain: true });
  const people = new Map([person(1, 'Maren'), person(2, 'Theo'), again].map((one) => [one.id, one]));
  assert.equal(readers(people), 2);
  assert.deepEqual(shown(people, { presenter: 1, me: 2 }).some.map(({ id }) => id), [1, 2]);
  assert.deepEqual(shown(people, { presenter: 3, me: 2 }).some.map(({ id }) => id), [1, 2, 3]);
  assert.ok(facts(again, room()).includes('another window'));
});

test('the bar shows five members, among them the presenter and this member', () => {
  const people = new Map(Array.from({ length: 17 }, (_, n) => [n + 1, person(n + 1, `P${n + 1}`)]));
  const { some, more } = shown(people, { presenter: 9, me: 12 });
  assert.deepEqual(some.map(({ id }) => id), [1, 2, 3, 9, 12]);
  assert.equal(more, 12);
});

test('members that do not turn the pages see who does', () => {
  const said = (turner, more = {}) => turning(room({ room: { turner, ...more } }));
  assert.equal(said('presenter'), 'Maren is turning the pages');
  assert.equal(turning(room({ room: { turner: 'presenter' }, self: { me: 1 } })), '');
  assert.equal(turning(room({ room: { turner: 'presenter' }, role: ROLE.wanderer })), '');
  assert.deepEqual(['choosing', 'away'].map((turner) => said(turner)),
    ['Maren is choosing a book', 'Maren is away for a moment']);
  assert.deepEqual(['none', 'anyone', 'nobody'].map((turner) => said(turner, { presenter: 0 })),
    ['', 'Anyone may turn the page', 'Nobody has the book']);
});

test('what a member may do about the book is what the server says', () => {
  const said = (act) => bookAct({ role: { bookAct: act } });
  assert.equal(said('none'), null);
  assert.deepEqual(['ask', 'withdraw', 'takeBack', 'take', 'catchUp'].map((act) => said(act).words),
    ['Ask for the book', 'Asked', 'Take the book back', 'Take the book', 'Catch up']);
});

test('a member is described by its role and state', () => {
  const here = room();
  assert.deepEqual(facts(here.people.get(1), here), ['has the book', 'host']);
  const state = { role: ROLE.wanderer, isRaised: true, asks: true, isAway: true, isHidden: true, lags: true };
  assert.deepEqual(facts(person(4, 'Jon', state), here),
    ['reads elsewhere', 'hand raised', 'would like the book', 'away']);
});

test('a member may do to another what both of them allow, and nothing to itself', () => {
  const desk = room({ acts: { offer: true, lower: false, lead: true, follow: true, remove: true } });
  const theo = person(2, 'Theo', { acts: { offer: true, lower: true, lead: true, follow: false, remove: true } });
  assert.deepEqual(acts(theo, desk).map(({ words }) => words), ['Give the book', 'May lead', 'Remove']);
  assert.deepEqual(acts({ ...theo, id: 3 }, desk), []);
});

test('the strip names the place of the reader and that of the book', () => {
  const said = (more) => text(strip(room({ role: ROLE.wanderer, prompt: 'wandered', ...more })).words);
  const at = (book, position) => ({ book, page: 15, position });
  assert.equal(said({ place: at('ferry', 'page 16') }), 'You have wandered to pages 10–11. Maren is on page 16.');
  assert.equal(said({ place: at('ferry', 'the cover') }), 'You have wandered to pages 10–11. Maren is on the cover.');
  assert.equal(said({ place: at('', '') }), 'You have wandered to pages 10–11. Maren is at the shelf.');
  assert.equal(said({ place: at('onion', 'page 4') }), 'You have wandered to pages 10–11. Maren is in another book.');
  assert.equal(said({ place: at('ferry', 'page 16'), room: { presenter: 0 } }),
    'You have wandered to pages 10–11. The others are on page 16.');
  assert.equal(said({ place: at('ferry', 'page 16'), caption: { screen: 1, book: 'ferry', page: 0 } }),
    'You have wandered off. Maren is on page 16.');
  assert.equal(strip(room({ role: ROLE.wanderer })), null);
});

/** Returns a room in which this member is Maren, a host outside the shared book. */
function outside(more = {}) {
  const own = person(1, 'Maren', { isHost: true, role: ROLE.wanderer, isChoosing: true, ...more.own });
  return room({
    role: ROLE.wanderer, prompt: 'outside',
    place: { book: 'ferry', page: 16, title: 'The Ferry', position: 'page 16' },
    people: more.people ?? [own, person(2, 'Theo')], caption: more.caption ?? { screen: 1, book: 'onion', page: 0 },
    room: { isShared: true, ...more.room }, self: { me: 1 },
  });
}

test('a host outside the shared book may bring the others or read alone', () => {
  const acted = (desk) => [text(strip(desk).words), ...strip(desk).acts.map(({ act }) => act)];
  assert.deepEqual(acted(outside()), ['Choose a book. The others stay with The Ferry.', 'catchUp']);
  const other = { screen: 2, book: 'onion', page: 3 };
  assert.deepEqual(acted(outside({ caption: other })), ['The others stay with The Ferry.', 'bring', 'alone']);
  const alone = { caption: other, own: { isChoosing: false }, room: { presenter: 2 } };
  assert.deepEqual(acted(outside(alone)), ['You read alone. Theo is on page 16 of The Ferry.', 'catchUp', 'bring']);
  assert.equal(strip(outside({ caption: { ...BOOK, page: 16 } })), null, 'it is on its way to be among them');
});

test('a host without others sees what its link opens', () => {
  const own = person(1, 'Maren', { isHost: true, role: ROLE.wanderer, isChoosing: true });
  const said = (caption) => strip(outside({ people: [own], caption }));
  assert.equal(text(said().words), 'Your link opens The Ferry.');
  const offer = said({ screen: 2, book: 'onion', page: 3 });
  assert.equal(text(offer.words), 'Your link still opens The Ferry.');
  assert.deepEqual(offer.acts.map(({ words }) => words), ['Share this book instead', 'Not now']);
});

test('members with the shared book see that a host is choosing another', () => {
  const people = [person(1, 'Maren', { isHost: true, role: ROLE.wanderer, isChoosing: true }), person(3, 'Nadia')];
  const guest = room({
    people, caption: { ...BOOK, title: 'The Ferry' }, room: { isShared: true, turner: 'choosing' },
    prompt: 'choosing', member: 1,
  });
  assert.equal(text(strip(guest).words), 'Maren is choosing a book. You stay with The Ferry.');
  assert.equal(turning(guest), 'Maren is choosing a book');
  assert.deepEqual(facts(people[0], guest), ['has the book', 'host', 'is choosing a book']);
});

test('the strip shows a request to the presenter and an offer to another member', () => {
  const asked = strip(room({ self: { me: 1 }, prompt: 'asked', member: 2 }));
  assert.equal(text(asked.words), 'Theo would like the book.');
  assert.deepEqual(asked.acts.map(({ words }) => words), ['Hand it over', 'Not now']);
  assert.equal(asked.member, 2);
  assert.equal(strip(room({ prompt: 'asked', member: 9 })), null, 'the member has just left');
  assert.equal(text(strip(room({ prompt: 'offered' })).words), 'Maren hands you the book.');
  assert.equal(text(strip(room({ prompt: 'offered', room: { presenter: 0 } })).words), 'The host hands you the book.');
});

test('what others have done is said with their names', () => {
  const said = (code) => text(WORDS.news[code]('Maren'));
  assert.equal(said('isRecorded'), 'This session is being recorded.');
  assert.equal(said('holderLeft'), 'Maren has left. You have the book now.');
  assert.equal(said('keepsBook'), 'Maren keeps the book for now.');
  assert.equal(said('leavesBook'), 'Maren leaves the book with you.');
  assert.equal(said('raisesHand'), 'Maren raises a hand.');
});

test('a typed text is reduced to the letters of codes', () => {
  assert.equal(codeIn(' hfk-mpw '), 'HFKMPW');
  assert.equal(codeIn('h1f0kioMPWXYZ'), 'HFKMPW');
});

test('the secret of a link is in its fragment', () => {
  assert.equal(linkTo('http://192.168.1.20:8080/', 'otter', 's3cret'), 'http://192.168.1.20:8080/r/otter#s3cret');
  assert.equal(linkTo('http://a', 'otter', undefined), '');
  assert.equal(short('https://lectern.example/'), 'lectern.example');
  assert.deepEqual(['/r/otter-12', '/r/otter/x', '/', '/b/otter'].map(roomOf), ['otter-12', 'otter', '', '']);
});

const at = (time, x, more = {}) => ({ time, kind: 1, element: 7, x, y: 0, ...more });

test('a pointer moves evenly between two positions', () => {
  const queue = [at(1, 0), at(1.04, .4), at(1.08, .4)];
  assert.equal(placeAt(queue, .9), null);
  assert.ok(Math.abs(placeAt(queue, 1.01).x - .1) < 1e-9);
  assert.equal(placeAt(queue, 1.05).x, .4);
  assert.equal(queue.length, 2);
  assert.equal(placeAt(queue, 9).x, .4);
});

test('a pointer jumps between pages and after a pause', () => {
  assert.equal(placeAt([at(1, 0), at(1.04, .8, { element: 8 })], 1.02).x, 0);
  assert.equal(placeAt([at(1, 0), at(2, .8)], 1.5).x, 0);
  assert.equal(placeAt([at(1, 0), at(1.04, .8, { kind: 0 })], 1.02).kind, 1);
});

test('the trail of a movement ends after 300 ms', () => {
  const trail = [{ x: 0, y: 0, at: 0 }, { x: 10, y: 0, at: 200 }, { x: 20, y: 0, at: 400 }];
  assert.equal(trailPath([], 400), '');
  assert.equal(faded(trail, 400).length, 2);
  assert.match(trailPath(trail, 400), /^M[-\d. L]+Z$/);
});
