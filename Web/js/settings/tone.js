/** The tones of images in the night and sepia lights: pictures are dimmed, text and line art become light on dark. */

const SAMPLE = 48 // px, the mean side to which an image is reduced for the decision
const LIGHT = .6 // luminance above which a pixel of that size is paper, with or without print
const GREY = .22 // difference of its channels below which it has no colour
const PAPER = .8 // share of such pixels from which on an image is text or line art
const BRIGHT = .8 // mean luminance of an image of text or line art, at least
const WEIGHTS = [.2126, .7152, .0722]

/**
 * Whether an image is text or line art: nearly all of it is paper or print on paper, light and of little colour.
 * @param pixels the red, green, blue and alpha of each pixel of the reduced image, from 0 to 255
 */
export function isInk(pixels) {
  const count = pixels.length / 4
  let paper = 0
  let sum = 0
  for (let k = 0; k < pixels.length; k += 4) {
    // What is transparent shows the paper.
    const alpha = pixels[k + 3] / 255
    const channels = WEIGHTS.map((_, n) => 1 - alpha + alpha * pixels[k + n] / 255)
    const light = WEIGHTS.reduce((all, weight, n) => all + weight * channels[n], 0)
    sum += light
    if (light > LIGHT && Math.max(...channels) - Math.min(...channels) < GREY) paper += 1
  }
  return count > 0 && paper / count >= PAPER && sum / count >= BRIGHT
}

const canvasOf = (width, height) => Object.assign(document.createElement('canvas'), {
  width: Math.max(1, Math.round(width)), height: Math.max(1, Math.round(height)),
})

/** The tone of a page's image, 'ink' or 'picture', which is found once and marked on the image. */
export function toneOf(image) {
  if (image.dataset.tone === undefined) {
    const { naturalWidth, naturalHeight } = image
    const scale = SAMPLE / Math.sqrt(naturalWidth * naturalHeight)
    // Firefox keeps the shape of a vector image, whatever the box in which it is drawn.
    const canvas = canvasOf(naturalWidth * scale, naturalHeight * scale)
    const context = canvas.getContext('2d', { willReadFrequently: true })
    context.imageSmoothingQuality = 'high'
    let found = false
    try {
      context.drawImage(image, 0, 0, canvas.width, canvas.height)
      found = isInk(context.getImageData(0, 0, canvas.width, canvas.height).data)
    } catch {
      // An image whose pixels cannot be read is a picture.
    }
    image.dataset.tone = found ? 'ink' : 'picture'
  }
  return image.dataset.tone
}

/** The filters of the tones and of sepia, as light.css has them. */
const FILTER = { picture: '--picture', ink: '--ink-tone', lift: '--lift' }
const filterOf = (tone) => getComputedStyle(document.documentElement).getPropertyValue(FILTER[tone])
const STEP = /([a-z-]+)\(([\d.]+)(?:deg)?\)/g

/** A matrix of three rows for a function of a filter, and what is added; as the Filter Effects specification has it. */
function matrixOf(name, amount) {
  const mixed = (own, grey) => WEIGHTS.map((_, row) => [.213, .715, .072].map((weight, n) =>
    grey * weight + (row === n ? own : 0)))
  switch (name) {
    case 'brightness': return [mixed(amount, 0), 0]
    case 'saturate': return [mixed(amount, 1 - amount), 0]
    case 'invert': return [mixed(1 - 2 * amount, 0), 255 * amount]
    // Only a half turn, which keeps the luminance.
    case 'hue-rotate': return [mixed(-1, 2), 0]
    default: return [mixed(1, 0), 0]
  }
}

/** Changes pixels as a filter of the style sheet does, for browsers whose canvas has no filters. */
export function filterPixels(pixels, filter) {
  const steps = [...filter.matchAll(STEP)].map(([, name, amount]) => matrixOf(name, Number(amount)))
  for (let k = 0; k < pixels.length; k += 4) {
    let [r, g, b] = [pixels[k], pixels[k + 1], pixels[k + 2]]
    for (const [rows, more] of steps) {
      [r, g, b] = rows.map((row) => Math.min(255, Math.max(0, row[0] * r + row[1] * g + row[2] * b + more)))
    }
    pixels[k] = r
    pixels[k + 1] = g
    pixels[k + 2] = b
  }
}

/** Draws an image through a filter. */
function drawFiltered(context, image, box, filter) {
  if ('filter' in context) {
    context.filter = filter
    context.drawImage(image, ...box)
    return
  }
  const scale = context.getTransform().a
  const canvas = canvasOf(box[2] * scale, box[3] * scale)
  const copy = canvas.getContext('2d', { willReadFrequently: true })
  copy.imageSmoothingQuality = 'high'
  copy.drawImage(image, 0, 0, canvas.width, canvas.height)
  const data = copy.getImageData(0, 0, canvas.width, canvas.height)
  filterPixels(data.data, filter)
  copy.putImageData(data, 0, 0)
  context.drawImage(canvas, ...box)
}

/**
 * What draws an image into a bitmap as the style sheet shows it at rest, by light: a function of the context, the
 * image, its box, and whether it is a cover.
 */
export const TONES = {
  night(context, image, box, isCover) {
    const tone = isCover ? 'picture' : toneOf(image)
    context.save()
    if (tone === 'ink') context.globalCompositeOperation = 'lighten'
    drawFiltered(context, image, box, filterOf(tone))
    context.restore()
  },
  sepia(context, image, box, isCover) {
    context.save()
    if (isCover) {
      context.drawImage(image, ...box)
    } else {
      context.globalCompositeOperation = 'multiply'
      drawFiltered(context, image, box, filterOf('lift'))
    }
    context.restore()
  },
}
