import assert from 'node:assert/strict';
import test from 'node:test';
import { pagesBetween } from '../../Web/js/printing/choice.js';
import { loaded } from '../../Web/js/printing/loading.js';

const LABELS = ['i', 'ii', '1', '2', '3', '4'];
const none = () => {};

test('a range has the printed numbers of the book, in its order', () => {
  assert.deepEqual(pagesBetween('ii', ' 2 ', LABELS), { pages: [1, 2, 3] });
  assert.deepEqual(pagesBetween('3', '1', LABELS), { pages: [2, 3, 4] });
  assert.deepEqual(pagesBetween('2', '2', LABELS), { pages: [3] });
  assert.deepEqual(pagesBetween('', '', LABELS), { pages: [0, 1, 2, 3, 4, 5] });
  assert.match(pagesBetween('2', '9', LABELS).fault, /page 9/);
  assert.match(pagesBetween('0', '2', LABELS).fault, /page 0/);
});

test('a range has at most fifty pages', () => {
  const labels = Array.from({ length: 2000 }, (_, page) => `${page + 1}`);
  assert.equal(pagesBetween('11', '60', labels).pages.length, 50);
  assert.match(pagesBetween('11', '61', labels).fault, /51.*50/);
});

test('images are loaded a few at a time, and come in their order', async () => {
  const counts = [];
  let most = 0;
  let waiting = 0;
  const load = async (address) => {
    waiting += 1;
    most = Math.max(most, waiting);
    // A later one may be there before an earlier one.
    for (let turn = 0; turn < 10 - address; turn += 1) await null;
    waiting -= 1;
    return `image ${address}`;
  };
  const addresses = [0, 1, 2, 3, 4, 5, 6, 7];
  const { images, missing } = await loaded(addresses, new AbortController().signal, (n) => counts.push(n), load);
  assert.deepEqual(images, addresses.map((address) => `image ${address}`));
  assert.equal(missing, undefined);
  assert.deepEqual(counts, [1, 2, 3, 4, 5, 6, 7, 8]);
  assert.equal(most, 3);
});

/** Never loads an image; gives up when the signal says so. */
const held = (asked) => (address, signal) => {
  asked.push(address);
  return new Promise((resolve) => { signal.addEventListener('abort', () => resolve(null)); });
};

test('the first image that cannot be loaded ends the others and is named', async () => {
  const asked = [];
  const wait = held(asked);
  const load = (address, signal) => (address === 2 ? Promise.resolve(null) : wait(address, signal));
  const result = await loaded([0, 1, 2, 3, 4], new AbortController().signal, none, load);
  assert.deepEqual(result, { missing: 2 });
  assert.deepEqual(asked, [0, 1]);
});

test('a reader who cancels waits for nothing', async () => {
  const stop = new AbortController();
  const asked = [];
  const result = loaded([0, 1, 2, 3, 4], stop.signal, none, held(asked));
  stop.abort();
  await result;
  assert.deepEqual(asked, [0, 1, 2]);
});
