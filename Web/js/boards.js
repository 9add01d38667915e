/** The colour of a book's boards, which follows that of its cover. */

const DARKENED = .5; // of the cover's colour

/** The mean colour of a cover, darkened; null for an image whose pixels cannot be read. */
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
