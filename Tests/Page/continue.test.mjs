import assert from 'node:assert/strict';
import test from 'node:test';
import { app, session } from '../../Web/js/app.js';
import { isAlone, nameOf } from '../../Web/js/continue/continue.js';
import { bookmarkIn, openBookmark } from '../../Web/js/continue/bookmark.js';
import { spaceFor } from '../../Web/js/continue/space.js';
import { SCREEN, SIDE } from '../../Web/js/wire.js';

const who = { reader: 'secret', name: 'Maren' };
const stored = {
  ...who, book: 'a', page: 7, numbers: '8–9', isMany: true, shape: 1.3, share: .2, count: 16, time: 1,
  faces: [{ page: 7, half: '' }, { page: 8, half: '' }],
};

test('a place is that of one reader under one name', () => {
  assert.equal(bookmarkIn(stored, who).page, 7);
  assert.equal(bookmarkIn(stored, { ...who, name: 'Theo' }), null);
  assert.equal(bookmarkIn(stored, { ...who, reader: 'other' }), null);
  assert.equal(bookmarkIn({ ...stored, reader: '' }, { ...who, reader: '' }), null);
});

test('a stored place of another shape is none', () => {
  const wrong = {
    book: ['', 7, undefined], page: [-1, 1.5, '7', 2 ** 40], numbers: [null, 'x'.repeat(64)],
    shape: [0, NaN, 1e9, '1.3', null], share: [-1, 2, null, 'a'], count: [-1, .5],
    faces: [null, [], [null], [{ page: 'x', half: '' }, null], [{ page: 1, half: '/../' }, null]],
  };
  for (const [field, values] of Object.entries(wrong)) {
    for (const value of values) {
      assert.equal(bookmarkIn({ ...stored, [field]: value }, who), null, `${field}: ${value}`);
    }
  }
  for (const value of [null, undefined, {}, [], 'x', 7]) assert.equal(bookmarkIn(value, who), null);
  assert.deepEqual(bookmarkIn({ ...stored, faces: [null, { page: 0, half: 'right' }] }, who).faces[0], null);
});

const face = (side, index, imageURL) =>
  ({ content: { side, index, imageURL, width: 362, height: 568 }, written: { visible: true } });
/** Returns the place of a book that is open in the page. */
function placeOn(spread, caption = {}, framing = null) {
  app.stage = { spread };
  const range = { labels: ['8', '9'] };
  const open = { screen: SCREEN.book, book: 'a', index: 4, count: 16, page: 7, range, ...caption };
  Object.assign(session, { caption: open, framing });
  return openBookmark();
}

const left = face(SIDE.left, 9, '/b/a/p/7/screen?v=1&pass=x');
const right = face(SIDE.right, 10, '/b/a/p/8/screen?v=1');

test('a place has the pages of both faces, and their printed numbers', () => {
  const place = placeOn([left, right]);
  assert.deepEqual(place.faces, [{ page: 7, half: '' }, { page: 8, half: '' }]);
  assert.deepEqual([place.page, place.numbers, place.isMany], [7, '8–9', true]);
  assert.equal(placeOn([left, right], { range: { labels: ['vii'] } }).numbers, 'vii');
});

test('the place in a window of one page is that page', () => {
  const place = placeOn([left, right], {}, { pages: 2, range: { labels: ['9'] } });
  assert.deepEqual([place.page, place.numbers, place.isMany], [8, '9', false]);
  assert.equal(place.faces[0].page, 7);
});

test('a wide page is one page on two faces, and a board is none', () => {
  const halves = ['left', 'right'].map((half, n) => face([SIDE.left, SIDE.right][n], 9 + n, `/b/a/p/3/screen#${half}`));
  const wide = placeOn(halves, { range: { labels: ['4'] } });
  assert.deepEqual(wide.faces, [{ page: 3, half: 'left' }, { page: 3, half: 'right' }]);
  assert.deepEqual([wide.numbers, wide.isMany], ['4', false]);
  const last = placeOn([left, face(SIDE.right, 10, '')]);
  assert.deepEqual(last.faces, [{ page: 7, half: '' }, null]);
});

test('there is nothing to continue at the beginning of a book', () => {
  assert.equal(placeOn([left, right], { index: 0 }), null);
  assert.equal(placeOn([]), null);
});

test('a place is named as in a sentence, and its range does not break', () => {
  assert.equal(nameOf({ numbers: 'vii', isMany: false }), 'page vii');
  assert.equal(nameOf({ numbers: '8–9', isMany: true }).replaceAll('\u2060', ''), 'pages 8–9');
  assert.equal(nameOf({ numbers: '', isMany: false }), 'the inside of the cover');
});

test('a place is shown on the list of a reader who is alone, and to no guest', () => {
  const caption = { screen: SCREEN.collections, filter: '', count: 3 };
  const alone = {
    caption, role: { rights: { mayShare: true, mayTurn: true } }, room: { isShared: false }, playback: null,
    people: new Map([[1, {}]]),
  };
  assert.ok(isAlone(alone));
  for (const other of [{ screen: SCREEN.shelf }, { filter: 'fern' }, { count: 0 }]) {
    assert.ok(!isAlone({ ...alone, caption: { ...caption, ...other } }));
  }
  for (const other of [{ role: null }, { role: { rights: { mayShare: false, mayTurn: true } } },
    { role: { rights: { mayShare: true, mayTurn: false } } }, { room: { isShared: true } },
    { room: { isPlayback: true } }, { playback: {} }, { people: new Map([[1, {}], [2, {}]]) }]) {
    assert.ok(!isAlone({ ...alone, ...other }), JSON.stringify(other));
  }
});

const SHAPE = 1.3;

test('a book lies where it is largest: below the list, above it, or beside it', () => {
  const wide = { width: 1366, height: 768, top: 78 };
  const list = { left: 211, middle: 483, right: 1155, above: 92, below: 282 };
  assert.equal(spaceFor(wide, list, SHAPE).form, 'beside');
  const full = spaceFor(wide, { ...list, below: 730 }, SHAPE);
  assert.equal(full.form, 'aside');
  assert.ok(full.left >= 1155 && full.left + full.width <= 1366);
  assert.equal(spaceFor(wide, { ...list, below: null, above: null }, SHAPE).form, 'aside');
  const upright = { width: 820, height: 1180, top: 78 };
  const many = { left: 32, middle: 250, right: 788, above: 336, below: null };
  const over = spaceFor(upright, many, SHAPE);
  assert.ok(over.top > 78 && over.top + over.height < 336);
  const phone = spaceFor({ width: 390, height: 844, top: 64 },
    { left: 16, middle: 274, right: 913, above: 87, below: 268 }, SHAPE);
  assert.equal(phone.form, 'stacked');
  assert.ok(phone.left + phone.width <= 390 && phone.high * SHAPE <= phone.width);
});

test('every book that has a space is whole, and meets neither the list, the bar nor the edges', () => {
  for (let width = 240; width < 2600; width += 97) {
    for (let height = 200; height < 1600; height += 83) {
      const zoom = Math.min(width / 1024, height / 768);
      const [left, right] = [-472, 472].map((x) => width / 2 + x * zoom);
      for (const below of [null, height / 3, height - 40]) {
        const list = { left, middle: left + 272 * zoom, right, above: 92 * zoom, below };
        const space = spaceFor({ width, height, top: 64 }, list, SHAPE);
        if (space === null) continue;
        const { form, top, high } = space;
        assert.ok(space.left >= 0 && space.left + space.width <= width && top + space.height <= height);
        assert.ok(high <= space.height && high * SHAPE <= space.width + 1e-9 && high >= 84);
        if (form === 'aside') assert.ok(space.left >= right);
        else assert.ok((below !== null && top >= below) || (top >= 64 && top + space.height <= 92 * zoom));
      }
    }
  }
});

test('without space there is none', () => {
  const list = { left: 40, middle: 312, right: 984, above: 92, below: 730 };
  assert.equal(spaceFor({ width: 1024, height: 768, top: 78 }, list, SHAPE), null);
});
