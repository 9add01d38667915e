/**
 * The words for what the server tells about places: captions, the pages of spreads, and elements. They are written into
 * the messages.
 */

import { KIND, SCREEN } from './wire.js'
import { WORDS } from './words/start.js'

/** Characters that change the direction of writing, which a window's title must not have. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g

const joined = (...parts) => parts.filter((part) => part !== '').join('. ')

/**
 * How pages {labels, total} are called: on their own with their total (detail), within a sentence (position), in short
 * (numbers, and label with the total), and within the title of a window (titled).
 */
export function called({ labels, total = '' }) {
  const { inside, ofTotal, page, pages, onPage, onPages } = WORDS.places
  if (labels.length === 0) return inside
  const numbers = labels.join('–')
  const label = total === '' ? numbers : ofTotal(numbers, total)
  const [alone, within] = labels.length > 1 ? [pages, onPages] : [page, onPage]
  return { detail: alone(label), position: within(numbers), numbers, label, titled: within(label) }
}

/** The details about a collection in the list, or about the book in the middle of a shelf. */
function detailOf({ book, author, size, range, isBegun, cannotOpen }) {
  const { books, pageCount, closed, continuesOn } = WORDS.places
  if (book === '') return books(size)
  const { position, titled } = called(range)
  const place = range.labels.length > 0 ? titled : position
  return joined(author, cannotOpen ? closed : pageCount(size), isBegun ? continuesOn(place) : '')
}

function caption(message) {
  const { screen, count, filter, findsNothing, isLost } = message
  const { empty, noBook, lostBook, recordedShelf } = WORDS.places
  const isOpen = screen === SCREEN.book
  if (isLost) message.title = lostBook
  if (count > 0) message.heading ||= recordedShelf
  const { detail, position, label, titled } = isOpen ? called(message.range) : { position: '', label: '' }
  Object.assign(message, { position, label, detail: count === 0 ? '' : isOpen ? detail : detailOf(message) })
  const { heading, title } = message
  if (count === 0) message.title = findsNothing ? noBook(filter) : empty
  message.announcement = count === 0 ? message.title : joined(title || heading, message.detail)
  const window = count === 0 || screen === SCREEN.collections ? ''
    : isOpen ? [title || heading, titled].filter(Boolean).join(', ') : heading
  message.windowTitle = [window.replace(DIRECTIONS, ''), WORDS.program].filter(Boolean).join(' · ')
}

function element(content) {
  const { kind, index, count, author } = content
  const { books, page, half, lostBook, recordedShelf } = WORDS.places
  content.subtitle = kind === KIND.collection ? books(count) : author
  if (kind === KIND.collection) content.title ||= recordedShelf
  else if (kind === KIND.cover) content.title = count === 1 ? lostBook : content.title
  else if (kind === KIND.page && index > 0 && content.title !== '') {
    content.title = (count === 1 ? half : page)(content.title)
  }
}

/** Writes the words of a message into it, and returns it. One that is decoded later has only a view of its bytes yet. */
export function describe(message) {
  if (message.view !== undefined) return message
  switch (message.type) {
    case 'caption':
      caption(message)
      break
    case 'elements':
      message.elements.forEach(element)
      break
    case 'place': {
      const { position, numbers } = message.book === '' ? { position: '', numbers: '' } : called(message.range)
      return Object.assign(message, { position, label: numbers })
    }
    case 'framing': return Object.assign(message, { label: message.pages === 0 ? '' : called(message.range).label })
    default:
  }
  return message
}
