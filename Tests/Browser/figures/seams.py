"""Counts what shines through between the strips of a bent leaf: a green page before a magenta one."""

import collections
import pathlib
import tempfile

from PIL import Image, ImageChops, ImageFilter

from steps import BEFORE

SIZE = (1024, 768)
RATIOS = (1, 2, 3)
# Progress of the leaf, bend and curl; in each pose one side of the leaf is seen at a time, or both.
POSES = ((0.12, 0.8, 0), (0.3, 0.8, 0), (0.5, 0.8, 0), (0.5, -0.5, 0), (0.8, 0.8, 0))
SLANTED = ((0.12, 0.8, 2), (0.3, 0.8, 4), (0.5, 0.8, 1), (0.5, -0.5, 2), (0.8, 0.8, 4))
GAP = 3  # CSS px, the widest gap that is found
MARGIN = 3  # CSS px at the outline of the leaf that do not count: its edges are soft
LEAST = 24  # of 255, the red or blue of a pixel that counts

Leak = collections.namedtuple("Leak", "pose ratio pixels inspected")

# Draws one bent leaf with the page's own parts, green on both sides, in front of a magenta table. The matrices are
# those of a server, computed by the same formulas; the leaf is upright in the middle of a window.
SCENE = """await (async () => {
  const { Stage } = await import('/js/stage.js')
  const { Part } = await import('/js/motion/parts.js')
  const { KIND, SIDE, PART, keyOf } = await import('/js/wire.js')
  const { STRIPS } = await import('/js/session/wire.js')
  const { stripOf } = await import('/js/motion/rulings.js')
  const sheet = (href) => new Promise((done) => document.head.append(Object.assign(
    document.createElement('link'), { rel: 'stylesheet', href, onload: done })))
  await Promise.all(['/css/lectern.css', '/css/motion.css'].map(sheet))
  document.body.className = 'moving'
  document.body.innerHTML = '<div id="table" style="background:#f0f"><div id="stage"></div></div>'
  document.head.append(Object.assign(document.createElement('style'), {
    textContent: '#table::before{display:none} .part i{display:none!important}' }))
  const root = document.getElementById('stage')
  const stage = new Stage(root, () => {})
  const scale = Math.min(innerWidth / 1024, innerHeight / 768)
  const page = (id, side) => ({
    id, kind: KIND.page, index: id, side, stock: 0, width: 362, height: 568, cornerRadius: 20, imageURL: '', title: '',
    subtitle: '',
  })
  // A page of one colour, without the shades of its edges.
  const green = ({ width, height }) => {
    const canvas = document.createElement('canvas')
    const fine = 1.15 * scale * devicePixelRatio
    canvas.width = Math.round((width + 18) * fine)
    canvas.height = Math.round((height + 18) * fine)
    const context = canvas.getContext('2d')
    context.fillStyle = '#0a0'
    context.fillRect(9 * fine, 9 * fine, width * fine, height * fine)
    return canvas
  }
  const bitmaps = { page: green, leaf: green }
  let shown = new Map()
  const drawing = { bitmaps, quality: { hasShadows: true }, strips: [] }
  stage.attach({
    part: (content, part) => new Part(content, part, drawing), appeared() {}, ready() {}, follow() {},
  })
  stage.connect(false)
  stage.introduce([page(1, SIDE.right), page(2, SIDE.left)])
  stage.frameArrived()
  stage.camera([scale, 0, 0, 0, 0, scale, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], true)
  const add = (a, p, b, q) => p.map((value, k) => a * value + b * q[k])
  window.pose = (progress, bend, curl) => {
    const items = new Map(), rest = Math.PI / 4, width = 362, height = 568, first = PART.strip + 16 * curl
    const { apex } = stripOf(first)
    let across = [1, 0, 0], down = [0, 1, 0], origin = [0, 0, 0], last = 0
    for (let n = 0; n < STRIPS; n += 1) {
      const arc = (n + .5) / STRIPS
      const curve = Math.PI / 2 * Math.sin(Math.PI / 2 * arc) - 1
      const angle = rest + (Math.PI - 2 * rest) * (progress + bend * progress * (1 - progress) * curve)
      // The hinge leads through a point of the far edge, upwards or downwards from the apex.
      const below = apex > 0 ? 1 : -1, slope = apex === null ? 0 : n / STRIPS * width / ((Math.abs(apex) + .5) * height)
      const c = 1 / Math.hypot(1, slope), s = slope * c
      const still = apex === null ? [n * width / STRIPS, 0] : [0, apex * height]
      const fixed = add(1, add(1, origin, still[0], across), still[1], down)
      const normal = [1, 2, 3].map((_, k) =>
        across[(k + 1) % 3] * down[(k + 2) % 3] - across[(k + 2) % 3] * down[(k + 1) % 3])
      const ruling = add(s, across, -below * c, down), out = add(c, across, below * s, down)
      const turned = add(Math.cos(angle - last), out, Math.sin(angle - last), normal)
      across = add(s, ruling, c, turned)
      down = add(below * s, turned, -below * c, ruling)
      origin = add(1, add(1, fixed, -still[0], across), -still[1], down)
      last = angle
      const up = [1, 2, 3].map((_, k) =>
        across[(k + 1) % 3] * down[(k + 2) % 3] - across[(k + 2) % 3] * down[(k + 1) % 3])
      const facing = up[2] * (2000 - origin[2]) - up[0] * origin[0] - up[1] * origin[1]
      const isRecto = facing >= 0, way = isRecto ? 1 : -1
      const row = (vector, scale, w) => [...vector.map((value) => scale * value), w - scale * vector[2] / 2000]
      for (const [id, shows] of [[1, isRecto], [2, !isRecto]]) {
        items.set(keyOf(id, first + n), {
          id, part: first + n, opacity: 1, shade: 0, z: 9, visible: shows,
          m: Float32Array.of(...row(across, way, 0), ...row(down, 1, 0), 0, 0, 1, 0, ...row(origin, 1, 1)),
        })
      }
    }
    for (const [key, item] of shown) if (!items.has(key)) items.set(key, { ...item, visible: false })
    shown = items
    stage.apply({ items, flush: (write) => items.forEach(write) })
    return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))
  }
})()"""


def count(path, ratio):
    """Returns the number of pixels inside the leaf that are not green, and the number of all inside it."""
    with Image.open(path) as image:
        red, green, blue = image.convert("RGB").split()
    leaf = ImageChops.darker(
        green.point(lambda value: 255 * (value > 120)), red.point(lambda value: 255 * (value < 60))
    )
    # Gaps within the leaf are closed, and its soft outline is left out.
    closed = leaf.filter(ImageFilter.MaxFilter(2 * GAP * ratio + 1))
    inside = closed.filter(ImageFilter.MinFilter(2 * (GAP + MARGIN) * ratio + 1))
    other = ImageChops.lighter(red, blue).point(lambda value: 255 * (value > LEAST))
    return tuple(
        mask.histogram()[255] for mask in (ImageChops.darker(inside, other), inside)
    )


def leaks(browser, url, ratios=RATIOS, poses=POSES):
    """Returns the leaks in each pose and at each ratio of device pixels."""
    found = []
    with tempfile.TemporaryDirectory(prefix="lectern-seams-") as folder:
        path = pathlib.Path(folder) / "leaf.png"
        for ratio in ratios:
            reader = browser.reader(*SIZE, ratio=ratio)
            try:
                reader.goto(f"{url}{BEFORE}")
                reader.evaluate(SCENE.removeprefix("await "))
                for pose in poses:
                    reader.evaluate(f"pose({', '.join(map(str, pose))})")
                    reader.screenshot(path)
                    found.append(Leak(pose, ratio, *count(path, ratio)))
            finally:
                reader.close()
    return found
