import assert from 'node:assert/strict'
import test from 'node:test'
import { boxOf, isWhole, samplesOf, SPANS, validFits } from '../../Web/js/text/fit.js'

/** A page of words between these edges. */
const page = (left, top, right, bottom) => Array.from({ length: 40 }, (_, n) => {
  const x = left + (right - left - .05) * (n % 8) / 7
  const y = top + (bottom - top - .02) * Math.floor(n / 8) / 4
  return [x, y, x + .05, y + .02, 'fern']
})
const near = (box, expected) => box.every((side, n) => Math.abs(side - expected[n]) < 1e-9)

test('the box of a book holds the words of its pages, left and right ones alike', () => {
  const pages = [page(.1, .1, .8, .9), page(.2, .12, .9, .88), page(.1, .1, .8, .5)]
  assert.ok(near(boxOf(pages), [.1, .1, .9, .9]))
})

test('one page in eight may go to the edge, and pages of a few words do not count', () => {
  const pages = [...Array(7).fill(page(.15, .1, .85, .9)), page(0, 0, 1, 1), page(0, 0, 1, 1).slice(0, 5)]
  assert.ok(near(boxOf(pages), [.15, .1, .85, .9]))
  assert.equal(boxOf([[], page(0, 0, 1, 1).slice(0, 5)]), null)
})

test('words outside of a page do not make the box larger than the page', () => {
  const words = page(.1, .1, .9, .9)
  words[3] = [-5, -1e9, 7, 1e300, 'fern']
  assert.deepEqual(boxOf([words]), [0, 0, 1, 1])
})

test('the pages to measure are those in the window and at most eight others, each once', () => {
  assert.deepEqual(samplesOf([3, 4], 3), [3, 4, 0, 1, 2])
  assert.deepEqual(samplesOf([], 0), [])
  const many = samplesOf([10, 11], 20_000)
  assert.equal(many.length, 10)
  assert.ok(many.every((number) => Number.isInteger(number) && number >= 0 && number < 20_000))
})

test('what is stored counts only if it is a known choice', () => {
  assert.deepEqual(validFits({ a: 'words', b: 'whole', c: 'other', d: 3 }), { a: 'words' })
  assert.deepEqual(validFits(null), {})
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`book ${n}`, 'page']))
  assert.equal(Object.keys(validFits(many)).length, 100)
  assert.equal(SPANS.length, 5)
})

test('a page is whole where its height fits at the width of the window', () => {
  const page = { width: 210, height: 297 }
  assert.equal(isWhole(page, { width: 390, height: 844 - 168 }), true)
  assert.equal(isWhole(page, { width: 820, height: 1180 - 128 }), false)
  assert.equal(isWhole(page, { width: 1366, height: 768 - 128 }), false)
  assert.equal(isWhole({ width: 400, height: 300 }, { width: 820, height: 1052 }), true)
  assert.equal(isWhole({ width: 0, height: 0 }, { width: 820, height: 1052 }), false)
})
