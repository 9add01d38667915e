/** Joins the parts. */

import { Chrome } from './chrome.js'
import { Clock, Vsync } from './clock.js'
import { Connection } from './connection.js'
import { arrival } from './keys.js'
import { Playout } from './playout.js'
import { Stage } from './stage.js'
import {
  FrameState, MAX_READY, ROLE, SCREEN, SCREEN_NAME, encodeReady, encodeViewport, encodeVisibility,
} from './wire.js'
import { WORDS } from './words/start.js'

const RESYNC_GAP = 500; // ms between requests for a snapshot
const AGAIN = 1000; // ms before what could not be fetched is fetched again

const by = (id) => document.getElementById(id)
const clock = new Clock()
const vsync = new Vsync()
const playout = new Playout(new FrameState())
const ready = new Set()
const stage = new Stage(by('stage'), (id) => {
  ready.add(id)
  animate()
})
const still = matchMedia('(prefers-reduced-motion: reduce)')

const viewport = () => ({
  width: innerWidth, height: innerHeight, pixelRatio: devicePixelRatio, reducedMotion: still.matches,
  reportsImages: true,
})

const connection = new Connection(arrival(), {
  hello: viewport,
  onMessage(message) {
    receive(message)
    tell(message)
  },
  onClose(code, reason) {
    input?.cancel()
    playout.reset()
    flights?.recall()
    tell({ type: 'closed', code, reason })
    loadSession()
  },
})

/** The server's time of the next vsync, 0 while unknown. */
const targetTime = () => (clock.isExchanged ? clock.serverTime(vsync.next(performance.now())) : 0)
const isBook = () => context.view.caption?.screen === SCREEN.book

const watchers = new Set()
const summoned = new Map()

/** What the parts of the page share: each value has one owner, which alone changes it. */
const context = {
  /** What this window shows; owned by this module. */
  view: {
    stage,
    caption: null,
    /** Whether frame and camera are at rest. */
    isSettled: false,
  },
  /** What the server has said: role and room, owned by this module, the rest by session/participants.js. */
  session: {
    me: 0,
    role: null,
    room: null,
    people: new Map(),
    place: null,
    links: null,
    playback: null,
    sync: new Map(),
    /** Where others point, by member, and the function that draws it. */
    pointers: new Map(),
    onPointer: null,
  },
  /** How this page keeps time; owned by session/controller.js. */
  time: {
    timing: null,
    /** The quickest recent round trip, in ms. */
    roundTrip: null,
    /** The server's time now, in seconds, and that of the frame which is due. */
    serverNow: () => clock.serverTime(performance.now()),
    dueNow: () => clock.serverTime(performance.now()) - playout.delay,
  },
  /** Whether and to which shelf books can be added, once that is known; owned by library.js. */
  library: { uploads: null },
  actions: {
    send(bytes) {
      animate()
      return connection.send(bytes)
    },
    press: (key) => input?.key(key),
    notice: (words, ms) => chrome.notice(words, ms),
    /** Calls see now, and whenever caption or rest have changed. */
    watch(see) {
      watchers.add(see)
      see()
    },
    /** The controls that js/NAME.js makes, on first use; null if it cannot be loaded. */
    summon(name) {
      if (!summoned.has(name)) summoned.set(name, fetched(name))
      return summoned.get(name)
    },
  },
}

/** What the demonstration and tests may see of the page. */
const state = window.__lectern = {
  applied: stage.applied,
  frame: 0,
  settled: false,
  screen: 'collections',
  firstFrameAt: null,
  roomCode: '',
  stats: playout.stats,
  /** Whether fingers are heard. */
  isReady: false,
  get caption() { return context.view.caption; },
  get isAtRest() { return context.view.isSettled && playout.isAtRest; },
  get desk() {
    const { view, session, time, actions } = context
    return { ...view, ...session, ...time, ...actions }
  },
}

const chrome = new Chrome(context)

/** The modules for input and for the session are loaded once the first picture is shown. */
let input = null
let flights = null
let controller = null
let isLoaded = false
const untold = []

const tell = (message) => (controller === null ? untold.push(message) : controller.hear(message))

async function loadSession(attempt = 0) {
  if (isLoaded && attempt === 0) return
  isLoaded = true
  try {
    // What has failed once would fail again under the same name.
    const again = attempt > 0 ? `?${attempt}` : ''
    const parts = ['input', 'session/flights', 'session/controller'].map((name) => import(`./${name}.js${again}`))
    const [{ Input }, { Flights }, { SessionController }] = await Promise.all(parts)
    const send = (bytes) => connection.send(bytes)
    input = new Input(by('table'), { send, targetTime, onActivity: animate, isBook })
    flights = new Flights()
    controller = new SessionController(context, { connection, clock, playout, input, changed })
    for (const message of untold.splice(0)) controller.hear(message)
    state.isReady = true
  } catch (error) {
    console.warn(error)
    setTimeout(loadSession, AGAIN, attempt + 1)
  }
}

async function fetched(name) {
  try {
    return await (await import(`./${name}.js`)).controls(context)
  } catch (error) {
    console.warn(error)
    summoned.delete(name)
    chrome.notice(WORDS.notFetched, 5000)
    return null
  }
}

function changed() { if (context.view.caption !== null) for (const see of watchers) see(); }

/** The welcome whose room and numbering say what ids mean. */
let named = {}

let isPanned = false; // since the last rest

function aim(matrix) {
  stage.camera(matrix, isBook())
  isPanned = true
}

function rest() {
  const isSettled = playout.state.settled && !playout.isMoving && !flights?.isMoving &&
    !(isPanned && input?.isDriving)
  if (isSettled === context.view.isSettled && !(isSettled && isPanned)) return
  if (isSettled) isPanned = false
  context.view.isSettled = isSettled
  chrome.settled(isSettled)
  changed()
}

function receive(message) {
  switch (message.type) {
    case 'welcome':
      clock.reset()
      clock.guess(message.serverTime, performance.now())
      playout.reset()
      flights?.recall()
      stage.connect(message.room === named.room && message.numbering === named.numbering)
      named = message
      state.settled = false
      ready.clear()
      enterRoom(message.room)
      if (document.visibilityState === 'hidden') connection.send(encodeVisibility(false))
      break
    case 'elements':
      stage.introduce(message.elements)
      isDirty = true
      break
    case 'retired':
      stage.retire(message.ids)
      playout.state.retire(message.ids)
      break
    case 'snapshot':
      stage.frameArrived()
      playout.snapshot(message)
      break
    case 'delta':
      playout.driven(message)
      break
    case 'batch':
      playout.flown(message.frames)
      break
    case 'camera':
      flights?.recall()
      aim(message.matrix)
      break
    case 'cameras':
      if (flights === null) aim(message.cameras.at(-1).matrix)
      else flights.fly(message.cameras)
      break
    case 'caption':
      context.view.caption = message
      stage.spreadIds = message.spread
      chrome.caption()
      if (stage.matrix.length > 1) stage.camera(stage.matrix, isBook())
      changed()
      return
    case 'role':
      context.session.role = message
      playout.isPrompt = message.role === ROLE.presenter || message.role === ROLE.wanderer
      return
    case 'room':
      context.session.room = message
      playout.delay = message.delay
      return
    case 'error':
      if (message.code === 0) context.actions.summon('told').then((told) => told?.say(message.message))
      else console.warn(`Lectern: ${message.message} (${message.code})`)
      return
    default:
      return
  }
  animate()
}

let asked = -Infinity
playout.onMissing = () => {
  if (performance.now() - asked < RESYNC_GAP) return
  asked = performance.now()
  connection.send(encodeVisibility(true))
}

// Animation frames run only while something moves or is held: a table at rest costs nothing.
let isDirty = false
let isAnimating = false
let isCounting = false

function animate() {
  if (isAnimating) return
  isAnimating = true
  requestAnimationFrame(tick)
}

function tick(now) {
  vsync.tick(now)
  clock.advance(now)
  const isMoved = input?.tick() === true
  const { repeated } = playout.stats
  const time = clock.serverTime(now)
  const camera = flights?.advance(time)
  if (camera) aim(camera)
  const isNew = playout.advance(time)
  if (isNew || isDirty) {
    isDirty = false
    show()
  }
  controller?.drawn(now, time, isNew)
  rest()
  if (ready.size > 0) tellReady()
  // A finger that holds still repeats no frame.
  if (!isCounting) playout.stats.repeated = repeated
  isCounting = isMoved || playout.waiting > 0
  isAnimating = false
  if (playout.isMoving || flights?.isMoving || input?.isDriving) animate()
}

function show() {
  const frame = playout.state
  stage.apply(frame)
  if (frame.number < 0) return
  state.frame = frame.number
  state.settled = frame.settled
  state.screen = SCREEN_NAME[frame.screen]
  state.firstFrameAt ??= performance.now()
  loadSession()
}

function tellReady() {
  const ids = [...ready]
  ready.clear()
  while (ids.length > 0) connection.send(encodeReady(ids.splice(0, MAX_READY)))
}

function enterRoom(room) {
  state.roomCode = room
  const [, kind, named] = location.pathname.split('/')
  if (kind === 'r' && named === room) return
  // One comes back from the room of a code to where one was.
  history[kind === 'r' ? 'pushState' : 'replaceState'](null, '', `/r/${room}`)
}

let isResizing = false
function resize() {
  if (isResizing) return
  isResizing = true
  requestAnimationFrame(() => {
    isResizing = false
    connection.send(encodeViewport(viewport()))
  })
}
addEventListener('resize', resize)
still.addEventListener('change', resize)
document.addEventListener('visibilitychange', () => {
  connection.send(encodeVisibility(document.visibilityState !== 'hidden'))
})

connection.open()
