import assert from 'node:assert/strict';
import test from 'node:test';
import { imageBox, outside } from '../../Web/js/overlays.js';
import { chapterAt, stopOf } from '../../Web/js/contents.js';

const near = (box, expected) => box.forEach((value, i) =>
  assert.ok(Math.abs(value - expected[i]) < 1e-9, `${box} and ${expected}`));

test('an image of the page\'s own shape fills it', () => {
  near(imageBox(362, 568, 724, 1136), [0, 0, 1, 1]);
  near(imageBox(362, 568, 1020, 1600), [0, 0, 1, 1]);
});

test('a wide image is centred, with paper above and below', () => {
  near(imageBox(300, 400, 600, 400), [0, .25, 1, .5]);
});

test('a tall image is centred, with paper at its sides', () => {
  near(imageBox(400, 400, 200, 400), [.25, 0, .5, 1]);
});

test('an image that has not loaded counts as filling the page', () => {
  near(imageBox(362, 568, 0, 0), [0, 0, 1, 1]);
  near(imageBox(362, 568, undefined, undefined), [0, 0, 1, 1]);
});

test('an external link opens only web and mail addresses', () => {
  assert.equal(outside('https://example.org/a').host, 'example.org');
  assert.equal(outside('mailto:maren@example.org').protocol, 'mailto:');
  for (const uri of ['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', 'notes.pdf', '']) {
    assert.equal(outside(uri), null, uri);
  }
});

test('the chapter of a stop is the last one that begins at or before it', () => {
  const outline = [{ page: 2 }, { page: 4 }, { page: null }, { page: 4 }, { page: 9 }];
  const stops = [0, 1, 3, 5, 7, 9].map((page) => ({ page }));
  assert.deepEqual([0, 1, 2, 3, 4, 5].map((index) => chapterAt(outline, stops, index)), [-1, 0, 3, 3, 3, 4]);
  assert.equal(chapterAt([], stops, 5), -1);
  assert.equal(chapterAt(outline, [], 5), -1);
});

test('a page belongs to the last stop that does not begin after it', () => {
  const stops = [{ page: 0 }, { page: 1 }, { page: 3 }];
  assert.deepEqual([0, 1, 2, 3, 99].map((page) => stopOf(stops, page)), [0, 1, 1, 2, 2]);
  assert.equal(stopOf([], 0), -1);
});
