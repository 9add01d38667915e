/** The demo: one room on four screens, each a frame with its own page, captioned with the page's measurements. */

import { make } from './dom.js'
import { keepLibraryKey } from './keys.js'
import { at } from './root.js'
import { encodeShare } from './together/wire.js'
import { tableOf } from './language.js'
import { WORDS as ENGLISH } from './words/demo.js'

const WORDS = await tableOf('demo', ENGLISH)
const SCREENS = [
  { name: 'laptop', width: 1280, height: 800 },
  { name: 'tablet', width: 1024, height: 768 },
  { name: 'phone', width: 390, height: 844 },
  { name: 'wall', width: 1920, height: 1080 },
]
const GAP = 44; // CSS px between two screens
const EDGE = 32; // CSS px around all screens
const CAPTION = 64; // CSS px below each screen
const NARROWEST = 230; // CSS px that a caption needs
const EVERY = 250; // ms between two updates of the captions

const query = new URLSearchParams(location.search)
const count = Math.max(1, Math.min(SCREENS.length, Number(query.get('frames')) || SCREENS.length))
const table = document.getElementById('screens')
const invitation = document.getElementById('invitation')

/** A new room opens a book without input, unless the address asks for the shelves. */
let opens = location.hash.length < 2 && query.get('from') !== 'shelves'

/** The room, empty until it is known. It is kept in the address, so that a reload returns to it. */
let room = /^#([A-Za-z0-9-]{1,32})$/.exec(location.hash)?.[1] ?? ''
const key = /^#key=([\w-]{1,64})$/.exec(location.hash)?.[1]
if (key) keepLibraryKey(key)

const screens = SCREENS.slice(0, count).map((screen, n) => {
  const { name, width, height } = screen
  const frame = make('iframe', { name, title: WORDS.screens[name], width, height })
  const one = { ...screen, frame, page: null }
  frame.addEventListener('page', ({ detail }) => { one.page = detail; })
  frame.addEventListener('load', () => ask(frame))
  // The first screen creates the room or returns to it; the others join it, as the same reader.
  if (room || n === 0) frame.src = at(room ? `/r/${room}` : '/')
  const glass = make('div', { class: 'glass' }, frame)
  const figures = make('span')
  const label = make('b', { text: WORDS.screens[name] })
  const root = make('figure', {}, glass, make('figcaption', {}, label, figures))
  table.append(root)
  return Object.assign(one, { root, glass, figures })
})

/** Requests the parts of the page in a frame, which the page sends with a `page` event. */
function ask(frame) {
  const inner = frame.contentDocument
  // A frame that is empty or shows an error has no page.
  if (!inner?.getElementById('stage')) return
  inner.head.append(Object.assign(inner.createElement('script'), { type: 'module', src: at('/js/demo/screen.js') }))
}

document.title = WORDS.windowTitle(WORDS.titles[count])
document.querySelector('h1').textContent = WORDS.titles[count]
document.getElementById('hint').textContent = WORDS.hint

const isNarrow = ({ width, height }) => width < height

/** Sizes rows of screens to fit a box, both in CSS px; the screens of a row have the same height. */
function rowsOf(groups, width, height) {
  const rows = groups.map((group) => {
    const aspect = group.reduce((sum, one) => sum + one.width / one.height, 0)
    const captions = group.filter(isNarrow).length * NARROWEST / 2
    return { group, aspect, widest: (width - captions - GAP * (group.length - 1)) / aspect }
  })
  const all = height - groups.length * CAPTION - GAP / 2 * (groups.length - 1)
  const each = Math.min(all / groups.length, ...rows.map(({ widest }) => widest))
  return rows.map(({ group, aspect, widest }) => ({ group, aspect, height: Math.min(widest, Math.max(each, 1)) }))
}

/** Lays the screens out in one row or two, whichever makes them larger. */
function lay() {
  const width = table.clientWidth - 2 * EDGE
  const height = table.clientHeight - EDGE
  const ways = screens.length < 3 ? [[screens]] : [[screens], [screens.slice(0, 2), screens.slice(2)]]
  const area = (rows) => rows.reduce((sum, row) => sum + row.aspect * row.height ** 2, 0)
  const [rows] = ways.map((groups) => rowsOf(groups, width, height)).sort((a, b) => area(b) - area(a))
  let top = Math.max(0, (height - rows.reduce((sum, row) => sum + row.height + CAPTION + GAP / 2, -GAP / 2)) / 2)
  for (const row of rows) {
    const boxes = row.group.map((one) => {
      const scale = row.height / one.height
      return { ...one, scale, box: Math.max(one.width * scale, NARROWEST) }
    })
    const wide = boxes.reduce((sum, { box }) => sum + box + GAP, -GAP)
    let left = EDGE + (width - wide) / 2
    for (const { root, glass, frame, width: own, scale, box } of boxes) {
      root.style.cssText = `left:${left}px;top:${top}px;width:${box}px`
      glass.style.cssText = `width:${own * scale}px;height:${row.height}px`
      frame.style.transform = `scale(${scale})`
      left += box + GAP
    }
    top += row.height + CAPTION + GAP / 2
  }
}

/** The measurements of a page, as text. */
function measured({ app, session }) {
  const { measured: timing = null, roundTrip = null } = app.controller ?? {}
  if (roundTrip === null) return WORDS.arriving
  const trip = WORDS.roundTrip(roundTrip.toFixed(1))
  if (timing === null) return trip
  const error = timing.error < 1 ? WORDS.inTime : WORDS.offBy(timing.error.toFixed(0))
  const all = [error, trip, session.isSettled ? WORDS.atRest : WORDS.rate(timing.frames)]
  // A narrow caption breaks only between measurements.
  return all.map((words) => words.replaceAll(' ', '\u00a0')).join('\u00a0· ')
}

/** Brings the other screens into the room once the first one has joined it. */
function gather() {
  const connection = screens[0].page?.app.connection
  if (!connection?.isWelcome) return
  room = connection.room
  history.replaceState(null, '', `${location.pathname}${location.search}#${room}`)
  for (const { frame } of screens.slice(1)) frame.src = at(`/r/${room}`)
}

function update() {
  if (!room) gather()
  for (const { page, root, figures } of screens) {
    if (page === null) continue
    const { people, room: state, me } = page.session
    root.classList.toggle('leads', people.size > 1 && state?.presenter === me)
    const words = measured(page)
    if (figures.textContent !== words) figures.textContent = words
  }
  updateDoor()
  if (opens && screens.every(isAtRest)) open()
}

/** Whether a screen's page accepts input and shows nothing that moves. */
const isAtRest = ({ page }) =>
  page?.app.controller?.roundTrip > 0 && page.session.isSettled && page.app.playout.isAtRest

/** Goes a step further into the library until a book is open. */
function open() {
  const { app, session } = screens[0].page
  opens = !session.isBook
  if (opens) app.press('Enter')
}

/** The address at which others reach this server. */
let base = location.host
async function askForBase() {
  try {
    base = new URL((await (await fetch(at('/api/address'))).json()).base).host
  } catch {
    // The address of this page is shown instead.
  }
}

/** The ways in which others join: the room's name, then a button that shares it, then the code. */
let shown = ''
function updateDoor() {
  const { session, app } = screens[0].page ?? {}
  const state = session?.links?.code || (session?.isBook ? 'share' : 'open')
  if (state === shown) return
  shown = state
  if (state === 'open') invitation.textContent = room && WORDS.room(room)
  else if (state === 'share') {
    const share = () => app.send(encodeShare())
    const button = make('button', { type: 'button', text: WORDS.letIn, onclick: share })
    invitation.replaceChildren(WORDS.room(room), ' ', button)
  } else {
    invitation.replaceChildren(...WORDS.join(`${state.slice(0, 3)} ${state.slice(3)}`, base)
      .map((part) => (part.name ? make('b', { text: part.name }) : part)))
  }
}

askForBase()
lay()
addEventListener('resize', lay)
setInterval(update, EVERY)
update()
