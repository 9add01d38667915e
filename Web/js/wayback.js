/** The button that leads back: what it says and does, by where one is and what one may. */

import { encodeWander } from './together/wire.js'
import { CAPTION, SCREEN } from './wire.js'

/**
 * Where the way back leads: {words, key, go()}. A guest closes nobody's book: it leaves the shared one for its
 * shelf, where that is shared, or the reading.
 */
export function wayBack(desk) {
  const { caption, role, room } = desk
  const isBook = caption?.screen === SCREEN.book
  const escape = (words) => ({ words, key: 'Esc', go: () => desk.press('Escape') })
  if (role?.rights.mayShare || !room?.isShared) return escape(isBook ? 'Close the book' : 'All shelves')
  if (!isBook) return { words: 'Back to the others', key: '', go: () => desk.send(encodeWander(false)) }
  if (caption.flags & CAPTION.flat) return escape('Stand the book up')
  if (room.sharesShelf && role?.rights.mayWander) return escape('To the shelf')
  return { words: 'Leave the reading', key: '', go: async () => (await desk.summon('together/leave'))?.show() }
}
