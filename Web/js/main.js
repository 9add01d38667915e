/** The page's entry point: creates its parts and connects them. */

import { describe } from './captions.js'
import { Chrome, by } from './chrome.js'
import { Clock, Vsync } from './clock.js'
import { Connection } from './connection.js'
import { SETTINGS, arrival, kept } from './keys.js'
import { Playout } from './playout.js'
import { readiness } from './readiness.js'
import { Stage } from './stage.js'
import {
  FrameState, MAX_READY, ROLE, SCREEN, encodeReady, encodeViewport, encodeVisibility,
} from './wire.js'
import { WORDS } from './words/start.js'

const RESYNC_GAP = 500; // ms between requests for a snapshot
const AGAIN = 1000; // ms before a failed module is loaded again

const clock = new Clock()
const vsync = new Vsync()
const playout = new Playout(new FrameState())
const ready = new Set()
const stage = new Stage(by('stage'), (id) => {
  ready.add(id)
  animate()
})
const still = matchMedia('(prefers-reduced-motion: reduce), (update: slow)')

const viewport = () => ({
  width: innerWidth, height: innerHeight, pixelRatio: devicePixelRatio, reportsImages: true,
  // The screens of the demo show one stage.
  sharesStage: parent !== window,
  reducedMotion: context.settings.motion === 'reduced' || (context.settings.motion !== 'full' && still.matches),
})

const connection = new Connection(arrival(), {
  hello: viewport,
  onMessage(message) {
    describe(message)
    receive(message)
    tell(message)
  },
  onClose(code, reason) {
    input?.cancel()
    playout.reset()
    flights?.recall()
    tell({ type: 'closed', code, reason })
    loadSession()
    tellReadiness()
  },
})

/** The next vsync in the server's time, in seconds; 0 while that is unknown. */
const targetTime = () => (clock.isExchanged ? clock.serverTime(vsync.next(performance.now())) : 0)
const isBook = () => context.view.caption?.screen === SCREEN.book

const watchers = new Set()
const loaded = new Map()

/** The values that the parts of the page share. Each value has one owner, and only the owner changes it. */
const context = {
  /** The contents of this window. Owner: this module. */
  view: {
    stage,
    caption: null,
    /** Whether frame and camera are at rest. */
    isSettled: false,
  },
  /** The server's messages. Owners: this module for role and room, session/participants.js for the rest. */
  session: {
    me: 0,
    role: null,
    room: null,
    people: new Map(),
    place: null,
    links: null,
    playback: null,
    sync: new Map(),
    /** The other members' pointers by member, and the function that draws one. */
    pointers: new Map(),
    onPointer: null,
  },
  /** The timing of this page. Owner: session/controller.js. */
  time: {
    timing: null,
    /** The shortest recent round trip, in ms. */
    roundTrip: null,
    /** The server's time now, and the time of the frame that is due, both in seconds. */
    serverNow: () => clock.serverTime(performance.now()),
    dueNow: () => clock.serverTime(performance.now()) - playout.delay,
  },
  /** Whether and where books can be uploaded; null until that is known. Owner: library.js. */
  library: { uploads: null },
  /** What the reader has chosen. Owner: settings/store.js. */
  settings: kept(SETTINGS),
  actions: {
    resize,
    send(bytes) {
      animate()
      return connection.send(bytes)
    },
    press: (key) => input?.key(key),
    notice: (...values) => chrome.notice(...values),
    /** Calls a function now, and whenever the caption, the session or isSettled has changed. */
    watch(see) {
      watchers.add(see)
      see()
    },
    /** Returns the controls that js/NAME.js creates on first use; null if it cannot be loaded. */
    load(name) {
      if (!loaded.has(name)) loaded.set(name, fetched(name))
      return loaded.get(name)
    },
  },
}

const chrome = new Chrome(context)

/** For demo/screen.js. */
export { connection, context, playout }

/** These are loaded after the first picture. */
let input = null
let flights = null
let controller = null
let motion = null
let isLoaded = false
const early = []; // messages that arrived before the controller
const started = readiness.begin()

const tell = (message) => (controller === null ? early.push(message) : controller.handle(message))

async function loadSession(attempt = 0) {
  if (isLoaded && attempt === 0) return
  isLoaded = true
  try {
    // A browser does not load a failed module again from the same address.
    const again = attempt > 0 ? `?${attempt}` : ''
    const parts = ['input', 'session/flights', 'session/controller', 'motion/motion']
      .map((name) => import(`./${name}.js${again}`))
    const [{ Input }, { Flights }, { SessionController }, { Motion }] = await Promise.all(parts)
    const send = (bytes) => connection.send(bytes)
    input = new Input(by('table'), { send, targetTime, onActivity: animate, isBook })
    flights = new Flights()
    controller = new SessionController(context, { connection, clock, playout, input, changed })
    for (const message of early.splice(0)) controller.handle(message)
    motion = new Motion(context)
    isDirty = true
    animate()
    started()
  } catch (error) {
    console.warn(error)
    setTimeout(loadSession, AGAIN, attempt + 1)
  }
}

async function fetched(name) {
  try {
    return await readiness.until(import(`./${name}.js`).then(({ controls }) => controls(context)))
  } catch (error) {
    console.warn(error)
    loaded.delete(name)
    chrome.notice(WORDS.notFetched, 5000)
    return null
  }
}

function changed() { if (context.view.caption !== null) for (const see of watchers) see(); }

/** The last welcome; its room and numbering define the meaning of element ids. */
let welcome = {}

let isPanned = false; // since the stage was last at rest

function aim(matrix) {
  stage.camera(matrix, isBook())
  isPanned = true
}

/** With reduced motion, one rest follows another by a new frame; new elements, too, change what rests. */
function rest(isChanged) {
  const isSettled = playout.state.settled && !playout.isMoving && !flights?.isMoving &&
    !(isPanned && input?.isDriving)
  if (isSettled === context.view.isSettled && !(isSettled && (isPanned || isChanged))) return
  if (isSettled) isPanned = false
  context.view.isSettled = isSettled
  chrome.settled(isSettled)
  changed()
}

function receive(message) {
  switch (message.type) {
    case 'welcome':
      clock.reset()
      clock.estimate(message.serverTime, performance.now())
      playout.reset()
      flights?.recall()
      stage.connect(message.room === welcome.room && message.numbering === welcome.numbering)
      welcome = message
      ready.clear()
      enterRoom(message.room)
      if (document.hidden) connection.send(encodeVisibility(false))
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
      tellReadiness()
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
      if (message.code === 0) context.actions.load('reply').then((reply) => reply?.say(message.notice))
      else console.warn(`Lectern: ${message.code}`, message.notice)
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

// Animation frames run only while something moves or is held: a stage at rest costs nothing.
let isDirty = false
let isAnimating = false

function animate() {
  if (isAnimating) return
  isAnimating = true
  requestAnimationFrame(tick)
}

function tick(now) {
  vsync.tick(now)
  clock.advance(now)
  input?.tick()
  const time = clock.serverTime(now)
  const camera = flights?.advance(time)
  if (camera) aim(camera)
  const isNew = playout.advance(time)
  const isChanged = isNew || isDirty
  isDirty = false
  if (isChanged) show()
  controller?.drawn(now, time, isNew)
  motion?.tick(now, vsync.period)
  rest(isChanged)
  tellReadiness()
  if (ready.size > 0) tellReady()
  isAnimating = false
  if (playout.isMoving || flights?.isMoving || input?.isDriving) animate()
}

/** The stage is complete when the frame and its caption are of one screen, and all that is visible is drawn. */
function tellReadiness() {
  const { isSettled, caption } = context.view
  const isResting = isSettled && playout.isAtRest
  readiness.stage(connection.isWelcome, isResting,
    isResting && caption?.screen === playout.state.screen && stage.isDrawn(playout.state))
}

function show() {
  const frame = playout.state
  stage.apply(frame)
  if (frame.number >= 0) loadSession()
}

function tellReady() {
  const ids = [...ready]
  ready.clear()
  while (ids.length > 0) connection.send(encodeReady(ids.splice(0, MAX_READY)))
}

function enterRoom(room) {
  const [, kind, named] = location.pathname.split('/')
  if (kind === 'r' && named === room) return
  // Back leads from a room entered by a code to the one before.
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
  connection.send(encodeVisibility(!document.hidden))
})

// The first picture is in the chosen language and light.
async function after(name, isNeeded, then) {
  if (isNeeded) {
    await readiness.until(import(`./${name}.js`).then(({ apply }) => apply(context, WORDS))).catch(console.warn)
  }
  then()
}
after('language', context.settings.language === 'de' || /de/.test(navigator.languages), () => connection.open())
after('settings/apply', Object.keys(context.settings).length > 0, () => { by('table').hidden = false; })
