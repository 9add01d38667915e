/** One room on four screens at once, each a page of its own, with what each measures of itself. */

import { keepLibraryKey } from './keys.js'
import { encodeShare } from './together/wire.js'
import { WORDS } from './words/demo.js'

const SCREENS = [
  { name: 'laptop', width: 1280, height: 800 },
  { name: 'tablet', width: 1024, height: 768 },
  { name: 'phone', width: 390, height: 844 },
  { name: 'wall', width: 1920, height: 1080 },
]
const GAP = 44; // CSS px between two screens, and around all
const EDGE = 32
const CAPTION = 64; // CSS px below each
const NARROWEST = 230; // CSS px that a caption needs
const EVERY = 250; // ms between two looks at the figures

const query = new URLSearchParams(location.search)
const count = Math.max(1, Math.min(SCREENS.length, Number(query.get('frames')) || SCREENS.length))
const table = document.getElementById('screens')
const door = document.getElementById('door')

/** A new room opens a book by itself, unless the address asks for the shelves. */
let opens = location.hash.length < 2 && query.get('from') !== 'shelves'

/** The room is in the address, so that this page comes back to it; empty before it is known. */
let room = /^#([A-Za-z0-9-]{1,32})$/.exec(location.hash)?.[1] ?? ''
const key = /^#key=([\w-]{1,64})$/.exec(location.hash)?.[1]
if (key) keepLibraryKey(key)

const make = (tag, properties, ...children) => {
  const node = Object.assign(document.createElement(tag), properties)
  node.append(...children)
  return node
}

const screens = SCREENS.slice(0, count).map((screen, n) => {
  const { name, width, height } = screen
  const frame = make('iframe', { name, title: WORDS.screens[name], width, height })
  // The first screen makes the room, or comes back to it; the others follow, as the same reader.
  if (room || n === 0) frame.src = room ? `/r/${room}` : '/'
  const glass = make('div', { className: 'glass' }, frame)
  const figures = make('span')
  const label = make('b', { textContent: WORDS.screens[name] })
  const root = make('figure', {}, glass, make('figcaption', {}, label, figures))
  table.append(root)
  return { ...screen, root, glass, frame, figures, get page() { return frame.contentWindow?.__lectern; } }
})
document.querySelector('h1').textContent = WORDS.titles[count]

const isNarrow = ({ width, height }) => width < height

/** How large rows of screens can be, all of one height in a row: the scale of heights to fit a box. */
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

/** Lays the screens out in one row, or two, whichever shows more. */
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

/** What a page says of itself, as text. */
function said({ desk: { timing, roundTrip, isSettled }, isReady }) {
  if (!isReady || roundTrip === null) return WORDS.arriving
  const trip = WORDS.roundTrip(roundTrip.toFixed(1))
  if (timing === null) return trip
  const error = timing.error < 1 ? WORDS.inTime : WORDS.offBy(timing.error.toFixed(0))
  const all = [error, trip, isSettled ? WORDS.atRest : WORDS.rate(timing.frames)]
  // A narrow caption breaks between them.
  return all.map((words) => words.replaceAll(' ', '\u00a0')).join('\u00a0· ')
}

/** Brings the other screens into the room once the first knows its name. */
function gather() {
  room = screens[0].page?.roomCode ?? ''
  if (!room) return
  history.replaceState(null, '', `${location.pathname}${location.search}#${room}`)
  for (const { frame } of screens.slice(1)) frame.src = `/r/${room}`
}

function see() {
  if (!room) gather()
  for (const { page, root, figures } of screens) {
    if (!page?.desk) continue
    const { desk } = page
    root.classList.toggle('leads', desk.people.size > 1 && desk.room?.presenter === desk.me)
    const words = said(page)
    if (figures.textContent !== words) figures.textContent = words
  }
  seeDoor()
  if (opens && window.__demo?.isReady()) open()
}

/** Goes a step into the library, until a book is open. */
function open() {
  const { desk } = screens[0].page
  opens = desk.caption.screen < 2
  if (opens) desk.press('Enter')
}

/** Where others reach this server. */
let base = location.host
async function askForBase() {
  try {
    base = new URL((await (await fetch('/api/address')).json()).base).host
  } catch {
    // Then the address of this page is shown.
  }
}

/** How somebody else comes in: six letters, once the room is shared. */
let shown = ''
function seeDoor() {
  const [first] = screens
  const { links = null, caption = null } = first.page?.desk ?? {}
  const state = links?.code ? links.code : caption?.screen === 2 ? 'share' : 'open'
  if (state === shown) return
  shown = state
  if (state === 'open') door.textContent = room && WORDS.room(room)
  else if (state === 'share') {
    const share = () => first.page.desk.send(encodeShare())
    const button = make('button', { type: 'button', textContent: WORDS.letIn, onclick: share })
    door.replaceChildren(WORDS.room(room), ' ', button)
  } else {
    door.replaceChildren(...WORDS.join(`${state.slice(0, 3)} ${state.slice(3)}`, base)
      .map((part) => (part.name ? make('b', { textContent: part.name }) : part)))
  }
}

askForBase()
lay()
addEventListener('resize', lay)
setInterval(see, EVERY)
see()

/** For tests: the pages, by the names of their screens. */
window.__demo = {
  screens, get room() { return room; }, isReady: () => screens.every(({ page }) => page?.isReady && page.isAtRest),
}
