/** What all screens share: the bar at the top, whether anybody is there to see it, and files dropped. */

import { iconButton, make, name, style } from './dom.js'
import { SCREEN } from './wire.js'

const AWAKE = 2800; // ms for which the bars of an open book stay after the last sign
const BACK = 'M14.500 5 7.500 12l7 7'

let bar = null
let sleep = 0

function wake() {
  document.body.classList.add('awake')
  clearTimeout(sleep)
  sleep = setTimeout(() => {
    if (document.querySelector('.bar :is(:hover, :focus-visible)') !== null) wake()
    else document.body.classList.remove('awake')
  }, AWAKE)
}

/** Files may be dropped anywhere; what they are can be read only at once. */
async function drop(desk, event) {
  const { dataTransfer: dropped, type } = event
  if (!dropped?.types.includes('Files')) return
  event.preventDefault()
  if (type !== 'drop') return
  const entries = [...dropped.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean)
  const files = [...dropped.files]
  const library = await desk.summon('library')
  library?.add({ entries, files })
}

/** The bar at the top, with the way back and the name of what is open, when its style holds. */
export async function topBar(desk) {
  await style('controls')
  if (bar !== null) return bar
  const back = iconButton('Back', BACK, () => desk.press('Escape'), 'Esc')
  back.id = 'back'
  const heading = make('h1', { id: 'heading' })
  bar = make('header', { id: 'top', class: 'bar' }, back, heading)
  document.getElementById('notice').before(bar)
  desk.watch(() => {
    const { screen, heading: shelf, title } = desk.caption
    const words = screen === SCREEN.book ? 'Close the book' : 'All shelves'
    if (back.getAttribute('aria-label') !== words) name(back, words, 'Esc')
    heading.textContent = screen === SCREEN.book ? title : shelf
  })
  for (const type of ['pointermove', 'pointerdown', 'keydown', 'focusin']) {
    addEventListener(type, wake, { passive: true })
  }
  for (const type of ['dragover', 'drop']) addEventListener(type, (event) => drop(desk, event))
  wake()
  return bar
}
