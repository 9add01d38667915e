/** What one does about who has the book, remembered until its effect is seen: what one did is not news. */

import { encodeHandover, encodeWander } from './wire.js'

/** The last act, ''. */
let last = ''

export function hand(desk, act, member = null) {
  if (member === null) last = act
  desk.send(act === 'catchUp' ? encodeWander(false) : encodeHandover(act, member))
}

/** Whether the last act was this one; then it is forgotten. */
export function did(act) {
  if (last !== act) return false
  last = ''
  return true
}
