/**
 * Draws into bitmaps what a page in motion shows, because without a graphics card, clips, shadows and gradients are
 * several times slower. Lengths are in stage points unless said to be pixels.
 */

import { STRIPS } from '../session/wire.js'
import { SIDE } from '../wire.js'

/** The space around a page in its bitmap, for its small shadow. */
export const MARGIN = 9
/** The distance by which strips overlap on either side; at less, the background shows between them. */
export const LAP = 4

const LEAF_SHADOW = { colour: '#17100957', blur: 7, x: 1 }
const GUTTER = {
  [SIDE.right]: [[0, '#261e126b'], [.022, '#261e1233'], [.07, '#261e1213'], [.17, '#261e1200']],
  [SIDE.left]: [[0, '#261e1275'], [.022, '#261e1233'], [.07, '#261e1212'], [.15, '#261e1200']],
}
const RIM = { [SIDE.right]: '#3c321e33', [SIDE.left]: '#3c321e29' }
/** The alphas of the shade of a leaf on edge, by the distance from its left edge, as in the style sheet. */
const SHADE = {
  [SIDE.right]: [[0, .45], [.02, .4], [1, .55]],
  [SIDE.left]: [[0, .3], [.5, .4], [.98, .5], [1, .55]],
}
/** The colour of the shade, and the least of its alphas. */
export const DARK = '#171009'
const LEAST = { [SIDE.right]: .4, [SIDE.left]: .3 }
const SHEEN = [
  [[0, '#00000057'], [.012, '#ffffff29'], [.034, '#0000'], [.054, '#00000042'], [.068, '#ffffff21'], [.1, '#fff0']],
  [[0, '#ffffff2b'], [.34, '#ffffff08'], [.55, '#0000'], [1, '#0003']],
]
const LIT = '#fff8e64d'; // the edge of a leaf that catches the light
const SHADOW_PIXELS = [192, 48]
const WHOLE = { plain: .45, rimmed: .72 } // share of a leaf's shadow that has its whole strength
const GRAIN = 128 // px of a tile
const PAPER_DEPTH = 10 // of 255, the strongest grains of paper
const GRAINS = 1.5 // grains in a stage point at most
const BLOCK = { x: 6, y: 5, width: -1, height: 0 }
const BACK = { x: 4, y: 7, width: 4, height: 1 }

/** The value of a colour of the style sheet, by its name. */
export const colour = (name, at = document.documentElement) => getComputedStyle(at).getPropertyValue(name).trim()

export function canvasOf(width, height) {
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(width))
  canvas.height = Math.max(1, Math.round(height))
  return canvas
}

function fillGradient(context, [x0, y0, x1, y1], stops, box) {
  const gradient = context.createLinearGradient(x0, y0, x1, y1)
  for (const [place, colour] of stops) gradient.addColorStop(place, colour)
  context.fillStyle = gradient
  context.fillRect(...box)
}

/** The radii of an element's corners, from the upper left one clockwise; those at the spine of a cover are smaller. */
export const radiiOf = ({ cornerRadius: r, side }, least = r / 5) =>
  side > SIDE.right ? [r, least, least, r] : [least, r, r, least]

/** The outline of a page or cover whose upper left corner is the origin. */
export function outline(content, isBound) {
  const { side, width, height } = content
  const path = new Path2D()
  path.roundRect(0, 0, width, height, radiiOf(content, isBound || side % SIDE.centreRightBound === 0 ? undefined : 0))
  return path
}

/** A canvas for a page with its margin, and a context whose origin is the page's corner. */
function sheet({ width, height }, scale) {
  const canvas = canvasOf((width + 2 * MARGIN) * scale, (height + 2 * MARGIN) * scale)
  const context = canvas.getContext('2d')
  context.imageSmoothingQuality = 'high'
  context.scale(canvas.width / (width + 2 * MARGIN), canvas.height / (height + 2 * MARGIN))
  context.translate(MARGIN, MARGIN)
  return [canvas, context]
}

/** The box in which an image is drawn on its page, or on both pages: all of it, or centred as large as fits. */
function imageBox({ width, height, imageURL }, image, isOdd) {
  const wide = imageURL.includes('#') ? 2 * width : width
  const left = imageURL.endsWith('#right') ? -width : 0
  if (!isOdd) return [left, 0, wide, height]
  const fit = Math.min(wide / image.naturalWidth, height / image.naturalHeight)
  const size = [image.naturalWidth * fit, image.naturalHeight * fit]
  return [left + (wide - size[0]) / 2, (height - size[1]) / 2, ...size]
}

/** Draws an image on its page, in the tone of the light if there is one. */
function print(context, content, { image, isOdd, tone }, isCover = false) {
  if (image === null) return
  const box = imageBox(content, image, isOdd)
  if (tone) tone(context, image, box, isCover)
  else context.drawImage(image, ...box)
}

/**
 * The bitmap of a page.
 * @param content the element: {side, width, height, cornerRadius}
 * @param look {image, isDue, isOdd, scale, paper, shade, tone}: the decoded image, null for blank paper; whether it is
 *   on its way; whether it has another shape than the page; the pixels of a stage point; the colour of the paper;
 *   the opacity of the shade at rest; what draws images in a light other than that of the day
 */
export function paintPage(content, { scale, paper, shade, isDue, ...look }) {
  const { side, width, height } = content
  const [canvas, context] = sheet(content, scale)
  const shape = outline(content, false)
  const isRight = side === SIDE.right
  context.save()
  context.shadowColor = LEAF_SHADOW.colour
  context.shadowBlur = LEAF_SHADOW.blur * scale
  context.shadowOffsetX = (isRight ? 1 : -1) * LEAF_SHADOW.x * scale
  context.fillStyle = paper
  // Beyond the spine, the shadow would lie on the other side.
  context.beginPath()
  context.rect(isRight ? 0 : -MARGIN, -MARGIN, width + MARGIN, height + 2 * MARGIN)
  context.clip()
  context.fill(shape)
  context.restore()
  context.save()
  context.clip(shape)
  if (isDue) frame(context, content)
  print(context, content, look)
  const ends = isRight ? [0, 0, width, 0] : [width, 0, 0, 0]
  fillGradient(context, ends, GUTTER[side], [0, 0, width, height])
  context.fillStyle = RIM[side]
  context.fillRect(isRight ? width - 1 : 0, 0, 1, height)
  if (shade > 0) shadeUnevenly(context, content, shade)
  context.restore()
  return canvas
}

/** Draws the frame of a page that is on its way, as the style sheet does. */
function frame(context, { width, height }) {
  context.strokeStyle = '#8a7a5a40'
  context.strokeRect(.11 * width + .5, .09 * height + .5, .78 * width - 1, .82 * height - 1)
}

/** The alpha of the shade of a leaf on edge, at a fraction of its width from its left edge. */
export function shadeAt(side, x) {
  const stops = SHADE[side]
  const n = Math.max(1, stops.findIndex(([place]) => place >= x))
  const [[x0, a0], [x1, a1]] = [stops[n - 1], stops[n]]
  return a0 + (a1 - a0) * Math.min(1, Math.max(0, (x - x0) / (x1 - x0)))
}

/** The least shade on a page; the rest of it is in the page's bitmap. */
export const leastShade = (side) => LEAST[side] ?? 0

/** Draws the rest of the shade of a page at rest. */
function shadeUnevenly(context, { side, width, height }, opacity) {
  const least = LEAST[side]
  const stops = SHADE[side].map(([place, alpha]) =>
    // Two layers on each other have the alpha of the whole shade.
    [place, `rgba(23,16,9,${(1 - (1 - opacity * alpha) / (1 - opacity * least)).toFixed(4)})`])
  fillGradient(context, [0, 0, width, 0], stops, [0, 0, width, height])
}

/** Draws on a page's bitmap, within its outline; the context is in pixels of the bitmap. */
function within(content, page, draw) {
  const context = page.getContext('2d')
  const scale = page.width / (content.width + 2 * MARGIN)
  context.save()
  context.setTransform(scale, 0, 0, scale, MARGIN * scale, MARGIN * scale)
  context.clip(outline(content, false))
  context.resetTransform()
  draw(context, scale)
  context.restore()
}

/** Draws the print of the other side of a leaf, as it shows through: it can only darken the paper. */
export const printThrough = (content, page, verso, strength) => within(content, page, (context) => {
  context.setTransform(-1, 0, 0, 1, page.width, 0)
  context.globalCompositeOperation = 'multiply'
  context.globalAlpha = strength
  context.drawImage(verso, 0, 0, page.width, page.height)
})

/** A tile of noise, of black and white with alphas up to a depth of 255. */
export function grainTile(depth) {
  const tile = canvasOf(GRAIN, GRAIN)
  const context = tile.getContext('2d')
  const pixels = context.createImageData(GRAIN, GRAIN)
  for (let k = 0; k < pixels.data.length; k += 4) {
    const value = Math.random()
    pixels.data.fill(value < .5 ? 0 : 255, k, k + 3)
    pixels.data[k + 3] = Math.abs(value - .5) * 2 * depth
  }
  context.putImageData(pixels, 0, 0)
  return tile
}

let paperGrain = null

/** Draws the grain of the paper that is seen while a leaf turns in the light. */
export const paintGrain = (content, page) => within(content, page, (context, scale) => {
  paperGrain ??= grainTile(PAPER_DEPTH)
  // A grain is as large on a screen of fine pixels.
  const fine = Math.max(1, scale / GRAINS)
  context.scale(fine, fine)
  context.fillStyle = context.createPattern(paperGrain, 'repeat')
  context.fillRect(0, 0, page.width, page.height)
})

/** A veil over the part of a page between two distances from its left edge, darker towards one of them. */
export function paintVeil(content, from, to, isDarkOnRight) {
  const { width, height } = content
  // Only the outer part has round corners, which need the pixels.
  const isRound = to > width || from < 0
  const scale = isRound ? 1 : 16 / (to - from)
  const canvas = canvasOf((to - from) * scale, isRound ? height + 2 * MARGIN : 2)
  const context = canvas.getContext('2d')
  if (isRound) {
    context.translate(-from, MARGIN)
    context.clip(outline(content, false))
    context.translate(from, -MARGIN)
  }
  const ends = isDarkOnRight ? [0, 0, canvas.width, 0] : [canvas.width, 0, 0, 0]
  fillGradient(context, ends, [[0, `${DARK}00`], [1, DARK]], [0, 0, canvas.width, canvas.height])
  return canvas
}

/** Part of a page's bitmap between two distances from its left edge. */
export function cut({ width }, page, from, to) {
  const scale = page.width / (width + 2 * MARGIN)
  const canvas = canvasOf((to - from) * scale, page.height)
  canvas.getContext('2d').drawImage(page, (from + MARGIN) * scale, 0, (to - from) * scale, page.height,
    0, 0, canvas.width, canvas.height)
  return canvas
}

/** How far a strip reaches beyond its inner and its outer hinge; the outer one of a page has the margin. */
export const lapsOf = (index) => [index === 0 ? 0 : LAP, index + 1 === STRIPS ? MARGIN : LAP]

/** Clears the laps of a strip beside its page, where the leaf's small shadow would be drawn twice. */
export function clearLaps({ side, height }, strip, index) {
  const context = strip.getContext('2d')
  const scale = strip.height / (height + 2 * MARGIN)
  const [lap, margin] = [LAP * scale, (MARGIN - 1) * scale]
  for (const isOuter of [false, true]) {
    if (index === (isOuter ? STRIPS - 1 : 0)) continue
    const x = isOuter === (side === SIDE.right) ? strip.width - lap : 0
    for (const y of [0, strip.height - margin]) context.clearRect(x, y, lap, margin)
  }
}

/** Draws the light on the outer edge of a leaf's last strip. */
export function lightEdge({ side, height, cornerRadius }, strip) {
  const context = strip.getContext('2d')
  const scale = strip.height / (height + 2 * MARGIN)
  context.globalCompositeOperation = 'source-atop'
  context.fillStyle = LIT
  const edge = side === SIDE.right ? strip.width - (MARGIN + 1.6) * scale : MARGIN * scale
  context.fillRect(edge, (MARGIN + cornerRadius / 2) * scale, 1.6 * scale, (height - cornerRadius) * scale)
}

/**
 * The shadow of a leaf on a page, from the spine to the outer edge, as a bitmap that is stretched.
 * @param hasRim whether it reaches further, as reachOf says
 */
export function paintLeafShadow(side, hasRim) {
  const whole = hasRim ? WHOLE.rimmed : WHOLE.plain
  const [width, height] = SHADOW_PIXELS
  const canvas = canvasOf(width, height)
  const stops = Array.from({ length: 13 }, (_, n) => {
    const t = Math.max(0, (n / 12 - whole) / (1 - whole))
    return [n / 12, `rgba(14,9,5,${(1 - t * t * (3 - 2 * t)).toFixed(3)})`]
  })
  const ends = side === SIDE.right ? [0, 0, width, 0] : [width, 0, 0, 0]
  fillGradient(canvas.getContext('2d'), ends, stops, [0, 0, width, height])
  return canvas
}

/** The bitmap of a cover without what is below it. */
export function paintCover(content, look) {
  const { width, height } = content
  const [canvas, context] = sheet(content, look.scale)
  context.clip(outline(content, true))
  context.fillStyle = look.board
  context.fillRect(0, 0, width, height)
  print(context, content, look, true)
  const hinge = content.side > SIDE.right ? [width, 0, 0, 0] : [0, 0, width, 0]
  fillGradient(context, hinge, SHEEN[0], [0, 0, width, height])
  // A gradient of 128 degrees in the box.
  const along = [Math.sin(128 / 180 * Math.PI), -Math.cos(128 / 180 * Math.PI)]
  const half = (Math.abs(along[0]) * width + Math.abs(along[1]) * height) / 2
  const ends = [-1, 1].flatMap((way) => [width / 2 + way * half * along[0], height / 2 + way * half * along[1]])
  fillGradient(context, ends, SHEEN[1], [0, 0, width, height])
  context.lineWidth = 2
  context.strokeStyle = '#ffffff38'
  context.stroke(outline(content, true))
  return canvas
}

/** The back board and the leaves below a closed cover. */
export function paintBody(content, { scale, board, fore, line }) {
  const { width, height, cornerRadius: r, side } = content
  const [canvas, context] = sheet(content, scale)
  if (side > SIDE.right) {
    context.translate(width, 0)
    context.scale(-1, 1)
  }
  const box = ({ x, y, width: w, height: h }, radii) => {
    context.beginPath()
    context.roundRect(x, y, width + w, height + h, radii)
  }
  context.fillStyle = board
  box(BACK, [r / 5, r, r, r / 5])
  context.fill()
  box(BLOCK, [r / 6, r * .85, r * .85, r / 6])
  context.save()
  context.clip()
  context.fillStyle = fore
  context.fillRect(0, 0, width + MARGIN, height + MARGIN)
  context.strokeStyle = line
  context.lineWidth = .9
  context.beginPath()
  for (let x = -height; x < width + MARGIN; x += 2.8) {
    context.moveTo(x, 0)
    context.lineTo(x + height + MARGIN, height + MARGIN)
  }
  context.stroke()
  context.restore()
  return canvas
}

/**
 * A soft shadow of a box on the table, in a bitmap that is drawn larger than it is.
 * @param layers [x, y, blur, colour] of each shadow
 * @param around the space around the box
 */
export function paintCast(width, height, radii, layers, around) {
  const scale = 1 / 4
  const canvas = canvasOf((width + 2 * around) * scale, (height + 2 * around) * scale)
  const context = canvas.getContext('2d')
  for (const [x, y, blur, colour] of layers) {
    context.shadowColor = colour
    context.shadowBlur = blur * scale
    // Only the shadow: the box itself is outside the bitmap.
    context.shadowOffsetX = (x + 10_000) * scale
    context.shadowOffsetY = y * scale
    context.beginPath()
    context.roundRect((around - 10_000) * scale, around * scale, width * scale, height * scale,
      radii.map((radius) => radius * scale))
    context.fill()
  }
  return canvas
}
