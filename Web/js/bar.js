/** The parts that all screens share: the bar at the top, its visibility, and dropped files. */

import { beginAnnouncing } from './announcing.js'
import { app, session, watch } from './app.js'
import { ARROWS, icon, iconButton, isShortcut, make, name, present, printed, style } from './dom.js'
import { HINTS, kept } from './keys.js'
import { at } from './root.js'
import { wayBack } from './wayback.js'
import { WORDS } from './words/common.js'

const AWAKE = 2800; // ms for which the bars of an open book stay visible after the last activity
const HELD = 1000; // ms without an event after which files are no longer over the page
const MOON = 'M19.500 14.500A8 8 0 0 1 9.500 4.500a8 8 0 1 0 10 10Z'
const SHARE = 'M12 4v10M8.500 7.500 12 4l3.500 3.500M7 11.500H5v8h14v-8h-2'

/** The button that opens the settings, of which the light is the first. */
export const settingsButton = () =>
  iconButton(WORDS.bar.settings, MOON, () => present('settings/settings'))

let bar = null
let sleep = 0

/** Shows the bars for some seconds. */
export function wake() {
  document.body.classList.add('awake')
  clearTimeout(sleep)
  sleep = setTimeout(() => {
    if (document.querySelector('.bar :is(:hover, :focus-visible)') !== null) wake()
    else document.body.classList.remove('awake')
  }, AWAKE)
}

let isOver = 0
const where = make('div', { class: 'droppable', role: 'status', hidden: true })

/** Shows where files that are dragged over the page will go. */
function over(dropped) {
  const { uploads } = session
  clearTimeout(isOver)
  isOver = setTimeout(() => { where.hidden = true; }, HELD)
  dropped.dropEffect = uploads?.isOn === false ? 'none' : 'copy'
  if (!where.hidden) return
  const shelf = uploads?.shelf ? printed(WORDS.bar.dropOnShelf(uploads.shelf)) : []
  where.replaceChildren(...uploads?.isOn === false
    ? [make('b', { text: WORDS.bar.takesNoBooks })]
    : [make('b', { text: WORDS.bar.dropHere }), make('p', {}, ...shelf)])
  where.hidden = false
}

/** Handles files that are dragged over or dropped on the page. Their entries can be read only during the event. */
async function drop(event) {
  const { dataTransfer: dropped, type, relatedTarget } = event
  if (!dropped?.types.includes('Files')) return
  // A guest cannot add to the library, and the browser must not leave the page to open the file.
  if (!session.mayOpen) return event.preventDefault()
  if (type === 'dragleave') {
    if (relatedTarget === null) where.hidden = true
    return
  }
  event.preventDefault()
  if (type !== 'drop') return over(dropped)
  clearTimeout(isOver)
  where.hidden = true
  const entries = [...dropped.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean)
  const files = [...dropped.files]
  const library = await app.load('library')
  library?.add({ entries, files })
}

/** Resolves with the bar at the top, which contains the way back and the heading, when its style is loaded. */
export async function topBar() {
  await Promise.all([style('controls'), style('windows')])
  if (bar !== null) return bar
  beginAnnouncing()
  let way = wayBack()
  const back = iconButton(WORDS.bar.back, ARROWS.left, () => {
    // The book gets the focus, so the next Enter opens it again.
    if (session.isBook) back.blur()
    way.go()
  }, 'Esc')
  back.id = 'back'
  const heading = make('h1', { id: 'heading', dir: 'auto' })
  const share = make('button', {
    id: 'share', class: 'words', type: 'button',
    onclick: () => present('together/share'),
  }, icon(SHARE), make('span', { text: WORDS.bar.share }))
  bar = make('header', { id: 'top', class: 'bar' }, back, heading, share)
  // Assistive technology reads it before the stage.
  document.getElementById('table').before(bar)
  watch(() => {
    const { caption, isBook, mayOpen, role, room } = session
    const isHost = role?.rights.isHost === true
    share.hidden = !(isHost && room?.isShared) && !(isBook && (mayOpen || isHost))
    way = wayBack()
    name(back, way.words, way.key)
    heading.textContent = isBook ? caption.title : caption.heading
  })
  addEventListener('keydown', (event) => { if (event.key === '?' && isShortcut(event)) present('help') })
  // The screens of the demo have no readers of their own.
  if (parent === window) {
    if (!kept(HINTS).over) app.load('hints')
    app.load('continue/continue')
  }
  for (const type of ['pointermove', 'pointerdown', 'keydown', 'focusin']) {
    addEventListener(type, wake, { passive: true })
  }
  document.body.append(where)
  // Over plain HTTP, other than from this machine itself, there is none.
  navigator.serviceWorker?.register(at('/sw.js')).catch(console.warn)
  for (const type of ['dragenter', 'dragover', 'dragleave', 'drop']) {
    addEventListener(type, drop)
  }
  wake()
  return bar
}
