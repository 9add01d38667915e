/** Draws the boards of the open book, the edges of the leaves on them, and the shadow of the book on the table. */

import { app, session } from '../app.js'
import { make } from '../dom.js'
import { thickness } from '../foreedge.js'
import { canvasOf, colour, paintCast } from './paint.js'
import { laid } from './sprite.js'

const OVER = { side: 8, end: 7 } // stage points by which a board is larger than a page
const FRAME = { end: 16, side: 34 } // width of what can be seen of a board
const STANDING = .45 // share of the thickness that is seen at the edge of a standing book
const LEAF = { width: 1.4, gap: .8 } // stage points of a leaf at the edge, and to the next one
const LEAST = { width: 2.3, gap: 1.9 } // pixels of these at least: finer ones would blur into one colour
const DEEPER = '#2a1c0a38' // over the gaps where pixels are coarse
const AROUND = 150 // stage points around a board that its shadow needs
const HIDDEN = 40 // stage points of a shadow below the edge of its board that may be seen
const SPINE = 20 // stage points of a shadow beyond the spine
const ALONE = ['inset(-999px -999px -999px 0)', 'inset(-999px 0 -999px -999px)'] // without what is beyond it
const CAST = {
  right: [[44, 64, 96, '#0e121657'], [14, 20, 34, '#0e121680'], [3, 4, 7, '#0a0d108c']],
  left: [[2, 20, 34, '#0e121680'], [2, 4, 7, '#0a0d108c']],
}

/** The width of a leaf at the edge, and of the gap to the next one, in a bitmap with a scale; in stage points. */
export const leafAt = (scale) => ({
  width: Math.max(LEAF.width, LEAST.width / scale), gap: Math.max(LEAF.gap, LEAST.gap / scale),
})

/** A board with the edges of its leaves, with the spine on the left. */
function paintBoard({ width, height, cornerRadius }, block, scale, { board, fore, line }) {
  const wide = width + OVER.side + block
  const high = height + 2 * OVER.end
  const canvas = canvasOf(wide * scale, high * scale)
  const context = canvas.getContext('2d')
  context.scale(canvas.width / wide, canvas.height / high)
  context.beginPath()
  context.roundRect(0, 0, wide, high, [0, cornerRadius + 1, cornerRadius + 1, 0])
  context.clip()
  context.fillStyle = board
  context.fillRect(0, 0, wide, high)
  const dark = context.createLinearGradient(0, 0, .22 * wide, 0)
  dark.addColorStop(0, '#0007')
  dark.addColorStop(1, '#0000')
  context.fillStyle = dark
  context.fillRect(0, 0, wide, high)
  context.beginPath()
  context.roundRect(0, OVER.end, width + block, height, [0, cornerRadius, cornerRadius, 0])
  context.clip()
  context.fillStyle = line
  context.fillRect(0, 0, wide, high)
  const leaf = leafAt(scale)
  if (leaf.gap > LEAF.gap) {
    // Coarse pixels mix each gap with its leaves.
    context.fillStyle = DEEPER
    context.fillRect(0, 0, wide, high)
  }
  context.fillStyle = fore
  for (let x = width + block; x > width - FRAME.side; x -= leaf.width + leaf.gap) {
    context.fillRect(x - leaf.width, 0, leaf.width, high)
  }
  return canvas
}

/**
 * The shadow of a board, in three pieces around what the book hides. Its origin is the middle of the spine.
 * @param wide the width of the board, in stage points
 * @param high its height
 */
function castOf({ cornerRadius: r }, name, wide, high) {
  const isRight = name === 'right'
  const whole = paintCast(wide, high, isRight ? [0, r, r, 0] : [r, 0, 0, r], CAST[name], AROUND)
  const node = make('div', { class: 'cast', hidden: true })
  const scale = whole.width / (wide + 2 * AROUND)
  // From the spine outwards, and from the upper edge of the board.
  const add = (x, y, width, height) => {
    const canvas = canvasOf(width * scale, height * scale)
    const left = isRight ? x : wide - x - width
    canvas.getContext('2d').drawImage(whole, (left + AROUND) * scale, (y + AROUND) * scale, width * scale,
      height * scale, 0, 0, canvas.width, canvas.height)
    node.append(laid(canvas, isRight ? x : -x - width, y - high / 2, width, height))
  }
  const all = wide + AROUND + SPINE
  add(-SPINE, -AROUND, all, AROUND + HIDDEN)
  add(-SPINE, high - HIDDEN, all, AROUND + HIDDEN)
  add(wide - HIDDEN, HIDDEN, AROUND + HIDDEN, high - 2 * HIDDEN)
  return node
}

/** The scale and the position of a page's outer edge on the table: [across, down, x, y, opacity]. */
function placeOf({ written: { matrix: m, opacity }, content: { width } }, side) {
  return [m[0] / (m[15] + side * width * m[3]), m[5], m[12], m[13], opacity]
}

export class BindingPainter {
  #painted = ''
  /** The shadows of the boards on the table, {node, shown, opacity, place}: right, left. */
  #casts = [null, null]

  /** Draws the boards again if they have changed. */
  see(content, scale) {
    const { caption: { index, count, isFlat }, isReversed } = session
    const board = colour('--boards', document.getElementById('stage'))
    const look = { board, fore: colour('--fore'), line: colour('--line') }
    const blocks = thickness(index, count, isReversed).map((size) => size * (isFlat ? 1 : STANDING))
    const key = JSON.stringify([content.width, content.height, blocks, scale, look])
    if (key === this.#painted) return
    this.#painted = key
    for (const [n, name] of ['left', 'right'].entries()) this.#draw(name, content, blocks[n], scale, look)
  }

  /** The shadows that are shown. */
  get casts() { return this.#casts.filter((cast) => cast !== null && !cast.node.hidden).map(({ node }) => node); }

  /** Where the shadows are, for Table. */
  get state() {
    const places = this.#casts.map((cast) => cast?.place ?? null)
    return { camera: app.stage.matrix, places, drawn: this.#painted }
  }

  /** Moves the shadows with the lowest pages. They lie on the table, so they are scaled in its plane. */
  follow(bases) {
    for (const [n, cast] of this.#casts.entries()) {
      if (cast === null) continue
      const base = bases[n]
      const isShown = base !== null && !base.isBound
      if (cast.node.hidden === isShown) cast.node.hidden = !isShown
      cast.place = isShown ? placeOf(base, n === 0 ? 1 : -1) : null
      if (!isShown) continue
      const [reach, scale, x, y, opacity] = cast.place
      const { style } = cast.node
      // A closed book has no other side that hides the shadow beyond the spine.
      const isAlone = bases[1 - n] === null
      if (cast.isAlone !== isAlone) style.clipPath = (cast.isAlone = isAlone) ? ALONE[n] : ''
      const shown = `matrix(${reach},0,0,${scale},${x},${y})`
      if (cast.shown !== shown) style.transform = cast.shown = shown
      if (cast.opacity !== opacity) style.opacity = cast.opacity = opacity
    }
  }

  #draw(name, content, block, scale, look) {
    const { width, height } = content
    const isRight = name === 'right'
    const whole = paintBoard(content, block, scale, look)
    const wide = width + OVER.side + block
    const high = height + 2 * OVER.end
    const piece = (x, y, w, h) => {
      const canvas = canvasOf(w * scale, h * scale)
      const context = canvas.getContext('2d')
      if (!isRight) {
        context.translate(canvas.width, 0)
        context.scale(-1, 1)
      }
      context.drawImage(whole, x * scale, y * scale, w * scale, h * scale, 0, 0, canvas.width, canvas.height)
      return laid(canvas, isRight ? x : width - x - w, y - OVER.end, w, h)
    }
    const cast = castOf(content, name, wide, high)
    this.#casts[isRight ? 0 : 1]?.node.remove()
    this.#casts[isRight ? 0 : 1] = { node: cast, shown: '', opacity: 1, place: null, isAlone: false }
    document.getElementById('stage').prepend(cast)
    const pieces = [
      piece(0, 0, wide, FRAME.end), piece(0, high - FRAME.end, wide, FRAME.end),
      piece(wide - FRAME.side - block, 0, FRAME.side + block, high),
    ]
    for (const [k, node] of document.querySelectorAll(`.binding.${name}`).entries()) node.replaceChildren(pieces[k])
  }
}
