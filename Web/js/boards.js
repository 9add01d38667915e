/** The boards of a book are of the colour of its cover. */

const DARKENED = .5; // of the cover's colour

/** The colour of the whole cover, darkened; null for an image that may not be read back. */
export function boardColour(image) {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 1
  const context = canvas.getContext('2d', { willReadFrequently: true })
  context.imageSmoothingQuality = 'high'
  try {
    context.drawImage(image, 0, 0, 1, 1)
    const [r, g, b] = context.getImageData(0, 0, 1, 1).data
    return `rgb(${r * DARKENED | 0},${g * DARKENED | 0},${b * DARKENED | 0})`
  } catch {
    return null
  }
}
