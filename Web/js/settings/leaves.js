/** Follows the leaves of the open book from frame to frame, and says when one passes the middle or lands. */

const CUT = 1 // way between two frames from which on a leaf was not turned, but shown elsewhere
const TURNED = .5 // way from which on a leaf that comes to rest lands
const ASIDE = .55 // distance from the middle at which a leaf may land
const SLOWED = .25 // share of its greatest speed below which a leaf has landed
const FAST = 6 // speed of the loudest landing

/** How loud a leaf lands that moved at a speed in widths a second, from 0 to 1. */
export const loudness = (speed) => Math.min(1, Math.max(.1, speed / FAST))

export class Leaves {
  /** Leaf -> {place, at, way, fastest} since it was last at rest. */
  #known = new Map()

  /**
   * Compares a frame with the one before it.
   * @param {number} now the time in seconds
   * @param {Map<number, number>} places leaf -> the distance of its outer edge from the spine, in widths of the page;
   *   negative on the left
   * @returns {object[]} {kind: 'middle' or 'landed', speed: the leaf's greatest one}
   */
  see(now, places) {
    const events = []
    for (const [leaf, place] of places) {
      const known = this.#known.get(leaf)
      const way = Math.abs(place - (known?.place ?? place))
      if (known === undefined || way > CUT) {
        this.#known.set(leaf, { place, at: now, way: 0, fastest: 0 })
        continue
      }
      if (now <= known.at) continue
      const speed = way / (now - known.at)
      const isPast = known.place * place < 0
      Object.assign(known, { place, at: now, way: known.way + way, fastest: Math.max(known.fastest, speed) })
      if (isPast) events.push({ kind: 'middle', speed: known.fastest })
      if (speed < SLOWED * known.fastest) events.push(...this.#landed(known))
    }
    return events
  }

  /** Called when all leaves have come to rest: returns the landings that see() has not returned. */
  rest() {
    const events = [...this.#known.values()].flatMap((known) => this.#landed(known))
    this.#known.clear()
    return events
  }

  #landed(known) {
    const { place, way, fastest } = known
    if (way < TURNED || Math.abs(place) < ASIDE) return []
    Object.assign(known, { way: 0, fastest: 0 })
    return [{ kind: 'landed', speed: fastest }]
  }
}
