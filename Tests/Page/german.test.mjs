import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';

import { languageOf, locale, placed as unchanged, told as identity } from '../../Web/js/language.js';
import { SENTENCES } from '../../Web/js/words/de/sentences.js';
import { placed, told, translate } from '../../Web/js/words/de/server.js';
import { KIND, SCREEN } from '../../Web/js/wire.js';
import { sentencesIn } from './swift.mjs';

const words = new URL('../../Web/js/words/', import.meta.url);
const names = readdirSync(words).filter((name) => name.endsWith('.js'));
const tableOf = async (path) => (await import(new URL(path, words))).WORDS;

/** Names, numbers and words that are the same in both languages. */
const SAME = new Set([
  'Lectern', 'Zoom', 'PDF', 'Code', 'Link', 'Laptop', 'Tablet', 'Sepia', 'Vibration', 'Aa', '·', 'Garamond', 'English',
  'OpenDyslexic',
  'Deutsch', '100 %', '125 %', '150 %', '',
]);
/** Functions that only join their values. */
const JOINS = new Set([
  'book.inChapter', 'book.finder.inBook', 'demo.windowTitle', 'session.notice', 'together.people.more',
  'together.facts.all', 'together.strip.ribbon', 'together.share.code',
]);

/** Functions that take a list. */
const LISTS = /\.(people\.(all|raised)|facts\.all|share\.code)$/;

const kindOf = (entry) => (Array.isArray(entry) ? 'list' : typeof entry);
const isTable = (entry) => kindOf(entry) === 'object' && !('name' in entry && Object.keys(entry).length === 1);

/** All entries of a table as [path, entry], those of inner tables included. */
function entriesOf(table, path) {
  return Object.entries(table).flatMap(([key, entry]) =>
    (isTable(entry) ? entriesOf(entry, `${path}.${key}`) : [[`${path}.${key}`, entry]]));
}

/** What an entry says, with values that stand for any. */
const said = (entry) => JSON.stringify(kindOf(entry) === 'function'
  ? entry(...Array.from({ length: entry.length }, (_, n) => [7, 8, 9][n])) : entry);
function saidOf(path, entry) {
  // These take lists.
  if (LISTS.test(path)) return JSON.stringify(entry(['7', '8']));
  return said(entry);
}

test('each table has a German one', () => {
  const others = ['server.js', 'sentences.js'];
  const german = readdirSync(new URL('de/', words));
  assert.deepEqual(german.filter((name) => !others.includes(name)).sort(), names.sort());
});

for (const file of names) {
  const name = file.slice(0, -3);
  test(`German for ${name}: the same entries of the same kinds, in other words`, async () => {
    const english = entriesOf(await tableOf(file), name);
    const german = entriesOf(await tableOf(`de/${file}`), name);
    const shape = ([path, entry]) => `${path}: ${kindOf(entry)} ${entry.length * (kindOf(entry) === 'function')}`;
    assert.deepEqual(german.map(shape), english.map(shape));
    for (const [n, [path, entry]] of english.entries()) {
      const translation = german[n][1];
      if (kindOf(entry) === 'list') assert.ok(translation.length > 0, path);
      if (SAME.has(entry) || JOINS.has(path)) assert.equal(saidOf(path, translation), saidOf(path, entry), path);
      else assert.notEqual(saidOf(path, translation), saidOf(path, entry), path);
    }
  });
}

test('German sentences have the values of the English ones', async () => {
  for (const file of names) {
    const german = new Map(entriesOf(await tableOf(`de/${file}`), ''));
    for (const [path, entry] of entriesOf(await tableOf(file), '')) {
      if (kindOf(entry) !== 'function' || LISTS.test(path) || /\.readers$/.test(path)) continue;
      const values = [7, 8, 9].slice(0, entry.length);
      for (const value of values) {
        const has = (one) => said(one).includes(String(value));
        assert.equal(has(german.get(path)), has(entry), `${path}: ${value}`);
      }
    }
  }
});

test('German texts have German quotation marks, dashes and apostrophes', async () => {
  for (const file of readdirSync(new URL('de/', words))) {
    const code = readFileSync(new URL(`de/${file}`, words), 'utf8');
    const german = file === 'sentences.js' ? Object.values(SENTENCES).join('\n')
      : file === 'server.js' ? '' : code.replace(/\/\*[\s\S]*?\*\//g, '');
    assert.doesNotMatch(german, /”|—|\bdass nicht\b/, file);
    for (const [quoted] of german.matchAll(/„[^“\n]*/g)) assert.ok(german.includes(`${quoted}“`), `${file}: ${quoted}`);
  }
});

test('without a choice the language is the first of English and German that the browser asks for', () => {
  const had = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
  const asks = (...languages) => Object.defineProperty(globalThis, 'navigator', {
    value: { languages }, configurable: true,
  });
  try {
    for (const [tags, wanted] of [
      [['de-CH', 'en'], 'de'], [['en-GB', 'de'], 'en'], [['fr', 'de'], 'de'], [['fr', 'nl'], 'en'], [[], 'en'],
      [['den', 'en'], 'en'], [['el-DE'], 'en'],
    ]) {
      asks(...tags);
      assert.equal(languageOf(), wanted, tags.join());
      for (const choice of ['en', 'de']) assert.equal(languageOf(choice), choice);
      for (const choice of ['system', '<b>', {}, null, 7]) assert.equal(languageOf(choice), wanted);
    }
    asks('fr', 'en-GB', 'en');
    assert.equal(locale(), 'en-GB');
    asks('de');
    assert.equal(locale(), 'en');
  } finally {
    delete globalThis.navigator;
    if (had) Object.defineProperty(globalThis, 'navigator', had);
  }
});

test('an English page shows the texts of the server as they are', () => {
  assert.equal(identity('Close the recording first.'), 'Close the recording first.');
  assert.equal(unchanged('Pages 4–5'), 'Pages 4–5');
});

/** The files with sentences that a reader may see. */
const SAYING = [
  'Rooms/Session/Words.swift', 'Wire/CloseCode.swift', 'PressProtocol/PressFault+Message.swift',
  'Commands/Uploads/Upload.swift', 'Commands/Recordings/Recordings.swift', 'Commands/Recordings/RoomRecorder.swift',
  'Commands/Site/Access.swift', 'Commands/Site/Site.swift', 'Commands/Site/Site+Books.swift',
  'Commands/Site/Site+Images.swift', 'Commands/Site/Site+Recordings.swift', 'Commands/Site/Site+Uploads.swift',
  'Commands/Site/Site+Reach.swift', 'Library/Catalogue/LibraryFault.swift', 'Library/Catalogue/PagePictures.swift',
  'Library/Catalogue/DatabaseError.swift', 'Library/Catalogue/Book.swift',
  'Library/Import/ImportFault.swift',
  'Library/Import/Files.swift',
  'Library/BookLibrary+Books.swift', 'Pressroom/OpenFile.swift', 'Commands/Serving/RoomHost.swift',
];
/** Sentences for programmers, who read English, and those that the test of captions has. */
const ENGLISH = [
  /^There is no .* here; the article API/, /^v0 has no v1; use v2\.$/,
  /^Say what to search for/, /^limit is /, /^This is no correction\./,
  /^Send /, /^There is no size /, /^Upload-Offset is /, /^This needs the admin/,
  // The log's, and the catalogue's.
  /^(too many wrong keys|book not open)$/, /^(SELECT|UPDATE) /,
  /^A (recorded shelf|book that is no longer here)$/, /^Your library is empty$/, /^No book here is called /,
  /Continue on /, /^[Tt]he inside of the cover$/, /^Cannot be opened$/,
];

/** Parts of sentences, each with a sentence that has it. */
const PARTS = new Map([
  ['v0 has v1 x v2 pixels; the limit is v3. Make it smaller.',
    ['This image has 9 x 8 pixels; the limit is 7. Make it smaller.',
      'Image a has 9 x 8 pixels; the limit is 7. Make it smaller.']],
  ['v0 is damaged and cannot be shown. Save it again.',
    ['This image is damaged and cannot be shown. Save it again.',
      'Image a is damaged and cannot be shown. Save it again.']],
  ['v0 is in a format that Lectern cannot show. Save it as PNG, JPEG or WebP.',
    ['This image is in a format that Lectern cannot show. Save it as PNG, JPEG or WebP.',
      'Image a is in a format that Lectern cannot show. Save it as PNG, JPEG or WebP.']],
  ['The disk of the library has no room for this file of v0',
    ['The disk of the library has no room for this file of 9 GiB; 1 GiB are free. ' +
      'Free some space on the server and bring it again.',
    'The disk of the library has no room for this file of 9 GiB. Free some space on the server and bring it again.']],
  ['. Free some space on the server and bring it again.', []],
  ['none of more than v0 MiB is played', ['it has 9 MiB, and none of more than 8 MiB is played']],
  ['it has v0 MiB, and v1', []],
]);

test('each sentence of the server has German', () => {
  const missing = [];
  let count = 0;
  for (const path of SAYING) {
    const code = readFileSync(new URL(`../../Sources/${path}`, import.meta.url), 'utf8');
    for (const sentence of sentencesIn(code)) {
      if (ENGLISH.some((one) => one.test(sentence))) continue;
      count += 1;
      for (const whole of PARTS.get(sentence) ?? []) assert.doesNotMatch(told(whole), / (is|has|the) /, whole);
      if (told(sentence) === sentence && !PARTS.has(sentence)) missing.push(`${path}: ${sentence}`);
    }
  }
  assert.deepEqual(missing, []);
  assert.ok(count > 100, `${count} sentences were found`);
});

test('each German sentence is one of the server, and has its values', () => {
  for (const [english, german] of Object.entries(SENTENCES)) {
    const places = (text) => [...text.matchAll(/\{\d\}/g)].map(([one]) => one).sort();
    assert.deepEqual(places(german), places(english), english);
    const sample = (text) => text.replace(/\{(\d)\}/g, (_, n) => `v${n}`);
    assert.equal(told(sample(english)), sample(german));
  }
});

test('values are German, too, and a sentence without German stays', () => {
  for (const [english, german] of [
    ['This file is larger than 1.5 GiB.', 'Diese Datei ist größer als 1,5 GiB.'],
    ['This file is larger than 2 GiB: it has 3 GiB. Split it.',
      'Diese Datei ist größer als 2 GiB: Sie hat 3 GiB. Das Buch auf mehrere Dateien aufteilen.'],
    ['This book has 12,000 pages; the limit is 10,000. Split it.',
      'Dieses Buch hat 12.000 Seiten; höchstens 10.000 sind möglich. Es aufteilen.'],
    ['Image a.b, c.png has 9 x 8 pixels; the limit is 50 million. Make it smaller.',
      'Bild a.b, c.png hat 9 × 8 Pixel; höchstens 50 Millionen sind möglich. Es verkleinern.'],
    ['This ZIP archive is damaged and could not be opened. Try another copy of the file.',
      'Diese Datei (ZIP-Archiv) ist beschädigt und lässt sich nicht öffnen. Ein anderes Exemplar versuchen.'],
    ['The recording has ended: it takes 256 MiB, and none may take more.',
      'Die Aufnahme ist beendet: Sie belegt 256 MiB, und mehr darf keine belegen.'],
    ['Page 3 exploded.', 'Page 3 exploded.'], ['', ''], ['{0}', '{0}'], ['<b>$1</b>', '<b>$1</b>'],
  ]) assert.equal(told(english), german);
});

test('a long hostile sentence is translated in a moment', () => {
  const hostile = `This ${'This '.repeat(20_000)}is encrypted. Unpack it with its password and import the images.`;
  assert.ok(told(hostile).startsWith('Verschlüsselt: '));
  assert.equal(told('Image '.repeat(50_000)), 'Image '.repeat(50_000));
});

const CAPTION = {
  type: 'caption', screen: SCREEN.book, count: 9, heading: 'Wet places', title: 'Ferns', detail: '', position: '',
  label: '', windowTitle: 'Lectern', announcement: '', book: 'b',
};
function captionOf(fields) {
  const message = { ...CAPTION, ...fields };
  translate(message);
  return Object.fromEntries(Object.keys(fields).map((name) => [name, message[name]]));
}

test('the caption of a list, a shelf and an open book is German', () => {
  for (const [english, german] of [
    [{ screen: SCREEN.collections, title: '', book: '', detail: '1 book', announcement: 'Wet places. 1 book' },
      { screen: SCREEN.collections, title: '', book: '', detail: '1 Buch', announcement: 'Wet places. 1 Buch' }],
    [{ screen: SCREEN.collections, title: '', book: '', detail: '12 books', windowTitle: 'Lectern' },
      { screen: SCREEN.collections, title: '', book: '', detail: '12 Bücher', windowTitle: 'Lectern' }],
    [{ screen: SCREEN.collections, count: 0, heading: '', book: '', title: 'Your library is empty' },
      { screen: SCREEN.collections, count: 0, heading: '', book: '', title: 'Die Bibliothek ist leer' }],
    [{ screen: SCREEN.collections, count: 0, heading: '', book: '', title: 'No book here is called “a $1 b”' },
      { screen: SCREEN.collections, count: 0, heading: '', book: '', title: 'Kein Buch hier heißt „a $1 b“' }],
    [{ screen: SCREEN.shelf, detail: '1 page' }, { screen: SCREEN.shelf, detail: '1 Seite' }],
    [{ screen: SCREEN.shelf, detail: 'A. Fern. Cannot be opened' },
      { screen: SCREEN.shelf, detail: 'A. Fern. Lässt sich nicht öffnen' }],
    [{ screen: SCREEN.shelf, detail: 'A. Fern. 12 pages', announcement: 'Ferns. A. Fern. 12 pages' },
      { screen: SCREEN.shelf, detail: 'A. Fern. 12 Seiten', announcement: 'Ferns. A. Fern. 12 Seiten' }],
    [{ screen: SCREEN.shelf, detail: '12 pages. Continue on pages 4–5 of 12', windowTitle: 'Wet, page 1 · Lectern' },
      { screen: SCREEN.shelf, detail: '12 Seiten. Weiterlesen auf Seite 4–5 von 12',
        windowTitle: 'Wet, page 1 · Lectern' }],
    [{ screen: SCREEN.shelf, detail: 'A. 2 pages. Continue on the inside of the cover' },
      { screen: SCREEN.shelf, detail: 'A. 2 Seiten. Weiterlesen auf der Innenseite des Einbands' }],
    [{ detail: 'Pages 4–5 of 12', position: 'pages 4–5', label: '4–5 of 12', announcement: 'Ferns. Pages 4–5 of 12',
      windowTitle: 'Ferns, pages of, pages 4–5 of 12 · Lectern' },
    { detail: 'Seiten 4–5 von 12', position: 'Seite 4–5', label: '4–5 von 12', announcement: 'Ferns. Seiten 4–5 von 12',
      windowTitle: 'Ferns, pages of, Seite 4–5 von 12 · Lectern' }],
    [{ detail: 'Page iv', position: 'page iv', label: 'iv', windowTitle: 'page iv · Lectern' },
      { detail: 'Seite iv', position: 'Seite iv', label: 'iv', windowTitle: 'Seite iv · Lectern' }],
    [{ detail: 'The inside of the cover', position: 'the inside of the cover',
      windowTitle: 'Ferns, the inside of the cover · Lectern' },
    { detail: 'Die Innenseite des Einbands', position: 'der Innenseite des Einbands',
      windowTitle: 'Ferns, Innenseite des Einbands · Lectern' }],
    [{ heading: 'A recorded shelf', title: 'A book that is no longer here' },
      { heading: 'Ein aufgenommenes Regal', title: 'Ein Buch, das nicht mehr hier ist' }],
  ]) assert.deepEqual(captionOf(english), german);
});

test('titles of books and names of people stay as they are', () => {
  const title = 'Page 4';
  assert.equal(captionOf({ title }).title, title);
  const elements = [
    { kind: KIND.cover, index: 2, title, subtitle: '3 books' }, { kind: KIND.page, index: 0, title, subtitle: '' },
    { kind: KIND.page, index: 4, title: 'Page 4, second half', subtitle: '' },
    { kind: KIND.collection, index: 1, title, subtitle: '3 books' },
  ];
  translate({ type: 'elements', elements });
  assert.deepEqual(elements.map((one) => [one.title, one.subtitle]), [
    [title, '3 books'], [title, ''], ['Seite 4, zweite Hälfte', ''], [title, '3 Bücher'],
  ]);
});

test('the places of other members, and errors, are German', () => {
  const place = { type: 'place', title: 'Page 4', position: 'page 4', label: '4' };
  translate(place);
  assert.deepEqual(place, { type: 'place', title: 'Page 4', position: 'Seite 4', label: '4' });
  const framing = { type: 'framing', label: '4 of 12' };
  translate(framing);
  assert.equal(framing.label, '4 von 12');
  const error = { type: 'error', code: 0, message: 'Close the recording first.' };
  translate(error);
  assert.equal(error.message, 'Zuerst die Aufnahme schließen.');
  const later = { type: 'place', view: new DataView(new ArrayBuffer(1)) };
  translate(later);
  assert.deepEqual(Object.keys(later), ['type', 'view']);
});

test('all texts of the server\'s captions and places are known to the test of captions', () => {
  const code = readFileSync(new URL('../../Sources/Rooms/Session/Words.swift', import.meta.url), 'utf8');
  const [captions, ranges] = [/^enum Words \{[\s\S]*?^\}/m, /^package struct PageRange[\s\S]*?^\}/m]
    .map((one) => one.exec(code)[0]);
  const shapes = [...sentencesIn(captions, () => true), ...sentencesIn(ranges, () => true)]
    .map((one) => one.replace(/v\d/g, '…')).filter((one) => /\p{L}/u.test(one));
  assert.deepEqual(shapes, [
    'Lectern', 'Your library is empty', 'A recorded shelf', 'A book that is no longer here',
    'No book here is called “…”', '1 book', '… books', 'Cannot be opened', '1 page', '… pages',
    '…. Continue on …', 'Page …',
    ', second half', 'The inside of the cover', 'the inside of the cover', '… of …', 'Page …', 'Pages …',
    'page …', 'pages …',
  ]);
});

test('pages on their own and in sentences', () => {
  assert.equal(placed('Pages iv–v'), 'Seiten iv–v');
  assert.equal(placed('pages 4–5 of 12'), 'Seite 4–5 von 12');
  assert.equal(placed('Pagesant'), 'Pagesant');
  assert.equal(placed(''), '');
});
