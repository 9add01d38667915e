/** The lines about which a leaf bends, and the strips between them. */

import { STRIPS } from '../session/wire.js'
import { PART } from '../wire.js'

/** Where the rulings of each curl meet: page heights below the middle of the spine; null if they are parallel. */
const APEXES = [null, 2.5, 1, -2.5, -1]
const STRIPS_OF_CURL = 16

/** The strip of a part: {index, apex}; null for other parts. */
export function stripOf(part) {
  const n = part - PART.strip
  const [index, apex] = [n % STRIPS_OF_CURL, APEXES[Math.floor(n / STRIPS_OF_CURL)]]
  return n < 0 || index >= STRIPS || apex === undefined ? null : { index, apex }
}

/** How much wider the space between two rulings is at the edge far from the apex than at a height in page heights. */
export const spreadAt = (apex, height) => (apex === null ? 1 : (Math.abs(apex) + .5) / Math.abs(apex - height))
