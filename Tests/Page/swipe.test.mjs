import assert from 'node:assert/strict'
import test from 'node:test'
import { wayOf } from '../../Web/js/text/swipe.js'

test('a finger that goes far enough sideways has a way', () => {
  assert.equal(wayOf([300, 400], [100, 400]), -1)
  assert.equal(wayOf([100, 400], [300, 480]), 1)
  assert.equal(wayOf([100, 400], [148, 400]), 1)
})

test('a tap, a short way and a steep one are no swipe', () => {
  assert.equal(wayOf([100, 400], [100, 400]), 0)
  assert.equal(wayOf([100, 400], [147, 400]), 0)
  assert.equal(wayOf([100, 400], [100, 90]), 0)
  assert.equal(wayOf([100, 400], [200, 451]), 0)
})
