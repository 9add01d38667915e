import assert from 'node:assert/strict'
import test from 'node:test'
import { matchFrom, matchesIn } from '../../Web/js/matches.js'

const PAGES = [3, 8, 9, 20]

test('one match follows the other in both directions, around the ends', () => {
  const steps = [[3, 1, 0], [0, 1, 1], [1, -1, 0], [0, -1, 3]]
  for (const [at, step, next] of steps) assert.equal(matchFrom(PAGES, at, [PAGES[at]], step), next)
  assert.equal(matchFrom([5], 0, [5], 1), 0)
})

test('of two matches in the window each has its turn', () => {
  assert.equal(matchFrom(PAGES, 1, [8, 9], 1), 2)
  assert.equal(matchFrom(PAGES, 2, [8, 9], -1), 1)
})

test('a reader who has turned on goes on from the pages in the window, whose matches come first', () => {
  assert.equal(matchFrom(PAGES, 0, [10, 11], 1), 3)
  assert.equal(matchFrom(PAGES, 3, [10, 11], -1), 2)
  assert.equal(matchFrom(PAGES, 0, [8, 9], 1), 1)
  assert.equal(matchFrom(PAGES, 0, [8, 9], -1), 2)
  assert.equal(matchFrom(PAGES, 0, [30], 1), 0)
  assert.equal(matchFrom(PAGES, 3, [0], -1), 3)
})

test('before the first step, and inside of a cover, there is a first match', () => {
  assert.equal(matchFrom(PAGES, -1, [4], 1), 1)
  assert.equal(matchFrom(PAGES, -1, [], 1), 0)
  assert.equal(matchFrom(PAGES, -1, [], -1), 3)
  assert.equal(matchFrom(PAGES, 2, [], 1), 3)
})

test('matches are in the order of their pages, and what is none is left out', () => {
  const box = [.1, .2, .3, .4]
  const hits = [{ page: 9, boxes: [box, [1], null] }, { page: 'x' }, {}, { page: 2, boxes: 3 }]
  assert.deepEqual(matchesIn(hits), [{ page: 2, boxes: [] }, { page: 9, boxes: [box] }])
})
