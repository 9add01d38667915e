"""The light on a leaf that turns, and the leaves at the edge of a book, from what a browser draws."""

import statistics

from PIL import Image

# The hinges of the visible strips of the turning leaf across the middle of the page, [strip, inner, outer] in CSS px.
HINGES = """(() => {
  const { stage, session } = __lectern
  const strips = stage.all.flatMap(({ content }) => stage.partsOf(content.id))
    .filter(({ strip, written }) => strip && written.visible)
  return strips.map(({ strip, content: { side, width }, written: { matrix: m } }) => {
    const at = (n) => {
      const x = (side === 1 ? 1 : -1) * n * width / 10
      return innerWidth / 2 + stage.matrix[12] + stage.matrix[0] * (x * m[0] + m[12]) / (x * m[3] + m[15])
    }
    return [strip.index, at(strip.index), at(strip.index + 1)]
  }).sort((one, other) => one[0] - other[0])
})()"""
# Lets the page miss frames: it draws as little as it ever does.
BUSY = """import('/js/motion/quality.js').then(({ QUALITIES }) => QUALITIES.fill(QUALITIES.at(-1)))"""
# Shows or hides the shadow of the leaf.
SHADOW = """(async () => {
  const rules = document.getElementById('no-shadow') ?? document.head.appendChild(
    Object.assign(document.createElement('style'), { id: 'no-shadow' }))
  rules.textContent = %s ? '' : '.part[data-part="2"]{visibility:hidden!important}'
  return new Promise((done) => setTimeout(done, 200, true))
})()"""
# Draws the edges of a book of 400 spreads that is open at the hundredth one.
THICK = """(async () => {
  const { BindingPainter } = await import('/js/motion/binding.js')
  const { stage, session } = __lectern
  const { content } = stage.all.find(({ content: { kind, side }, written }) =>
    kind === 2 && side === 1 && written.visible)
  const scale = 1.15 * stage.matrix[0] * devicePixelRatio
  session.caption = { ...session.caption, index: 100, count: 400 }
  new BindingPainter().see(content, scale)
  return new Promise((done) => setTimeout(done, 200, true))
})()"""


def brightness(path, left, top, right, bottom):
    """Returns the mean brightness of each column of pixels in a box of a picture, from 0 to 255."""
    with Image.open(path) as image:
        box = image.convert("L").crop((left, top, right, bottom))
    return list(box.resize((box.width, 1), Image.Resampling.BOX).tobytes())


def grain(path, left, top, right, bottom):
    """Returns how much the pixels of each column in a box differ: the median of their standard deviations."""
    with Image.open(path) as image:
        box = image.convert("L").crop((left, top, right, bottom))
    columns = [box.crop((x, 0, x + 1, box.height)).tobytes() for x in range(box.width)]
    return statistics.median(statistics.pstdev(column) for column in columns)


def valleys(row, depth):
    """Returns the number of places in a row that are darker by `depth` than the brightest ones on either side."""
    count, high, low = 0, row[0], 255
    for value in row:
        if value < low:
            low = value
        if high - low >= depth and value - low >= depth:
            count, high, low = count + 1, value, 255
        elif low == 255 or (high - low < depth and value > high):
            high, low = max(high, value), 255
    return count
