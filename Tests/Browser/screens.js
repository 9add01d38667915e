// Returns the faults in the layout of the page at this moment, as a list of sentences: controls that are small or
// covered, texts that are cut, small or outside of the window, things that overlap, and controls on the flat book.
async ({ scale }) => {
  const TARGET = 44 * scale // CSS px
  const TYPE = 16 * scale
  const LOW = 420 // height of a window in which bars may cover the margins of pages
  const BAR = 48 // the most that they may cover there
  const CONTROLS = 'button, a[href], input, select, textarea, label, summary, [role=slider], [tabindex="0"]'
  const CHOICE = '[type=radio], [type=checkbox]'
  // What readers and books supply; it may end with an ellipsis.
  const NAMES = '#heading, #open, .wall, .entry span, .entry i, .scopes span, .transfers em, #playback em, #peek, ' +
    '.turning, .link'
  // What is hidden as a whole where the controls beside it need the room.
  const YIELDING = '#mark'
  // What lies above other things for a moment.
  const ABOVE = '.tip, .preview, .found, .droppable'
  const STRIPS = '.slip, #notice, #peek, .hint'
  const { stage, caption } = window.__lectern ?? {}
  await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))
  const sheet = [...document.querySelectorAll('dialog[open]')].at(-1)
  const root = sheet ?? document.body
  const faults = new Set()

  const named = (node) => {
    const words = node.getAttribute('aria-label') || node.value || node.textContent
    return `${node.localName}${node.id && `#${node.id}`}${[...node.classList].map((one) => `.${one}`).join('')}` +
      ` “${words.trim().slice(0, 40)}”`
  }
  const isSeen = (node) => {
    const isVisible = node.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    if (!isVisible || node.closest('[inert]')) return false
    for (let one = node; one !== null; one = one.parentElement) {
      if (getComputedStyle(one).clipPath === 'inset(50%)') return false
    }
    return true
  }
  const meets = (a, b) => {
    const box = {
      left: Math.max(a.left, b.left), top: Math.max(a.top, b.top),
      right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom),
    }
    return box.right > box.left && box.bottom > box.top ? box : null
  }
  /** The boxes around a node that clip or scroll it: {node, box, x, y}; x and y are the values of overflow. */
  const framesOf = (node) => {
    const all = []
    for (let one = node; one !== null && one !== document.documentElement; one = one.parentElement) {
      const { overflowX: x, overflowY: y, position } = getComputedStyle(one)
      if (x !== 'visible' || y !== 'visible') all.push({ node: one, box: one.getBoundingClientRect(), x, y })
      if (position === 'fixed' || one === sheet) break
    }
    return all
  }
  /** What is seen of a box in a node; null for nothing. */
  const shown = (node, box) => framesOf(node).reduce((rest, frame) => rest && meets(rest, frame.box), box)

  /** The texts of an element with the boxes of their lines, without the space above and below the letters. */
  const textsOf = (within) => {
    const texts = []
    const walk = document.createTreeWalker(within, NodeFilter.SHOW_TEXT)
    while (walk.nextNode()) {
      const { currentNode: text } = walk
      const node = text.parentElement
      if (!text.data.trim() || node.closest('script, noscript, style, option') || !isSeen(node)) continue
      if (node.closest('#stage') && !node.closest('.wall')) continue
      const range = document.createRange()
      range.selectNodeContents(text)
      for (const { left, right, top, bottom, height } of range.getClientRects()) {
        if (right - left < 1) continue
        texts.push({ node, text, box: { left, right, top: top + .22 * height, bottom: bottom - .1 * height } })
      }
    }
    return texts
  }

  /** Whether a text is cut by what is around it, or outside of the window where nothing scrolls to it. */
  const isCut = (node, box) => {
    let [x, y] = [true, true] // whether nothing has scrolled yet
    const ends = { box: { left: 0, top: 0, right: innerWidth, bottom: innerHeight }, x: 'clip', y: 'clip' }
    for (const { node: frame, box: edge, ...flow } of [...framesOf(node), ends]) {
      // Only the bar of the book scrolls sideways.
      x &&= frame?.id !== 'bookbar'
      y &&= !/auto|scroll/.test(flow.y)
      if (x && flow.x !== 'visible' && (box.left < edge.left - 1.5 || box.right > edge.right + 1.5)) return true
      if (y && flow.y !== 'visible' && (box.top < edge.top - 1.5 || box.bottom > edge.bottom + 1.5)) return true
    }
    return false
  }
  const widthOf = (node, words) => {
    const { fontStyle, fontSize, fontFamily, fontFeatureSettings } = getComputedStyle(node)
    const probe = document.createElement('span')
    Object.assign(probe.style, {
      position: 'absolute', whiteSpace: 'pre', visibility: 'hidden',
      fontStyle, fontSize, fontFamily, fontFeatureSettings,
    })
    probe.textContent = words
    node.parentElement.append(probe)
    const { width } = probe.getBoundingClientRect()
    probe.remove()
    return width / (node.currentCSSZoom ?? 1)
  }

  const controls = [...root.querySelectorAll(CONTROLS)].filter((node) => {
    if (node.closest('#stage') || node.id === 'table' || node.matches('[type=hidden], [type=file]')) return false
    if (node.matches(CHOICE) && node.closest('label')) return false
    if (node.localName === 'label' && !node.querySelector(CHOICE)) return false
    return isSeen(node)
  })
  const texts = textsOf(root).filter(({ node, box }) => !node.closest(YIELDING) || shown(node, box) !== null)

  // Controls.
  const scrolled = [...root.querySelectorAll('*')].map((node) => [node, node.scrollTop, node.scrollLeft])
  for (const node of controls) {
    if (framesOf(node.parentElement).some(({ x, y }) => /auto|scroll/.test(x + y))) {
      node.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' })
    }
    const box = shown(node, node.getBoundingClientRect())
    if (box === null) {
      faults.add(`${named(node)} is not in the window`)
      continue
    }
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2]
    const isHit = (atX, atY) => {
      const found = document.elementFromPoint(atX, atY)
      return found !== null && node.contains(found)
    }
    if (!isHit(x, y)) {
      const above = document.elementFromPoint(x, y)
      if (!above?.closest(ABOVE)) faults.add(`${named(node)} is covered by ${above && named(above)}`)
      continue
    }
    /** How far the node can be hit from its middle in a direction, in steps of half a pixel. */
    const reach = (dx, dy) => {
      let far = 0
      while (far < TARGET && isHit(x + dx * (far + .5), y + dy * (far + .5))) far += .5
      return far
    }
    const [wide, high] = [reach(-1, 0) + reach(1, 0), reach(0, -1) + reach(0, 1)]
    // A coarse browser hits in steps of two pixels; what a pseudo-element adds to a box is measured only by hits.
    const isSmall = (hit, size) => hit < TARGET - (size >= TARGET - .1 ? 2.1 : 1.1)
    if (isSmall(wide, box.right - box.left) || isSmall(high, box.bottom - box.top)) {
      faults.add(`${named(node)} can be hit on ${wide} x ${high} px only`)
    }
  }
  for (const [node, top, left] of scrolled) {
    if (node.scrollTop !== top) node.scrollTop = top
    if (node.scrollLeft !== left) node.scrollLeft = left
  }

  // Texts.
  for (const { node, box } of texts) {
    const size = parseFloat(getComputedStyle(node).fontSize) * (node.currentCSSZoom ?? 1) *
      (node.closest('#stage') ? stage.matrix[0] : 1)
    if (size < (node.closest('#stage') ? 16 : TYPE) - .1) faults.add(`${named(node)} has type of ${size.toFixed(1)} px`)
    const isName = node.closest(NAMES) !== null
    if (!isName && isCut(node, box)) faults.add(`${named(node)} is cut`)
    const control = node.closest(CONTROLS)?.getBoundingClientRect()
    if (control && !isName && (box.left < control.left - 1.5 || box.right > control.right + 1.5)) {
      faults.add(`${named(node)} is wider than its control`)
    }
  }
  for (const node of root.querySelectorAll('*')) {
    const { textOverflow, overflowX } = getComputedStyle(node)
    if (textOverflow !== 'ellipsis' || overflowX === 'visible' || node.closest(NAMES) || !isSeen(node)) continue
    if (node.scrollWidth > node.clientWidth + 1) faults.add(`${named(node)} ends with an ellipsis`)
  }
  for (const node of controls) {
    const words = node.localName === 'select' ? node.selectedOptions[0]?.text : node.value ? '' : node.placeholder
    if (!words) continue
    const { paddingLeft, paddingRight } = getComputedStyle(node)
    const arrow = node.localName === 'select' ? 18 : 0
    const room = node.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - arrow
    const width = widthOf(node, words)
    if (width > room + 1) faults.add(`${named(node)} shows ${room.toFixed()} px of ${width.toFixed()}: “${words}”`)
  }

  // Overlaps.
  const covers = sheet || caption?.screen !== 1 ? [] : stage.all
    .filter(({ written, content }) => written.visible && content.kind === 1)
    .map(({ root: node }) => ({ node, box: node.getBoundingClientRect(), isCover: true }))
  const things = [...controls.map((node) => ({ node, box: shown(node, node.getBoundingClientRect()) })),
    ...texts.map(({ node, text, box }) => ({ node, text, box: shown(node, box) })), ...covers]
    .filter(({ box }) => box !== null)
  const isList = document.body.dataset.screen === 'collections'
  for (const [index, one] of things.entries()) {
    for (const other of things.slice(index + 1)) {
      if (one.node.contains(other.node) || other.node.contains(one.node) || (one.isCover && other.isCover)) continue
      const both = meets(one.box, other.box)
      if (both === null || both.right - both.left < 1.5 || both.bottom - both.top < 1.5) continue
      if (one.node.closest(ABOVE) !== other.node.closest(ABOVE)) continue
      // A strip of paper may lie on a book.
      const isOn = (a, b) => a.isCover && b.node.closest(STRIPS)
      if (isOn(one, other) || isOn(other, one)) continue
      // The list scrolls below the bar, which has a ground there.
      const isBelow = (a, b) => isList && a.node.closest('#stage') && b.node.closest('#top')
      if (isBelow(one, other) || isBelow(other, one)) continue
      const [wide, high] = [both.right - both.left, both.bottom - both.top].map(Math.round)
      faults.add(`${named(one.node)} and ${named(other.node)} overlap on ${wide} x ${high} px`)
    }
  }

  // The flat book, which covers the window while it is zoomed.
  if (!sheet && caption?.screen === 2 && caption.isFlat && document.body.dataset.zoomed !== 'true') {
    const pages = stage.spread.map(({ root: node }) => node.getBoundingClientRect())
    for (const { node, box } of things) {
      if (node.closest(STRIPS)) continue
      for (const page of pages) {
        const both = meets(page, box)
        if (both === null || both.right - both.left < 1.5 || both.bottom - both.top < 1.5) continue
        const isInMargin = both.bottom <= BAR || both.top >= innerHeight - BAR
        if (innerHeight >= LOW || !isInMargin) faults.add(`${named(node)} is on a page`)
      }
    }
  }
  return [...faults]
}
