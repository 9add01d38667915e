/**
 * German for what the server says. Its texts arrive in English, because one stream is for all readers of a room: the
 * captions and titles of its messages, and the sentences of sentences.js.
 */

import { KIND, SCREEN } from '../../wire.js'
import { SENTENCES } from './sentences.js'

/** A sentence as [the texts around its values, the German]; {0} and the following are its values, in order. */
const PATTERNS = Object.entries(SENTENCES).map(([english, german]) => [english.split(/\{\d\}/), german])
  // The most specific one comes first, since a value may be long.
  .sort(([a], [b]) => b.join('').length - a.join('').length)

/** The values of a text that has the given parts, each as short as it can be; null if it has other parts. */
function valuesIn(text, [first, ...rest]) {
  if (!text.startsWith(first)) return null
  if (rest.length === 0) return text === first ? [] : null
  const last = rest.pop()
  const end = text.length - last.length
  if (end < first.length || !text.endsWith(last)) return null
  const values = []
  let from = first.length
  for (const part of rest) {
    const to = text.indexOf(part, from)
    if (to < 0 || to + part.length > end) return null
    values.push(text.slice(from, to))
    from = to + part.length
  }
  return [...values, text.slice(from, end)]
}

/** Numbers as the server writes them, with the separators of German. */
function numeral(value) {
  if (!/^\d[\d,]*(\.\d+)?( [KMG]iB| million| bytes)?$/.test(value)) return value
  const digits = value.replace(/[,.]/g, (mark) => (mark === ',' ? '.' : ','))
  return digits.replace('million', 'Millionen').replace('bytes', 'Byte')
}

/** A sentence in German; one that has no German stays as it is. */
export function told(text) {
  for (const [parts, german] of PATTERNS) {
    const values = valuesIn(text, parts)
    // A value may be a reason, which is a sentence itself.
    if (values !== null) return german.replace(/\{(\d)\}/g, (_, place) => told(numeral(values[place])))
  }
  return text
}

/** The text for pages: on its own "Seiten 4–5", in a sentence "Seite 4–5", which fits after "auf" and "zu". */
export function placed(text) {
  if (text === 'The inside of the cover') return 'Die Innenseite des Einbands'
  if (text === 'the inside of the cover') return 'der Innenseite des Einbands'
  const [, name, labels] = /^([Pp]ages?) (.*)$/s.exec(text) ?? []
  return name === undefined ? text : `${name === 'Pages' ? 'Seiten' : 'Seite'} ${labelled(labels)}`
}

/** "4–5 of 32". */
const labelled = (text) => text.replace(/ of (\d+)$/, ' von $1')
const counted = (text) => text.replace(/^(\d+) book(s?)$/, (_, count, many) => `${count} ${many ? 'Bücher' : 'Buch'}`)
/** The titles of a shelf and of a book that are not in the library, which the server has given them. */
const GONE = new Map([
  ['A recorded shelf', 'Ein aufgenommenes Regal'],
  ['A book that is no longer here', 'Ein Buch, das nicht mehr hier ist'],
])
const named = (text) => GONE.get(text) ?? text

/** The name of an empty list: the library's, or that of a search. */
const emptied = (text) => (text === 'Your library is empty' ? 'Die Bibliothek ist leer'
  : text.replace(/^No book here is called “(.*)”$/s, 'Kein Buch hier heißt „$1“'))

/** "Author. 32 pages. Continue on page 4 of 32". */
const about = (text) => text.replace(/(^|\. )(\d+) page(s?)(?:\. Continue on (.*))?$/s,
  (_, before, count, many, place) => `${before}${count} Seite${many && 'n'}${
    place === undefined ? '' : `. Weiterlesen auf ${placed(place)}`}`)
  .replace(/(^|\. )Cannot be opened$/, '$1Lässt sich nicht öffnen')

/** "Title, pages 4–5 of 32 · Lectern". */
const opened = (text) => text.replace(/(^|.*, )(the inside of the cover|pages? .*)( · Lectern)$/s,
  (_, name, place, program) => `${name}${placed(place).replace(/^der /, '')}${program}`)

/** The text that is read aloud: a name and what is said about it. */
const aloud = (text, detail, german) =>
  (detail !== '' && text.endsWith(detail) ? text.slice(0, text.length - detail.length) + german : text)

function caption(message) {
  const { screen, detail, book } = message
  const isBook = screen === SCREEN.book
  message.detail = isBook ? placed(detail) : screen === SCREEN.shelf && book !== '' ? about(detail) : counted(detail)
  message.announcement = aloud(message.announcement, detail, message.detail)
  if (message.count === 0) message.announcement = message.title = emptied(message.title)
  if (isBook) message.windowTitle = opened(message.windowTitle)
  place(message)
  message.heading = named(message.heading)
}

function place(message) {
  message.position = placed(message.position)
  message.label = labelled(message.label)
  message.title = named(message.title)
}

/** "Page 4", or "Page 4, second half" of a wide page. */
const faced = (text) => text.replace(/^Page (.*?)(, second half)?$/s,
  (_, label, half) => `Seite ${label}${half === undefined ? '' : ', zweite Hälfte'}`)

function element(content) {
  const { kind, index, title } = content
  if (kind === KIND.collection) content.subtitle = counted(content.subtitle)
  content.title = kind === KIND.page && index > 0 ? faced(title) : named(title)
}

/** Puts the texts of a message into German, in place. One that is decoded later has only a view of its bytes yet. */
export function translate(message) {
  if (message.view !== undefined) return
  switch (message.type) {
    case 'caption': return caption(message)
    case 'elements': return message.elements.forEach(element)
    case 'place': return place(message)
    case 'framing':
      message.label = labelled(message.label)
      break
    case 'error':
      message.message = told(message.message)
      break
    default:
  }
}
