import assert from 'node:assert/strict';
import test from 'node:test';
import { DEPTH, addressOf, depthOf, entryIn, moves, numberOf, pageOf, placeIn } from '../../Web/js/session/history.js';

test('an address names a room, a book and a page', () => {
  assert.deepEqual(placeIn('/r/k7-X'), { room: 'k7-X', book: '', number: null });
  assert.deepEqual(placeIn('/r/k7-X/b_1-'), { room: 'k7-X', book: 'b_1-', number: null });
  assert.deepEqual(placeIn('/r/k7-X/b1/0'), { room: 'k7-X', book: 'b1', number: '0' });
  for (const path of ['/', '/r', '/r/', '/r/a b', '/r/a/b/c', '/r/a/b/-1', '/r/a/b/1/2', `/r/a/${'b'.repeat(129)}`]) {
    assert.deepEqual(placeIn(path), { room: '', book: '', number: null }, path);
  }
});

test('the address of a place leads back to it', () => {
  const place = { book: 'b1', number: '9' };
  assert.equal(addressOf('k7', { ...place, screen: 0 }), '/r/k7');
  assert.equal(addressOf('k7', { ...place, screen: 1 }), '/r/k7/b1');
  assert.equal(addressOf('k7', { ...place, screen: 2 }), '/r/k7/b1/9');
  assert.equal(addressOf('k7', { screen: 1, book: '', number: '01' }), '/r/k7');
  assert.deepEqual(placeIn(addressOf('k7', { ...place, screen: 2 })), { room: 'k7', ...place });
});

test('an address has the printed number of a page, or its place after a zero', () => {
  const plain = ['1', '2', '3'];
  assert.deepEqual(plain.map((_, page) => numberOf(page, plain)), plain);
  const labels = ['i', 'ii', '1', '2', '2', '05', '0', '', '123456789'];
  assert.deepEqual(labels.map((_, page) => numberOf(page, labels)),
    ['01', '02', '1', '2', '05', '06', '07', '08', '09']);
  assert.equal(numberOf(4, []), '05');
});

test('each number that an address has leads back to its page', () => {
  for (const labels of [['1', '2', '3'], ['i', 'ii', '1', '2', '2', '05', '0', '', '123456789'], []]) {
    for (let page = 0; page < 12; page += 1) assert.equal(pageOf(numberOf(page, labels), labels), page);
  }
});

test('a number that is not printed counts the pages, and older addresses of first pages lead there', () => {
  assert.equal(pageOf('0', ['1', '2']), 0);
  assert.equal(pageOf('7', ['i', 'ii', '1']), 6);
  assert.equal(pageOf('7', []), 6);
  assert.equal(pageOf('999999999', ['1']), 999999998);
});

test('the depth grows from the shelf to a standing, a flat and a zoomed book', () => {
  const all = [[0, false], [1, false], [2, false], [2, true], [2, true]];
  const depths = all.map(([screen, isFlat], n) => depthOf({ screen, isFlat }, n === 4));
  assert.deepEqual(depths, [0, 1, 2, 3, 4]);
});

/** A browser's history, whose entries are those that moves returns. */
class Kept {
  all = [{ depth: 0, below: [] }]
  at = 0
  constructor(depth) { this.all[0].depth = depth; }
  go(depth) {
    const { back, entry, pushed } = moves(this.all[this.at], depth);
    this.at -= back;
    assert.ok(this.at >= 0, 'the page is never left');
    this.all[this.at] = entry;
    for (const one of pushed) {
      this.all.length = this.at + 1;
      this.all.push(one);
      this.at += 1;
    }
    assert.equal(this.all[this.at].depth, depth);
    assert.equal(this.all[this.at].below.length, this.at);
  }
}

test('after any steps the entry has the current depth, and Back goes one step outwards', () => {
  let seed = 7;
  const random = (count) => (seed = (seed * 48271) % 2147483647) % count;
  for (let round = 0; round < 200; round += 1) {
    const kept = new Kept(random(5));
    for (let step = 0; step < 40; step += 1) {
      kept.go(random(5));
      const depths = kept.all.slice(0, kept.at + 1).map(({ depth }) => depth);
      assert.deepEqual(depths.toSorted((a, b) => a - b), depths);
      for (let n = 1; n < depths.length; n += 1) assert.equal(depths[n], depths[n - 1] + 1);
      // The reader also goes back.
      if (random(3) === 0 && kept.at > 0) kept.at -= 1;
    }
  }
});

test('Back leaves the page if the reader entered at an open book, even after closing it', () => {
  const kept = new Kept(DEPTH.standing);
  kept.go(DEPTH.shelf);
  assert.equal(kept.at, 0);
  kept.go(DEPTH.flat);
  assert.equal(kept.at, 2);
});

test('a state that another script wrote is no entry', () => {
  const entry = { depth: 1, below: [0], book: 'b', page: null };
  assert.deepEqual(entryIn({ lectern: entry }), entry);
  const strange = [null, 1, 'x', {}, { lectern: 1 }, { lectern: { depth: 9, below: [] } }, { lectern: { depth: 1 } },
    { lectern: { depth: 1, below: ['a'] } }, { lectern: { depth: NaN, below: [] } }];
  for (const state of strange) assert.equal(entryIn(state), null);
});
