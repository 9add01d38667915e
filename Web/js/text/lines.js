/** The geometry of a page's text: where its lines and words are, for transparent words over the printed ones. */

const MOST_WORDS = 5000; // of a page that are placed; the text of the others has no place
const TALL = .8; // of a word's height is the size of its letters
const AWAY = .35; // of a line's height by which a word may be above or below the others
const MARKS = /\p{M}/gu

/**
 * The pieces of a text in order: words with their boxes, each with the spaces after it, and what is between them,
 * whose box is null.
 * @param words [left, top, right, bottom, word] in the order of the text
 */
export function piecesOf(text, words) {
  const pieces = []
  let place = 0
  const upTo = (end, box) => {
    if (end > place) pieces.push({ text: text.slice(place, end), box })
    place = Math.max(place, end)
  }
  for (const [left, top, right, bottom, word] of words.slice(0, MOST_WORDS)) {
    const start = word === '' ? -1 : text.indexOf(word, place)
    if (start < 0) continue
    upTo(start, null)
    let end = start + word.length
    while (/[^\S\n]/.test(text[end] ?? '')) end += 1
    upTo(end, [left, top, right, bottom])
  }
  upTo(text.length, null)
  return pieces
}

/** The lines of pieces: lists whose last piece ends with a line feed, except in the last line. */
export function linesOf(pieces) {
  const lines = [[]]
  for (const { text, box } of pieces) {
    for (const part of box === null ? text.split(/(?<=\n)/) : [text]) {
      lines.at(-1).push({ text: part, box })
      if (part.endsWith('\n')) lines.push([])
    }
  }
  if (lines.at(-1).length === 0) lines.pop()
  return lines
}

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1]

/** Whether the words of a line follow one another from right to left. */
function isReversed(boxes) {
  let steps = 0
  for (let n = 1; n < boxes.length; n += 1) steps += Math.sign(boxes[n][0] - boxes[n - 1][0])
  return steps < 0
}

/**
 * Places the words of a line on a page.
 * @param width, height of the page in px, in which the results are, too
 * @param measure returns the width of a text for letters of 1 px
 * @returns {top, height, size: of the letters, indent, isReversed, words}; a word has its letter spacing, and how far
 *   it has to be moved from where the words before it leave it, as [right, down]. Null for a line without boxes.
 */
export function placeLine(line, { width, height, measure }) {
  const words = line.filter(({ box }) => box !== null)
  if (words.length === 0) return null
  const reversed = isReversed(words.map(({ box }) => box))
  // Mirrored, a line from right to left is like any other.
  const boxes = words.map(({ box: [left, top, right, bottom] }) => ({
    start: width * (reversed ? 1 - right : left), end: width * (reversed ? 1 - left : right),
    top: height * top, bottom: height * bottom,
  }))
  const tall = Math.max(1, median(boxes.map(({ top, bottom }) => bottom - top)))
  const middle = median(boxes.map(({ top, bottom }) => (top + bottom) / 2))
  const size = TALL * tall
  let pen = boxes[0].start
  const placed = words.map(({ text }, n) => {
    const { start, end, top, bottom } = boxes[n]
    const next = boxes[n + 1]?.start
    const isSpaced = /\s$/.test(text)
    // A space reaches up to the next word, so that a selection has no gaps.
    const room = isSpaced && next > end ? next - start : end - start + (isSpaced ? size / 4 : 0)
    const letters = Math.max(1, [...text.replace(MARKS, '')].length)
    // A word that is moved leaves the place of the next one as it is.
    const along = Math.abs(start - pen) < 1 ? 0 : start - pen
    pen += room
    const down = (top + bottom) / 2 - middle
    return {
      spacing: (room - size * measure(text)) / letters,
      moved: [reversed ? 0 - along : along, Math.abs(down) > AWAY * tall ? down : 0],
    }
  })
  return { top: middle - tall / 2, height: tall, size, indent: boxes[0].start, isReversed: reversed, words: placed }
}
