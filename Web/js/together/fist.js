/** The printer's fist, the old pointing hand: its finger's tip is at the origin. */

const SVG = 'http://www.w3.org/2000/svg'
/** Drawn as it lies, its finger to the left; the page turns it. */
const OUTLINE = 'M1 0C1-4 5-7 10-7C24-8 36-9 47-10C50-16 57-20 66-20C76-20 85-19 93-16L94-20C94-22 96-23 98-22L108-20' +
  'C110-20 111-18 111-16C114-3 114 12 111 24C111 26 109 28 107 28L97 29C95 29 94 28 94 26L93 24C87 31 78 37 68 38' +
  'C60 40 52 40 47 37C42 35 41 31 43 28C37 27 35 20 39 17C33 15 32 9 36 6.500C27 7 18 7.500 10 7C5 7 1 4 1 0Z'
const LINES = 'M47-10C43-6 46-1 51-1.500C60-3 68-4 75-1M36 6.500C44 6 51 6 56 8C61 10 61 14 57 16M39 17C46 15 52 15 57 16' +
  'C61 18 61 23 57 26M43 28C49 26 53 25.500 57 26C60 28 60 33 56 36M93-16C90-4 90 12 93 24M100-21C97-6 97 14 100 28' +
  'M5-2.500C7-3.500 10-3.500 13-3'

function path(d, name) {
  const node = document.createElementNS(SVG, 'path')
  node.setAttribute('d', d)
  node.setAttribute('class', name)
  return node
}

export function fist() {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('class', 'fist')
  svg.setAttribute('width', '1')
  svg.setAttribute('height', '1')
  svg.append(path(OUTLINE, 'glow'), path(OUTLINE, 'skin'), path(LINES, 'lines'))
  return svg
}
