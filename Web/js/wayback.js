/** The text and the action of the button that leads back, by the current place and the member's rights. */

import { encodeWander } from './together/wire.js'
import { SCREEN } from './wire.js'
import { WORDS } from './words/common.js'

/**
 * The target of the way back: {words, key, go()}. A guest does not close the book for others: the button leads to
 * the shelf if that is shared, and leaves the reading otherwise.
 */
export function wayBack(context) {
  const { caption } = context.view
  const { role, room } = context.session
  const { closeBook, allShelves, others, standUp, toShelf, leave } = WORDS.wayBack
  const isBook = caption?.screen === SCREEN.book
  const escape = (words) => ({ words, key: 'Esc', go: () => context.actions.press('Escape') })
  if (role?.rights.mayShare || !room?.isShared) return escape(isBook ? closeBook : allShelves)
  if (!isBook) return { words: others, key: '', go: () => context.actions.send(encodeWander(false)) }
  if (caption.isFlat) return escape(standUp)
  if (role?.rights.mayLeaveBook) return escape(toShelf)
  return { words: leave, key: '', go: async () => (await context.actions.load('together/leave'))?.show() }
}
