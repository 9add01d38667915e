// Returns the texts and controls of the page whose contrast is too low, as a list of sentences.
(() => {
  const TEXT = 4.5
  const LARGE = 3 // letters of 24 px and more, and what is no text
  const WITHIN = '#top, #bookbar, #label, #foot, #loupe, #notice:not([hidden]), .wall, #empty, dialog[open]'
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })

  /** A colour of a style sheet as [red, green, blue, opacity], each from 0 to 1. */
  const parsed = (colour) => {
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = colour
    canvas.fillRect(0, 0, 1, 1)
    return [...canvas.getImageData(0, 0, 1, 1).data].map((value) => value / 255)
  }
  const over = ([r, g, b, a], below) => [...[r, g, b].map((value, n) => value * a + below[n] * (1 - a)), 1]
  const luminance = (colour) => colour.slice(0, 3)
    .map((value) => (value <= .04045 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4))
    .reduce((sum, value, n) => sum + value * [.2126, .7152, .0722][n], 0)
  const contrast = (one, other) => {
    const [dark, bright] = [luminance(one), luminance(other)].sort((a, b) => a - b)
    return (bright + .05) / (dark + .05)
  }

  const root = getComputedStyle(document.documentElement)
  const table = ['lit', 'table', 'low', 'edge'].map((name) => parsed(root.getPropertyValue(`--${name}`).trim()))
  /** The colours that may be behind an element: several of a gradient. */
  const groundsOf = (node) => {
    if (node === null || node === document.body || node.id === 'table') return table
    const { backgroundColor, backgroundImage } = getComputedStyle(node)
    const colours = (backgroundImage.match(/(?:rgba?|color)\([^)]*\)/g) ?? [backgroundColor]).map(parsed)
    if (colours.every((colour) => colour[3] === 1)) return colours
    if (colours.every((colour) => colour[3] === 0)) return groundsOf(node.parentElement)
    return colours.flatMap((colour) => groundsOf(node.parentElement).map((below) => over(colour, below)))
  }
  const opacityOf = (node) => (node === null ? 1 : getComputedStyle(node).opacity * opacityOf(node.parentElement))
  // The disc of a reader who is away is dimmed as a disabled control is; the list of readers says it in words.
  const isSeen = (node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    !node.closest('.unseen, .turn:not(:focus), [inert], :disabled, .faint, .tip, option, [clip-path]')
  const least = (node, colour) => {
    const [r, g, b, a] = parsed(colour)
    return Math.min(...groundsOf(node).map((ground) =>
      contrast(over([r, g, b, a * opacityOf(node)], ground), ground)))
  }
  const faults = []
  const demand = (node, colour, need, words) => {
    const found = least(node, colour)
    if (found < need) faults.push(`“${words.trim().slice(0, 40)}” has ${found.toFixed(2)} of ${need}`)
  }

  const sheet = document.querySelector('dialog[open]')
  for (const part of sheet ? [sheet] : document.querySelectorAll(WITHIN)) {
    const walk = document.createTreeWalker(part, NodeFilter.SHOW_TEXT)
    while (walk.nextNode()) {
      const { currentNode: { data, parentElement: node } } = walk
      // A picture of another light has that light's colours.
      if (data.trim() === '' || !isSeen(node) || node.closest('.lamps i')) continue
      const { color, fontSize } = getComputedStyle(node)
      demand(node, color, parseFloat(fontSize) >= 24 ? LARGE : TEXT, data)
    }
    for (const svg of part.querySelectorAll('button svg')) {
      if (!isSeen(svg.closest('button'))) continue
      const { ariaLabel, textContent } = svg.closest('button')
      demand(svg.parentElement, getComputedStyle(svg).stroke, LARGE, ariaLabel || textContent)
    }
    for (const field of part.querySelectorAll('input:not([type=radio], [type=checkbox], [type=range]), select')) {
      if (!isSeen(field)) continue
      demand(field.parentElement, getComputedStyle(field).borderBottomColor, LARGE, `field ${field.ariaLabel}`)
    }
  }
  return faults
})()
