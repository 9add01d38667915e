import assert from 'node:assert/strict';
import test from 'node:test';
import { listOf, parsed, refusal, textOf } from '../../Web/js/api.js';
import { omitted, placed } from '../../Web/js/ledges.js';

test('a spine has the box and the lean that the library gives', () => {
  assert.equal(placed({ box: [.25, .5, .5, 1], lean: 0 }), 'left:25%;top:50%;width:25%;height:50%');
  assert.match(placed({ box: [.25, .5, .5, 1], lean: -6 }), /;transform:rotate\(-6deg\)$/);
  assert.equal(placed({ box: [-9, 0, 9, 1], lean: 0 }), 'left:0%;top:0%;width:100%;height:100%');
});

test('an invalid box has no position', () => {
  for (const spine of [{}, { box: [0, 0, 1], lean: 0 }, { box: '0011', lean: 0 }, { box: [0, 0, 1, NaN], lean: 0 },
    { box: [0, 0, 1, '1);color:red'], lean: 0 }, { box: [0, 0, 1, 1] }, { box: [0, 0, 1, 1], lean: '0' }]) {
    assert.equal(placed(spine), null);
  }
});

test('spines that a search does not find step back, with their shadows', () => {
  const spines = [{ book: 'a' }, { book: 'b' }, { book: 'c' }];
  assert.equal(omitted('s', spines, new Set(['b', 'x'])),
    '[data-shelf="s"] svg>g:not(:nth-of-type(2),:nth-of-type(5)){opacity:.1}');
  assert.equal(omitted('s', spines, new Set()), '[data-shelf="s"] svg>g{opacity:.1}');
  assert.equal(omitted('s', [], new Set(['a'])), '');
});

test('an answer of another shape counts as empty', () => {
  assert.deepEqual([null, {}, 'x', 7, [null, 1, { a: 1 }]].map(listOf), [[], [], [], [], [{ a: 1 }]]);
  assert.deepEqual([null, {}, [], 'x', 7].map(textOf), ['', '', '', 'x', '7']);
  assert.equal(textOf('x'.repeat(1e6)).length, 2000);
  assert.throws(() => parsed('<!doctype html>'), { status: 502 });
});

test('the library\'s error is cut to a length that can be shown', () => {
  assert.equal(refusal(422, '{"error":"No.","notice":{"code":"uploadEmpty","values":{}}}').message,
    'This file is empty. Choose one with pages in it.');
  for (const text of ['', 'null', '[]', '{"error":"No."}', '{"notice":7}', '<html>']) {
    assert.equal(refusal(404, text).message, 'This is not in the library any more.', text);
  }
  const notice = { code: 'other', values: { reason: 'x'.repeat(1e6) } };
  assert.ok(refusal(400, JSON.stringify({ notice })).message.length < 1000);
});
