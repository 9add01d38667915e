/** Joins the parts. */

import { Chrome } from './chrome.js'
import { Clock, Vsync } from './clock.js'
import { Connection } from './connection.js'
import { Input } from './input.js'
import { CameraPlayout, Playout } from './playout.js'
import { Stage } from './stage.js'
import {
  FrameState, MAX_READY, SCREEN, SCREEN_NAME, encodeClock, encodeReady, encodeViewport, encodeVisibility,
} from './wire.js'

const RESYNC_GAP = 500; // ms between requests for a snapshot

const by = (id) => document.getElementById(id)
const clock = new Clock()
const vsync = new Vsync()
const playout = new Playout(new FrameState())
const cameras = new CameraPlayout()
const ready = new Set()
const stage = new Stage(by('stage'), (id) => {
  ready.add(id)
  animate()
})
const still = matchMedia('(prefers-reduced-motion: reduce)')

/** For tests: what is on the screen. */
const state = window.__lectern = {
  applied: stage.applied,
  frame: 0,
  settled: false,
  screen: 'collections',
  firstFrameAt: null,
  roomCode: '',
  stats: playout.stats,
  clock,
  caption: null,
  get isAtRest() { return desk.isSettled; },
}

const viewport = () => ({
  width: innerWidth, height: innerHeight, pixelRatio: devicePixelRatio, reducedMotion: still.matches,
  reportsImages: true,
})

const connection = new Connection(new URLSearchParams(location.search).get('room') ?? '', {
  hello: viewport,
  onMessage: receive,
  onLost() {
    input.cancel()
    playout.reset()
    cameras.recall()
    chrome.lost()
  },
  onEnd(code, reason) { chrome.ended(code, reason, connection.room); },
})

const isBook = () => desk.caption?.screen === SCREEN.book

const input = new Input(by('table'), {
  send: (bytes) => connection.send(bytes),
  targetTime: () =>
    (clock.isExchanged ? clock.serverTime(vsync.next(performance.now())) : 0),
  onActivity: animate,
  isBook,
})

/** What the controls know and may do; they are fetched when they are first needed. */
const watchers = new Set()
const summoned = new Map()
const desk = {
  stage,
  caption: null,
  /** Whether frame and camera are at rest. */
  isSettled: false,
  send(bytes) {
    animate()
    return connection.send(bytes)
  },
  press: (key) => input.key(key),
  notice: (words, ms) => chrome.notice(words, ms),
  /** Calls see now, and whenever caption or rest have changed. */
  watch(see) {
    watchers.add(see)
    see()
  },
  /** The controls that js/NAME.js makes, on first use; null if that cannot be fetched. */
  summon(name) {
    if (!summoned.has(name)) summoned.set(name, fetched(name))
    return summoned.get(name)
  },
}

const chrome = new Chrome(desk)

async function fetched(name) {
  try {
    return await (await import(`./${name}.js`)).controls(desk)
  } catch (error) {
    console.warn(error)
    summoned.delete(name)
    chrome.notice('That could not be fetched. Try again when the connection is back.', 5000)
    return null
  }
}

function changed() { for (const see of watchers) see(); }

let isPanned = false; // since the last rest

function aim(matrix) {
  stage.camera(matrix, isBook())
  isPanned = true
}

function rest() {
  const isSettled = playout.state.settled && !playout.isMoving && !cameras.isMoving &&
    !(isPanned && input.isDriving)
  if (isSettled === desk.isSettled && !(isSettled && isPanned)) return
  if (isSettled) isPanned = false
  desk.isSettled = isSettled
  chrome.settled(isSettled)
  changed()
}

function receive(message) {
  switch (message.type) {
    case 'welcome':
      clock.reset()
      clock.guess(message.serverTime, performance.now())
      playout.reset()
      cameras.recall()
      stage.reset()
      ready.clear()
      chrome.found()
      enterRoom(message.room)
      if (document.visibilityState === 'hidden') connection.send(encodeVisibility(false))
      break
    case 'elements':
      stage.introduce(message.elements)
      isDirty = true
      break
    case 'snapshot':
      stage.frameArrived(message.reset)
      playout.snapshot(message)
      break
    case 'delta':
      stage.frameArrived(false)
      playout.driven(message)
      break
    case 'batch':
      stage.frameArrived(false)
      playout.flown(message.frames)
      break
    case 'camera':
      cameras.recall()
      aim(message.matrix)
      break
    case 'cameras':
      cameras.fly(message.cameras)
      break
    case 'clock':
      clock.add(message.clientTime, performance.now(), message.serverTime)
      return
    case 'caption':
      state.caption = desk.caption = message
      stage.place = message.page
      chrome.caption()
      if (stage.matrix.length > 1) stage.camera(stage.matrix, isBook())
      changed()
      return
    case 'error':
      console.warn(`Lectern: ${message.message} (${message.code})`)
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
  if (clock.due(performance.now(), playout.isMoving || input.isDriving)) {
    connection.send(encodeClock(performance.now()))
  }
  const isMoved = input.tick()
  const { repeated } = playout.stats
  const time = clock.serverTime(now)
  const camera = cameras.advance(time)
  if (camera !== null) aim(camera)
  if (playout.advance(time) || isDirty) {
    isDirty = false
    show()
  }
  rest()
  if (ready.size > 0) tellReady()
  // A finger that holds still repeats no frame.
  if (!isCounting) playout.stats.repeated = repeated
  isCounting = isMoved || playout.waiting > 0
  isAnimating = false
  if (playout.isMoving || cameras.isMoving || input.isDriving || clock.isOwed) animate()
}

function show() {
  const frame = playout.state
  stage.apply(frame)
  if (frame.number < 0) return
  state.frame = frame.number
  state.settled = frame.settled
  state.screen = SCREEN_NAME[frame.screen]
  state.firstFrameAt ??= performance.now()
}

function tellReady() {
  const ids = [...ready]
  ready.clear()
  while (ids.length > 0) connection.send(encodeReady(ids.splice(0, MAX_READY)))
}

function enterRoom(room) {
  state.roomCode = room
  const address = new URL(location.href)
  if (address.searchParams.get('room') === room) return
  address.searchParams.set('room', room)
  history.replaceState(null, '', address)
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
