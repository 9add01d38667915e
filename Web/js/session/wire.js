/** The messages that a person's input sends, which the first picture does not need; ../wire.js has the others. */

import { CLIENT, numbered, pack } from '../wire.js'

export const POINTER = numbered('down move up cancel')
/** The orders of an arrangement. */
export const ORDER = numbered('shelved title added lastRead')
/** The keys of the protocol, by their DOM names. */
export const KEY = numbered(
  'ArrowRight ArrowLeft ArrowUp ArrowDown PageUp PageDown Home End Enter Escape f + - 0', 1)
export const MAX_SAMPLES = 16
export const STOCK = numbered('paper card board')
/** The strips of a bent leaf. */
export const STRIPS = 10
const NO_PAGE = 0xffffffff

/**
 * @param {number} target the server's time of the next vsync in seconds; 0 while it is unknown
 * @param {object[]} samples {id, phase, age, x, y}, oldest first; an empty list only requests a driven frame
 */
export function encodePointers(target, samples) {
  const count = samples.length
  if (count > MAX_SAMPLES) throw new RangeError(`${count} samples: send at most ${MAX_SAMPLES}`)
  const values = samples.flatMap(({ id, phase, age, x, y }) =>
    [id, phase, Math.max(0, Math.min(65535, Math.round(age * 10000))), x, y])
  return pack('bhdb' + 'bbhff'.repeat(count), CLIENT.pointers, 0, target, count, ...values)
}

export const encodeWheel = ({ dx, dy, x, y, ctrl = false }) => pack('bhffffb', CLIENT.wheel, 0, dx, dy, x, y, ctrl)

export const encodeKey = name => pack('bhb', CLIENT.key, 0, KEY[name])

export const encodeClock = clientTime => pack('bd', CLIENT.clock, clientTime)

export const encodeJump = page => pack('bhi', CLIENT.jump, 0, page)

/** Goes to a book and may open it, at a page or where the reader left it. */
export const encodeGo = ({ book, opens = false, page = NO_PAGE }) =>
  pack('bhsbi', CLIENT.go, 0, book, opens, page ?? NO_PAGE)

export const encodeArrange = ({ order, filter = '' }) => pack('bhbs', CLIENT.arrange, 0, order, filter)

/** Zooms by a factor about a point of the viewport; factor 0 resets the zoom. */
export const encodeZoomStep = (factor, x, y) => pack('bhfff', CLIENT.zoomStep, 0, factor, x, y)
