/** The paragraphs of a page: its lines, joined where a line ended only because it was full. */

import { linesOf, piecesOf } from './lines.js'

const GAP = 1.7; // of the usual distance of two lines, between two paragraphs
const INDENT = .6; // of a line's height by which the first line of a paragraph is indented
const CENTRED = .2; // of a line's height by which the ends of centred lines differ
const SPACE = .25; // of a line's height: the width of a space

const median = (values) => [...values].sort((a, b) => a - b)[(values.length - 1) >> 1]

/** What counts of a line: {words, box, first: the width of its first word}; its box is null without words. */
function lineOf(pieces) {
  const words = pieces.map(({ text }) => text).join('').trim()
  const boxes = pieces.map(({ box }) => box).filter((box) => box !== null)
  if (boxes.length === 0) return { words, box: null, first: 0 }
  const box = [Math.min(...boxes.map((one) => one[0])), Math.min(...boxes.map((one) => one[1])),
    Math.max(...boxes.map((one) => one[2])), Math.max(...boxes.map((one) => one[3]))]
  return { words, box, first: boxes[0][2] - boxes[0][0] }
}

/** A line and the one after it, as one. A hyphen at the end of a line is that of a word that did not fit. */
const joined = (line, next) => (/\p{L}[-\u00ad]$/u.test(line) && /^\p{Ll}/u.test(next)
  ? line.slice(0, -1) + next : `${line} ${next}`)

/**
 * The paragraphs of a text, in which a line feed is a line that ends on purpose, as in a poem.
 * @param words [left, top, right, bottom, word] in the order of the text
 * @param aspect the page's width divided by its height
 */
export function paragraphsOf(text, words, aspect = 1) {
  const lines = linesOf(piecesOf(text, words)).map(lineOf)
  const boxes = lines.map(({ box }) => box).filter((box) => box !== null)
  const steps = boxes.slice(1).map((box, n) => box[1] - boxes[n][1]).filter((step) => step > 0)
  const pitch = steps.length > 0 ? median(steps) : 0
  const width = Math.max(0, ...boxes.map((box) => box[2] - box[0]))
  const found = []
  let before = null
  for (const line of lines) {
    if (line.words === '') {
      before = null
      continue
    }
    const bond = before === null ? null : bondOf(before, line, { pitch, width, aspect })
    if (bond === null) found.push(line.words)
    else found.push(bond === '' ? joined(found.pop(), line.words) : found.pop() + bond + line.words)
    before = line
  }
  return found
}

/** What is between two lines: nothing if they are one sentence, a line feed, or null for another paragraph. */
function bondOf({ box: above }, { box, first }, { pitch, width, aspect }) {
  if (above === null || box === null) return '\n'
  const step = box[1] - above[1]
  if (step > GAP * pitch) return null
  const height = (box[3] - box[1]) / aspect
  const [left, right] = [box[0] - above[0], box[2] - above[2]]
  // The ends of a centred line move by the same distance, in opposite directions.
  const isCentred = Math.abs(left) > CENTRED * height && Math.abs(left + right) < CENTRED * height
  if (isCentred) return '\n'
  if (step > 0 && left > INDENT * height) return null
  const isFull = above[2] - above[0] + SPACE * height + first > width
  return isFull ? '' : '\n'
}
