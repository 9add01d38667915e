/** The strips of a bent leaf: their bitmaps, below veils that make them look like one curved surface. */

import { make } from '../dom.js'
import { STRIPS } from '../session/wire.js'
import { SIDE } from '../wire.js'
import { MARGIN, clearLaps, cut, lapsOf, lightEdge, paintVeil } from './paint.js'
import { FAINTEST, boxesOf, darkBoxes, laid } from './sprite.js'
import { Wedge } from './wedge.js'

/** The shade at the hinge of a strip and its neighbour, the mean of both; null if they do not meet. */
function meeting(strip, other) {
  const doMeet = other?.written.visible && other.content === strip.content && Math.abs(other.part - strip.part) === 1
  return doMeet ? (strip.darkness + other.darkness) / 2 : null
}

/** The shade beyond one end, a number of lengths away, if it goes on as from the other end to this one. */
export const onward = (other, end, lengths) => Math.min(1, Math.max(0, end + (end - other) * lengths))

/**
 * Shades the strips of a bent leaf so that they look like one curved surface: at a hinge, two strips of the same page
 * are equally dark.
 * @param strips the strips that exist, by their pages and then from the spine outwards
 */
export function shadeStrips(strips) {
  for (let n = 0; n < strips.length; n += 1) {
    const strip = strips[n]
    if (!strip.written.visible) continue
    const middle = strip.darkness
    const inner = meeting(strip, strips[n - 1])
    const outer = meeting(strip, strips[n + 1])
    strip.veil(inner ?? onward(outer ?? middle, middle, 1), outer ?? onward(inner ?? middle, middle, 1))
  }
}

/** A veil whose opacity changes with each frame. It is made when it is first seen. */
class Veil {
  #root
  #make
  #style = null
  #written = '0'

  /** @param make returns the node */
  constructor(root, make) {
    this.#root = root
    this.#make = make
  }

  /** Writes the opacity. A veil that would not be seen has none, which costs no drawing and no layout. */
  write(opacity) {
    const text = opacity > FAINTEST ? opacity.toFixed(3) : '0'
    if (text === this.#written) return
    this.#style ??= this.#made()
    this.#style.opacity = this.#written = text
  }

  #made() {
    const node = this.#make()
    node.hidden = false
    this.#root.append(node)
    return node.style
  }
}

/**
 * A bitmap below dark veils: an even one, and one that becomes darker to either side. Unlike a bitmap that fades, it
 * hides what is below it, where two strips overlap.
 */
class Veiled {
  root = make('div', { class: 'sprite' })
  lean
  #laps
  #even
  #rising

  /**
   * @param lean the transform of the element's content before its matrix
   * @param laps how far the veils reach beyond the inner and the outer hinge, in widths of the strip
   * @param even functions that return the nodes of the even veil, which do not overlap
   * @param rising functions that return the veils that are darker at the outer edge, and at the inner one
   */
  constructor(bitmap, lean, laps, even, rising) {
    this.lean = lean
    this.#laps = laps
    this.root.append(bitmap)
    this.#even = even.map((node) => new Veil(this.root, node))
    this.#rising = rising.map((node) => new Veil(this.root, node))
  }

  /** Writes the opacities of the shade at the inner and at the outer hinge. */
  veil(atInner, atOuter) {
    const inner = onward(atOuter, atInner, this.#laps[0])
    const outer = onward(atInner, atOuter, this.#laps[1])
    const even = Math.min(inner, outer)
    const more = 1 - (1 - Math.max(inner, outer)) / (1 - even)
    for (const veil of this.#even) veil.write(even)
    this.#rising[0].write(outer > inner ? more : 0)
    this.#rising[1].write(outer > inner ? 0 : more)
  }

  shade() {}
}

/** The range of a strip, from the left edge of its page. */
export function rangeOf(index, { side, width }) {
  const [inner, outer] = lapsOf(index)
  const [from, to] = [index * width / STRIPS - inner, (index + 1) * width / STRIPS + outer]
  return side === SIDE.right ? [from, to] : [width - to, width - from]
}

/**
 * The sprite of a strip of a bent leaf, from the bitmap of its page.
 * @param apex where the rulings meet, in page heights below the middle of the spine; null if they are parallel
 */
export function stripSprite(content, index, apex, page) {
  return apex === null ? uprightSprite(content, index, page) : wedgeSprite(content, index, apex, page)
}

/** The laps as shares of a strip. */
const sharesOf = (index, { width }) => lapsOf(index).map((lap) => lap * STRIPS / width)

function uprightSprite(content, index, page) {
  const { side, width, height } = content
  const [from, to] = rangeOf(index, content)
  const bitmap = cut(content, page, from, to)
  if (index + 1 === STRIPS) lightEdge(content, bitmap)
  clearLaps(content, bitmap, index)
  const box = [from, -MARGIN, to - from, height + 2 * MARGIN]
  const isRound = from < 0 || to > width
  const even = darkBoxes(boxesOf(content, from, to, 0))
  const rising = [true, false].map((isOuterDark) => () => laid(
    paintVeil(content, from, to, isOuterDark === (side === SIDE.right)),
    ...(isRound ? box : [from, 0, to - from, height]),
  ))
  return new Veiled(laid(bitmap, ...box), '', sharesOf(index, content), even.map((node) => () => node), rising)
}

function wedgeSprite(content, index, apex, page) {
  const wedge = new Wedge(content, index, apex)
  const bitmap = wedge.cut(page)
  if (index + 1 === STRIPS) lightEdge(content, bitmap)
  return new Veiled(bitmap, wedge.lean, sharesOf(index, content), [() => wedge.even()],
    [() => wedge.rising(true), () => wedge.rising(false)])
}
