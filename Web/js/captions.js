/** The words for what the server tells about places, in captions and elements, which are written into the messages. */

import { KIND, SCREEN } from './wire.js'
import { WORDS } from './words/start.js'

/** Characters that change the direction of writing, which a window's title must not have. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g

const joined = (...parts) => parts.filter((part) => part !== '').join('. ')

/** How pages {labels, total} are called: on their own (detail), in a sentence, in short, and in a window's title. */
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
  const { detail, position = '', label = '', titled } = isOpen ? called(message.range) : {}
  Object.assign(message, { position, label, detail: count === 0 ? '' : isOpen ? detail : detailOf(message) })
  const name = message.title || message.heading
  if (count === 0) message.title = findsNothing ? noBook(filter) : empty
  message.announcement = count === 0 ? message.title : joined(name, message.detail)
  const window = count === 0 || screen === SCREEN.collections ? ''
    : isOpen ? [name, titled].filter(Boolean).join(', ') : message.heading
  message.windowTitle = [window.replace(DIRECTIONS, ''), WORDS.program].filter(Boolean).join(' · ')
}

function element(content) {
  const { kind, index, count, author } = content
  const { books, page, half, lostBook, recordedShelf } = WORDS.places
  content.subtitle = kind === KIND.collection ? books(count) : author
  if (kind === KIND.collection) content.title ||= recordedShelf
  else if (kind === KIND.cover && count === 1) content.title = lostBook
  else if (kind === KIND.page && index > 0 && content.title !== '') {
    content.title = (count === 1 ? half : page)(content.title)
  }
}

const WRITE = {
  caption,
  elements: ({ elements }) => elements.forEach(element),
  place(message) {
    const { position = '', numbers: label = '' } = message.book === '' ? {} : called(message.range)
    Object.assign(message, { position, label })
  },
  framing(message) { message.label = message.pages === 0 ? '' : called(message.range).label },
}

/** Writes the words of a message into it, and returns it; one that is decoded later has only a view of bytes yet. */
export function describe(message) {
  if (message.view === undefined) WRITE[message.type]?.(message)
  return message
}
