/** The strips of a bent leaf: their bitmaps, below veils that make them look like one curved surface. */

import { make } from '../dom.js'
import { STRIPS } from '../session/wire.js'
import { SIDE } from '../wire.js'
import { LAP, MARGIN, cut, lightEdge, paintVeil } from './paint.js'
import { FAINTEST, boxesOf, darkBoxes, laid } from './sprite.js'
import { Wedge } from './wedge.js'

/**
 * The matrix of two strips that are drawn as one, from the inner hinge of the first to the outer one of the second.
 * @param {number[]} hinges the places of the two hinges at the edge far from the apex, to the right of the spine
 * @param {?{y: number, far: number}} apex the apex of the hinges and that edge, below the middle of the spine; null if
 *   the hinges are parallel; lengths in stage points of the page
 */
export function chord(first, second, hinges, apex) {
  const matrix = Float32Array.from(first)
  const far = apex === null ? 0 : apex.far - apex.y
  for (let k = 0; k < 4; k += 1) {
    const at = (m, x) => x * m[k] + far * m[4 + k]
    const [inner, outer] = [at(first, hinges[0]), at(second, hinges[1])]
    if (apex === null) {
      // The place of a hinge is relative to the origin.
      matrix[k] = (outer + second[12 + k] - inner - first[12 + k]) / (hinges[1] - hinges[0])
      matrix[12 + k] = first[12 + k] + inner - hinges[0] * matrix[k]
    } else {
      // Both strips have the apex at the same place, and hinges are relative to it.
      matrix[k] = (outer - inner) / (hinges[1] - hinges[0])
      matrix[4 + k] = (inner - hinges[0] * matrix[k]) / far
      matrix[12 + k] = first[12 + k] + apex.y * (first[4 + k] - matrix[4 + k])
    }
  }
  return matrix
}

/**
 * Shades the strips of a bent leaf so that they look like one curved surface: at a hinge, two strips of the same page
 * are equally dark.
 * @param parts the strips that exist
 */
export function shadeStrips(parts) {
  const seen = [...parts].filter(({ written }) => written.visible).sort((a, b) => a.part - b.part)
  const mean = (strip, other) =>
    other?.content === strip.content ? (strip.darkness + other.darkness) / 2 : null
  for (const [n, strip] of seen.entries()) {
    const [inner, outer] = [mean(strip, seen[n - 1]), mean(strip, seen[n + 1])]
    const middle = strip.darkness
    // Beyond the ends of the page the shade goes on as it does within.
    const on = (edge) => Math.min(1, Math.max(0, 2 * middle - (edge ?? middle)))
    strip.veil(inner ?? on(outer), outer ?? on(inner))
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
  #even
  #rising

  /**
   * @param lean the transform of the element's content before its matrix
   * @param even functions that return the nodes of the even veil, which do not overlap
   * @param rising functions that return the veils that are darker at the outer edge, and at the inner one
   */
  constructor(bitmap, lean, even, rising) {
    this.lean = lean
    this.root.append(bitmap)
    this.#even = even.map((node) => new Veil(this.root, node))
    this.#rising = rising.map((node) => new Veil(this.root, node))
  }

  /** Writes the opacities of the shade at the inner and at the outer edge. */
  veil(inner, outer) {
    const even = Math.min(inner, outer)
    const more = 1 - (1 - Math.max(inner, outer)) / (1 - even)
    for (const veil of this.#even) veil.write(even)
    this.#rising[0].write(outer > inner ? more : 0)
    this.#rising[1].write(outer > inner ? 0 : more)
  }

  shade() {}
}

/** The range of strips, from the left edge of their page; the outer one includes the margin. */
export function rangeOf(index, count, { side, width }) {
  const each = width / STRIPS
  const inner = index === 0 ? 0 : index * each - LAP
  const outer = index + count === STRIPS ? width + MARGIN : (index + count) * each + LAP
  return side === SIDE.right ? [inner, outer] : [width - outer, width - inner]
}

/**
 * The sprite of one or more strips of a bent leaf, from the bitmap of its page.
 * @param apex where the rulings meet, in page heights below the middle of the spine; null if they are parallel
 */
export function stripSprite(content, index, count, apex, page) {
  return apex === null ? uprightSprite(content, index, count, page) : wedgeSprite(content, index, count, apex, page)
}

function uprightSprite(content, index, count, page) {
  const { side, width, height } = content
  const [from, to] = rangeOf(index, count, content)
  const bitmap = cut(content, page, from, to)
  if (index + count === STRIPS) lightEdge(content, bitmap)
  const box = [from, -MARGIN, to - from, height + 2 * MARGIN]
  const isRound = from < 0 || to > width
  const even = darkBoxes(boxesOf(content, from, to, 0))
  const rising = [true, false].map((isOuterDark) => () => laid(
    paintVeil(content, from, to, isOuterDark === (side === SIDE.right)),
    ...(isRound ? box : [from, 0, to - from, height]),
  ))
  return new Veiled(laid(bitmap, ...box), '', even.map((node) => () => node), rising)
}

function wedgeSprite(content, index, count, apex, page) {
  const wedge = new Wedge(content, index, count, apex)
  const bitmap = wedge.cut(page)
  if (index + count === STRIPS) lightEdge(content, bitmap)
  return new Veiled(bitmap, wedge.lean, [() => wedge.even()], [() => wedge.rising(true), () => wedge.rising(false)])
}
