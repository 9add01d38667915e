import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { paragraphsOf } from '../../Web/js/text/flow.js';
import { pageFor } from '../../Web/js/text/go.js';
import { columnsFor, stepTo, pictureAddress } from '../../Web/js/text/grid.js';
import { linesOf, piecesOf, placeLine } from '../../Web/js/text/lines.js';
import { app, session } from '../../Web/js/app.js';
import { pageOf, presentPages } from '../../Web/js/text/pages.js';

const library = new URL('../../Web/library/', import.meta.url);
const ferry = JSON.parse(readFileSync(new URL('01-bedtime/01-the-night-ferry/words.json', library)));
const islands = JSON.parse(readFileSync(new URL('02-reading-room/01-an-atlas-of-small-islands/words.json', library)));

/** Lines of a page as words with boxes: [left, text] per line; a letter is .02 wide and .04 tall, a line .05. */
function printed(lines) {
  const words = [];
  let top = 0;
  for (const [left, text, gap = .05] of lines) {
    top += gap;
    let x = left;
    for (const word of text.split(' ')) {
      words.push([x, top, x + .02 * word.length, top + .04, word]);
      x += .02 * (word.length + 1);
    }
  }
  return { text: lines.map(([, text]) => text).join('\n'), words };
}

test('the pieces of a text are the text, whatever the words are', () => {
  const texts = [...ferry, ...islands].map(({ text, words = [] }) => [text, words]);
  texts.push(['no boxes', []], ['', [[0, 0, 1, 1, 'x']]], ['a b', [[0, 0, 1, 1, ''], [0, 0, 1, 1, 'zz']]],
    ['a\n\nb\n', [[0, 0, .1, .1, 'a'], [0, .2, .1, .3, 'b']]]);
  for (const [text, words] of texts) {
    const pieces = piecesOf(text, words);
    assert.equal(pieces.map((piece) => piece.text).join(''), text);
    assert.equal(linesOf(pieces).flat().map((piece) => piece.text).join(''), text);
  }
});

test('each word of a page has its box and the spaces after it', () => {
  const { text, words } = ferry[4];
  const placed = piecesOf(text, words).filter(({ box }) => box !== null);
  assert.deepEqual(placed.map((piece) => piece.text.trimEnd()), words.map((word) => word[4]));
  assert.deepEqual(placed.map(({ box }) => box), words.map((word) => word.slice(0, 4)));
  assert.equal(placed[0].text, 'When ');
  assert.equal(placed.find((piece) => piece.text.startsWith('out')).text, 'out,');
});

test('a line ends with its line feed, and an empty line is a line', () => {
  const words = [[0, 0, .1, .1, 'one'], [.2, 0, .3, .1, 'two'], [0, .4, .2, .5, 'three']];
  const lines = linesOf(piecesOf('one two\n\nthree', words));
  assert.deepEqual(lines.map((line) => line.map((piece) => piece.text).join('')), ['one two\n', '\n', 'three']);
});

const measure = (text) => text.length / 2;
const PAGE = { width: 1000, height: 1000, measure };

test('the words of a line follow one another without being moved', () => {
  const [line] = linesOf(piecesOf('one two three', [
    [.1, .5, .16, .54, 'one'], [.2, .5, .26, .54, 'two'], [.3, .5, .4, .54, 'three'],
  ]));
  const placed = placeLine(line, PAGE);
  assert.deepEqual(placed.words.map(({ moved }) => moved), [[0, 0], [0, 0], [0, 0]]);
  assert.ok(Math.abs(placed.top - 500) < 1e-9 && Math.abs(placed.indent - 100) < 1e-9);
  // Each word and its space reach up to the next word.
  const lengths = placed.words.map(({ spacing }, n) => line[n].text.length * (placed.size / 2 + spacing));
  assert.deepEqual(lengths.map(Math.round), [100, 100, 100]);
});

test('a word beside its line is moved to its place', () => {
  const [line] = linesOf(piecesOf('one two three', [
    [.5, .5, .56, .54, 'one'], [.2, .7, .26, .74, 'two'], [.3, .5, .4, .54, 'three'],
  ]));
  const { words } = placeLine(line, PAGE);
  assert.deepEqual(words[0].moved, [0, 0]);
  assert.deepEqual(words[1].moved.map(Math.sign), [-1, 1]);
});

test('a line from right to left begins at its right end', () => {
  const words = [[.8, .5, .9, .54, 'אחת'], [.6, .5, .75, .54, 'שתיים']];
  const [line] = linesOf(piecesOf('אחת שתיים', words));
  const placed = placeLine(line, PAGE);
  assert.equal(placed.isReversed, true);
  assert.ok(Math.abs(placed.indent - 100) < 1e-9);
  assert.deepEqual(placed.words.map(({ moved }) => moved), [[0, 0], [0, 0]]);
});

test('a line without boxes has no place', () => {
  assert.equal(placeLine([{ text: 'words\n', box: null }], PAGE), null);
});

const flow = (lines) => (({ text, words }) => paragraphsOf(text, words))(printed(lines));

test('a line that is full continues in the next, and a short one ends on purpose', () => {
  assert.deepEqual(flow([[.1, 'a line that fills the column'], [.1, 'continues here'], [.1, 'and so on']]),
    ['a line that fills the column continues here\nand so on']);
});

test('an indented line, a gap and an empty line begin a paragraph', () => {
  const indented = [[.1, 'the first paragraph is long'], [.16, 'an indented one comes now'], [.1, 'that goes on here']];
  assert.deepEqual(flow(indented),
    ['the first paragraph is long', 'an indented one comes now that goes on here']);
  const apart = [[.1, 'one two three four'], [.1, 'five six seven nine'], [.1, 'beyond the gap it goes', .2]];
  assert.deepEqual(flow(apart).length, 2);
  assert.deepEqual(paragraphsOf('one\n\ntwo', []), ['one', 'two']);
});

test('centred lines are not indented', () => {
  const { text, words } = ferry[7];
  const [only, ...others] = paragraphsOf(text, words, 362 / 568);
  assert.deepEqual(others, []);
  assert.ok(only.startsWith('At the last bell\nthe ferryman counts:'), only);
});

test('a hyphen at the end of a full line joins a word', () => {
  assert.deepEqual(flow([[.1, 'a column of words and fea-'], [.1, 'tures']]), ['a column of words and features']);
  assert.deepEqual(flow([[.1, 'a column of words of Anna-'], [.1, 'Maria']]), ['a column of words of Anna- Maria']);
});

test('every word of a page is in its paragraphs', () => {
  for (const { text, words = [] } of [...ferry, ...islands]) {
    const said = paragraphsOf(text, words, 362 / 568).join(' ');
    const letters = (some) => some.replace(/[\s\u00ad-]/g, '');
    assert.equal(letters(said), letters(text));
  }
});

test('a typed number or label leads to its page', () => {
  const labels = ['i', 'ii', 'iii', '1', '2', '3', 'A-1', '4–5'];
  const found = (typed) => pageFor(typed, labels);
  const typed = ['i', ' II ', '1', '003', 'a-1', '２', '2–3', '2 - 3', '4-5'];
  assert.deepEqual(typed.map(found), [0, 1, 3, 5, 6, 4, 4, 4, 7]);
  assert.deepEqual(['', ' ', '4', '0', 'x', '-1'].map(found), [-1, -1, -1, -1, -1, -1]);
  assert.equal(found('4–5'), 7);
});

test('arrow keys lead through the pages by rows and columns, and stay among them', () => {
  const grid = { count: 20, columns: 4, isReversed: false };
  const to = (key, page, more = {}) => stepTo(key, page, { ...grid, ...more });
  assert.deepEqual(['ArrowRight', 'ArrowLeft', 'ArrowDown', 'ArrowUp', 'Home', 'End', 'PageDown', 'PageUp']
    .map((key) => to(key, 6)), [7, 5, 10, 2, 0, 19, 18, 0]);
  assert.deepEqual([to('ArrowLeft', 0), to('ArrowDown', 18), to('a', 3)], [0, 19, undefined]);
  assert.deepEqual([to('ArrowLeft', 6, { isReversed: true }), to('ArrowRight', 6, { isReversed: true })], [7, 5]);
});

test('the columns are between two and six', () => {
  assert.deepEqual([0, 150, 320, 640, 5000].map(columnsFor), [2, 2, 3, 6, 6]);
});

test('a small picture has the version and the pass of the others', () => {
  assert.equal(pictureAddress('k1', 12, '/b/k1/p/3/screen?v=7&pass=x'), '/b/k1/p/12/thumb?v=7&pass=x');
  assert.equal(pictureAddress('k 1', 0), '/b/k%201/p/0/thumb');
  assert.equal(pictureAddress('k1', 12, '/b/k1/p/3/screen?v=7#left', 'zoom'), '/b/k1/p/12/zoom?v=7');
});

test('a window with one page has one present page', () => {
  const address = (page) => (page === null ? '' : `/b/k/p/${page}/screen`);
  const face = (index, side, page) => ({ content: { index, side, imageURL: address(page) } });
  app.stage = { spread: [face(4, 1, 3), face(3, 2, 2), face(5, 1, null)] };
  const pages = (framing) => {
    session.framing = framing;
    return presentPages().map(pageOf);
  };
  assert.deepEqual(pages(null), ['2', '3']);
  assert.deepEqual(pages({ pages: 0 }), ['2', '3']);
  assert.deepEqual(pages({ pages: 1 }), ['2']);
  assert.deepEqual(pages({ pages: 2 }), ['3']);
});
