/** The light in the room: day, night or sepia. */

import { app, session, update } from '../app.js'
import { style } from '../dom.js'
import { choiceOf } from './store.js'
import { TONES, toneOf } from './tone.js'

const dark = matchMedia('(prefers-color-scheme: dark)')
/** The images of pages whose tone is not known yet. */
const UNKNOWN = '.page:not(.bound) .face > img:first-of-type:not([data-tone])'

/** The light that a choice means where the system is dark or not. */
export const lightOf = (choice, isDark) => (choice !== 'system' ? choice : isDark ? 'night' : 'day')

/** Marks images before they are first drawn: the callback of an observer runs before the next picture. */
const observer = new MutationObserver(() => mark())
const mark = () => { for (const image of document.querySelectorAll(UNKNOWN)) toneOf(image); }

/** Changes the light with the system, if that is what the reader has chosen. */
export const followLight = () => dark.addEventListener('change', () => showLight())

/** Shows the page in the chosen light; resolves when it does. */
export async function showLight() {
  const chosen = () => lightOf(choiceOf(session.settings, 'light'), dark.matches)
  if (chosen() !== 'day') await style('light')
  const light = chosen()
  const root = document.documentElement
  if (light === (root.dataset.light ?? 'day')) return
  if (light === 'day') delete root.dataset.light
  else root.dataset.light = light
  document.querySelector('meta[name=theme-color]').content = getComputedStyle(root).getPropertyValue('--table').trim()
  observer.disconnect()
  if (light === 'night') {
    mark()
    observer.observe(document.getElementById('stage'), { childList: true, subtree: true })
  }
  update({ tone: TONES[light] })
  repaint()
}

/** Has the bitmaps drawn again, and shows the table of the style sheet until its own are there. */
function repaint() {
  const table = document.getElementById('table')
  table.classList.remove('painted', 'shadowed')
  for (const ground of table.querySelectorAll('.ground')) ground.remove()
  for (const element of app.stage.all) element.replace(element.content)
}
