/** What one does about who has the book, remembered until its effect is seen: what one did is not news. */

import { encodeBring, encodeHandover, encodeWander } from './wire.js'

/** The last act, ''. */
let last = ''

export function hand(desk, act, member = null) {
  if (member === null) last = act
  if (act === 'catchUp') desk.send(encodeWander(false))
  else if (act === 'bring') desk.send(encodeBring(desk.caption.book))
  else if (act === 'alone') desk.send(encodeBring(''))
  else desk.send(encodeHandover(act, member))
}

/** Whether the last act was this one; then it is forgotten. */
export function did(act) {
  if (last !== act) return false
  last = ''
  return true
}
