/** Decides which hidden elements are removed to free memory. */

import { KIND, PART } from './wire.js'

const MOST = { pages: 28, others: 64 }; // hidden elements that are kept with decoded images

/**
 * The hidden elements that exceed the limit; they are those seen least recently.
 * @param {Map} elements key -> StageElement, or a part of one
 * @returns {number[]} keys
 */
export function evicted(elements) {
  // Visible parts are drawn from the image of the whole.
  const shown = [...elements.values()].filter(({ written }) => written.visible)
  const drawn = new Set(shown.map(({ content }) => content.id))
  const hidden = { pages: [], others: [] }
  for (const [key, { part, seen, content: { id, kind } }] of elements) {
    if (part === PART.whole && !drawn.has(id)) hidden[kind === KIND.page ? 'pages' : 'others'].push({ key, seen })
  }
  return Object.entries(hidden).flatMap(([name, all]) =>
    all.sort((a, b) => b.seen - a.seen).slice(MOST[name]).map(({ key }) => key))
}
