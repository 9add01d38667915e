/** The text and the action of the button that leads back, by the current place and the member's rights. */

import { app, session } from './app.js'
import { present } from './dom.js'
import { encodeWander } from './together/wire.js'
import { WORDS } from './words/common.js'

/**
 * The target of the way back: {words, key, go()}. A guest does not close the book for others: the button leads to
 * the shelf if that is shared, and leaves the session otherwise.
 */
export function wayBack() {
  const { caption, isBook, role, room } = session
  const { closeBook, allShelves, others, standUp, toShelf, leave } = WORDS.wayBack
  const escape = (words) => ({ words, key: 'Esc', go: () => app.press('Escape') })
  if (session.mayOpen || !room?.isShared) return escape(isBook ? closeBook : allShelves)
  if (!isBook) return { words: others, key: '', go: () => app.send(encodeWander(false)) }
  if (caption.isFlat) return escape(standUp)
  if (role?.rights.mayLeaveBook) return escape(toShelf)
  return { words: leave, key: '', go: () => present('together/leave') }
}
