/** Decides which hidden elements are removed to free memory. */

import { KIND } from './wire.js'

const MOST = { pages: 28, others: 64 }; // hidden elements that are kept with decoded images

/**
 * The hidden elements that exceed the limit; they are those seen least recently.
 * @param {Map} elements key -> StageElement
 * @returns {number[]} keys
 */
export function evicted(elements) {
  const hidden = { pages: [], others: [] }
  for (const [key, { written, seen, content: { kind } }] of elements) {
    if (!written.visible) hidden[kind === KIND.page ? 'pages' : 'others'].push({ key, seen })
  }
  return Object.entries(hidden).flatMap(([name, all]) =>
    all.sort((a, b) => b.seen - a.seen).slice(MOST[name]).map(({ key }) => key))
}
