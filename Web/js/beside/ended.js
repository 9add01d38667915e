/** What is said when the connection has ended for good. */

import { keyForm } from '../api.js'
import { make, wordButton } from '../dom.js'

const CODE = {
  noRoom: 4002, full: 4004, keyNeeded: 4005, locked: 4006, shownOut: 4007, ended: 4009, tries: 4010, replaced: 4011,
  gone: 4012, rooms: 4013,
}

/**
 * What a close code means to the reader and what leads on.
 * @param {{reason, room, typed, host, pages}} about what the server said, the room, the letters typed for
 *   it, its host's name and how many pages were read together
 * @param again makes another attempt
 * @returns {{title, words, acts, letters, takesCode}} takesCode: six letters may help
 */
export function ended(code, { reason, room, typed, host, pages }, again) {
  const link = (text, href) => make('a', { class: 'key', text, href })
  const home = link('Open a room of your own', '/')
  const retry = (text = 'Try again') => wordButton(text, 'key', again)
  switch (code) {
    case CODE.noRoom: return { title: 'No room has that address', words: 'Ask for the link again.', acts: [home] }
    case CODE.full:
      return { title: 'Every seat is taken', words: 'Try again when somebody has left.', acts: [retry()] }
    case CODE.keyNeeded:
      if (typed !== '') return { letters: typed }
      return room === ''
        ? {
          title: 'This library opens to its key', words: 'It was told when the library was opened.',
          acts: [keyForm(again)], takesCode: true,
        }
        : {
          title: 'You need an invitation to this room', words: 'Ask for the link again, or for a code of six letters.',
          acts: [], takesCode: true,
        }
    case CODE.locked:
      return { title: 'The room is locked', words: 'Ask who is inside.', acts: [retry()] }
    case CODE.ended: {
      const read = pages > 0 ? `You read ${pages} page${pages === 1 ? '' : 's'} together.` : ''
      return { title: `${host || 'The host'} closed the book`, words: read, acts: [home] }
    }
    case CODE.tries:
      return { title: 'That was not it', words: 'Wait a minute, then try again.', acts: [retry()] }
    case CODE.replaced:
      return { title: 'You read on in another window', words: '', acts: [retry('Read here')] }
    case CODE.gone:
      return {
        title: 'This room is gone', words: 'Its reading has ended, or nobody used it for a long time.', acts: [home],
        takesCode: true,
      }
    case CODE.rooms:
      return {
        title: 'Too many rooms were opened from here', words: 'Wait a minute, then try again.',
        acts: [retry()],
      }
    case CODE.shownOut: return { title: 'The host has shown you out', words: '', acts: [home] }
    default:
      return {
        title: 'The library has closed this page', words: reason, acts: [link('Reload', location.href)],
      }
  }
}
