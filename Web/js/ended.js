/** What is said when the connection has ended for good. */

import { make, wordButton } from './dom.js'
import { keepLibraryKey } from './keys.js'

const CODE = { noRoom: 4002, full: 4004, keyNeeded: 4005, locked: 4006, ended: 4009, tries: 4010, replaced: 4011 }
const LETTERS = /^\s*[a-z]{6}\s*$/i

/** A field for what opens a room or the library: six letters, or the key. */
function door(desk) {
  const field = make('input', { required: true, 'aria-label': 'Six letters, or the key', autocomplete: 'off' })
  return make('form', {
    class: 'row', onsubmit(event) {
      event.preventDefault()
      if (LETTERS.test(field.value)) return desk.enter(field.value)
      keepLibraryKey(field.value.trim())
      location.reload()
    },
  }, field, wordButton('Come in', 'line'))
}

/**
 * The words for a close code, empty for the server's own, and what leads on.
 * @param {{room, typed, host, pages}} about the room, the letters typed for it, its host's name and
 *   how many pages were read together
 */
export function ended(code, { room, typed, host, pages }, desk) {
  const link = (text, href = location.href) => make('a', { text, href })
  const home = link('Open a room of your own', '/')
  const read = pages > 0 ? ` You read ${pages} page${pages === 1 ? '' : 's'} together.` : ''
  switch (code) {
    case CODE.noRoom: return { words: `No room answers to ${room}.`, ways: [home] }
    case CODE.full: return { words: 'Every seat is taken. Try again when somebody has left.', ways: [link('Try again')] }
    case CODE.keyNeeded:
      if (typed !== '') return { words: `No room answers to ${typed}`, ways: [door(desk)] }
      if (room === '') return { words: 'This library opens to those who have its key.', ways: [door(desk)] }
      return { words: 'This room opens to those who have its link. Ask for it again.', ways: [door(desk)] }
    case CODE.locked: return { words: 'The room is locked. Ask who is inside.', ways: [link('Try again')] }
    case CODE.ended: return { words: `${host || 'The host'} closed the book.${read}`, ways: [] }
    case CODE.tries: return { words: '', ways: [link('Try again')] }
    case CODE.replaced: return { words: 'You read on in another window.', ways: [link('Read here')] }
    default: return { words: '', ways: [link('Reload')] }
  }
}
