/** The parts that all screens share: the bar at the top, its visibility, and dropped files. */

import { icon, iconButton, make, name, printed, style } from './dom.js'
import { HINTS, kept } from './keys.js'
import { wayBack } from './wayback.js'
import { SCREEN } from './wire.js'
import { WORDS } from './words/common.js'

const AWAKE = 2800; // ms for which the bars of an open book stay visible after the last activity
const HELD = 1000; // ms without an event after which files are no longer over the page
const BACK = 'M14.500 5 7.500 12l7 7'
const MOON = 'M19.500 14.500A8 8 0 0 1 9.500 4.500a8 8 0 1 0 10 10Z'
const SHARE = 'M12 4v10M8.500 7.500 12 4l3.500 3.500M7 11.500H5v8h14v-8h-2'

/** The button that opens the settings, of which the light is the first. */
export const settingsButton = ({ actions }) =>
  iconButton(WORDS.bar.settings, MOON, async () => (await actions.load('settings/settings'))?.show())

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
function over({ uploads }, dropped) {
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
async function drop(context, event) {
  const { dataTransfer: dropped, type, relatedTarget } = event
  if (!dropped?.types.includes('Files')) return
  // A guest cannot add to the library, and the browser must not leave the page to open the file.
  if (!context.session.role?.rights.mayShare) return event.preventDefault()
  if (type === 'dragleave') {
    if (relatedTarget === null) where.hidden = true
    return
  }
  event.preventDefault()
  if (type !== 'drop') return over(context.library, dropped)
  clearTimeout(isOver)
  where.hidden = true
  const entries = [...dropped.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean)
  const files = [...dropped.files]
  const library = await context.actions.load('library')
  library?.add({ entries, files })
}

/** Resolves with the bar at the top, which contains the way back and the heading, when its style is loaded. */
export async function topBar(context) {
  await Promise.all([style('controls'), style('windows')])
  if (bar !== null) return bar
  let way = wayBack(context)
  const back = iconButton(WORDS.bar.back, BACK, () => {
    // The book gets the focus, so the next Enter opens it again.
    if (context.view.caption.screen === SCREEN.book) back.blur()
    way.go()
  }, 'Esc')
  back.id = 'back'
  const heading = make('h1', { id: 'heading', dir: 'auto' })
  const share = make('button', {
    id: 'share', class: 'words', type: 'button',
    onclick: async () => (await context.actions.load('together/share'))?.show(),
  }, icon(SHARE), make('span', { text: WORDS.bar.share }))
  bar = make('header', { id: 'top', class: 'bar' }, back, heading, share)
  // Assistive technology reads it before the stage.
  document.getElementById('table').before(bar)
  context.actions.watch(() => {
    const { caption: { screen, heading: shelf, title } } = context.view
    const { role, room } = context.session
    const { isHost = false, mayShare = false } = role?.rights ?? {}
    share.hidden = !(isHost && room?.isShared) && !(screen === SCREEN.book && (mayShare || isHost))
    way = wayBack(context)
    if (back.getAttribute('aria-label') !== way.words) name(back, way.words, way.key)
    heading.textContent = screen === SCREEN.book ? title : shelf
  })
  const load = (name) => context.actions.load(name)
  addEventListener('keydown', async ({ key, target, ctrlKey, altKey, metaKey }) => {
    if (key !== '?' || ctrlKey || altKey || metaKey || target.closest?.('input, select, dialog')) return
    ;(await load('help'))?.show()
  })
  // The screens of the demo have no readers of their own.
  if (parent === window) {
    if (!kept(HINTS).over) load('hints')
    load('continue/continue')
  }
  for (const type of ['pointermove', 'pointerdown', 'keydown', 'focusin']) {
    addEventListener(type, wake, { passive: true })
  }
  document.body.append(where)
  // Over plain HTTP, other than from this machine itself, there is none.
  navigator.serviceWorker?.register('/sw.js').catch(console.warn)
  for (const type of ['dragenter', 'dragover', 'dragleave', 'drop']) {
    addEventListener(type, (event) => drop(context, event))
  }
  wake()
  return bar
}
