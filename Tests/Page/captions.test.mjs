import assert from 'node:assert/strict';
import test from 'node:test';

import { called, describe } from '../../Web/js/captions.js';
import { KIND, SCREEN } from '../../Web/js/wire.js';
import { WORDS as GERMAN } from '../../Web/js/words/de/start.js';
import { WORDS } from '../../Web/js/words/start.js';

const range = (labels, total = '') => ({ labels, total });
const CAPTION = {
  type: 'caption', screen: SCREEN.book, count: 9, heading: 'Wet places', title: 'Ferns', author: '', size: 12,
  range: range([]), book: 'b', filter: '', isBegun: false, cannotOpen: false, findsNothing: false, isLost: false,
};

/** What a caption with some fields says in some others. */
function said(fields, ...names) {
  const message = describe({ ...CAPTION, ...fields });
  return names.map((name) => message[name]);
}

/** Calls a test with the German words. */
function inGerman(act) {
  const english = { ...WORDS };
  Object.assign(WORDS, GERMAN);
  try {
    act();
  } finally {
    Object.assign(WORDS, english);
  }
}

test('an open book says its pages on their own, in a sentence, in short, in the title, and aloud', () => {
  const names = ['detail', 'position', 'label', 'windowTitle', 'announcement'];
  assert.deepEqual(said({ range: range(['4', '5'], '12') }, ...names),
    ['Pages 4–5 of 12', 'pages 4–5', '4–5 of 12', 'Ferns, pages 4–5 of 12 · Lectern', 'Ferns. Pages 4–5 of 12']);
  assert.deepEqual(said({ range: range(['iv']), title: '' }, ...names),
    ['Page iv', 'page iv', 'iv', 'Wet places, page iv · Lectern', 'Wet places. Page iv']);
  assert.deepEqual(said({}, ...names), ['The inside of the cover', 'the inside of the cover', 'the inside of the cover',
    'Ferns, the inside of the cover · Lectern', 'Ferns. The inside of the cover']);
  inGerman(() => {
    assert.deepEqual(said({ range: range(['4', '5'], '12') }, ...names),
      ['Seiten 4–5 von 12', 'Seite 4–5', '4–5 von 12', 'Ferns, Seite 4–5 von 12 · Lectern',
        'Ferns. Seiten 4–5 von 12']);
    assert.deepEqual(said({}, ...names), ['Die Innenseite des Einbands', 'der Innenseite des Einbands',
      'Innenseite des Einbands', 'Ferns, Innenseite des Einbands · Lectern', 'Ferns. Die Innenseite des Einbands']);
  });
});

test('a list, a shelf, and a library without books', () => {
  const list = { screen: SCREEN.collections, title: '', book: '' };
  const names = ['detail', 'windowTitle', 'announcement'];
  assert.deepEqual(said({ ...list, size: 1 }, ...names), ['1 book', 'Lectern', 'Wet places. 1 book']);
  assert.deepEqual(said({ ...list, size: 12 }, 'detail'), ['12 books']);
  assert.deepEqual(said({ ...list, count: 0, heading: '' }, 'title', ...names),
    ['Your library is empty', '', 'Lectern', 'Your library is empty']);
  assert.deepEqual(said({ ...list, count: 0, filter: 'a $1 b', findsNothing: true }, 'title'),
    ['No book here is called “a $1 b”']);
  const shelf = { screen: SCREEN.shelf };
  assert.deepEqual(said({ ...shelf, author: 'A. Fern' }, ...names),
    ['A. Fern. 12 pages', 'Wet places · Lectern', 'Ferns. A. Fern. 12 pages']);
  assert.deepEqual(said({ ...shelf, size: 1 }, 'detail'), ['1 page']);
  assert.deepEqual(said({ ...shelf, author: 'A. Fern', cannotOpen: true }, 'detail'), ['A. Fern. Cannot be opened']);
  assert.deepEqual(said({ ...shelf, isBegun: true, range: range(['4', '5'], '12') }, 'detail'),
    ['12 pages. Continue on pages 4–5 of 12']);
  inGerman(() => {
    assert.deepEqual(said({ ...shelf, isBegun: true, size: 2 }, 'detail'),
      ['2 Seiten. Weiterlesen auf der Innenseite des Einbands']);
    assert.deepEqual(said({ ...list, size: 1 }, 'detail'), ['1 Buch']);
  });
});

test('a book and a shelf that are only in the recording have names', () => {
  assert.deepEqual(said({ isLost: true, title: '', heading: '' }, 'title', 'heading'),
    ['A book that is no longer here', 'A recorded shelf']);
});

test('the title of a window has no characters that change the direction of writing', () => {
  assert.deepEqual(said({ screen: SCREEN.shelf, heading: 'A\u202eB\u2067C' }, 'windowTitle'), ['ABC · Lectern']);
  assert.deepEqual(said({ screen: SCREEN.shelf, heading: '\u202e' }, 'windowTitle'), ['Lectern']);
});

test('elements are called by what they are', () => {
  const elements = [
    { kind: KIND.collection, index: 1, title: 'Page 4', author: '', count: 3 },
    { kind: KIND.cover, index: 2, title: 'Page 4', author: 'A. Fern', count: 0 },
    { kind: KIND.cover, index: 2, title: '', author: '', count: 1 },
    { kind: KIND.page, index: 0, title: 'Ferns', author: '', count: 0 },
    { kind: KIND.page, index: 4, title: '4', author: '', count: 0 },
    { kind: KIND.page, index: 5, title: '4', author: '', count: 1 },
    { kind: KIND.page, index: 6, title: '', author: '', count: 0 },
  ];
  describe({ type: 'elements', elements });
  assert.deepEqual(elements.map((one) => [one.title, one.subtitle]), [
    ['Page 4', '3 books'], ['Page 4', 'A. Fern'], ['A book that is no longer here', ''], ['Ferns', ''], ['Page 4', ''],
    ['Page 4, second half', ''], ['', ''],
  ]);
});

test('the place of the others, and the page in a window', () => {
  const place = { type: 'place', book: 'b', title: 'Page 4', range: range(['4', '5'], '9') };
  assert.deepEqual(describe({ ...place }), { ...place, position: 'pages 4–5', label: '4–5' });
  assert.equal(describe({ ...place, book: '', range: range([]) }).position, '');
  assert.equal(describe({ type: 'framing', pages: 1, range: range(['4'], '9') }).label, '4 of 9');
  assert.equal(describe({ type: 'framing', pages: 0, range: range([]) }).label, '');
  assert.equal(describe({ type: 'role' }).label, undefined);
  const later = { type: 'place', view: new DataView(new ArrayBuffer(1)) };
  assert.deepEqual(Object.keys(describe(later)), ['type', 'view']);
});

test('stops of a book are called as its captions are', () => {
  assert.equal(called({ labels: ['4', '5'] }).detail, 'Pages 4–5');
  assert.equal(called({ labels: [] }).detail, 'The inside of the cover');
});
