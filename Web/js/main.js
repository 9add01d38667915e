/** Joins the parts. */

import { Chrome } from './chrome.js'
import { Clock, Vsync } from './clock.js'
import { Connection } from './connection.js'
import { Input } from './input.js'
import { Playout } from './playout.js'
import { Stage } from './stage.js'
import { FrameState, SCREEN_NAME, encodeClock, encodeViewport, encodeVisibility } from './wire.js'

const RESYNC_GAP = 500; // ms between requests for a snapshot

const clock = new Clock()
const vsync = new Vsync()
const playout = new Playout(new FrameState())
const stage = new Stage(document.getElementById('stage'))
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
}

const viewport = () => ({
  width: innerWidth, height: innerHeight, pixelRatio: devicePixelRatio, reducedMotion: still.matches,
})

const connection = new Connection(new URLSearchParams(location.search).get('room') ?? '', {
  hello: viewport,
  onMessage: receive,
  onLost() {
    input.cancel()
    playout.reset()
    chrome.lost()
  },
  onEnd(code, reason) { chrome.ended(code, reason, connection.room); },
})

const input = new Input(document.getElementById('table'), {
  send: (bytes) => connection.send(bytes),
  targetTime: () =>
    (clock.isExchanged ? clock.serverTime(vsync.next(performance.now())) : 0),
  onActivity: animate,
})

const chrome = new Chrome((key) => input.key(key))

function receive(message) {
  switch (message.type) {
    case 'welcome':
      clock.reset()
      clock.guess(message.serverTime, performance.now())
      playout.reset()
      stage.reset()
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
      stage.camera(message.matrix)
      return
    case 'clock':
      clock.add(message.clientTime, performance.now(), message.serverTime)
      return
    case 'caption':
      chrome.caption(message)
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
  if (playout.advance(clock.serverTime(now)) || isDirty) {
    isDirty = false
    show()
  }
  // A finger that holds still repeats no frame.
  if (!isCounting) playout.stats.repeated = repeated
  isCounting = isMoved || playout.waiting > 0
  isAnimating = false
  if (playout.isMoving || input.isDriving || clock.isOwed) animate()
}

function show() {
  const frame = playout.state
  stage.apply(frame)
  if (frame.number < 0) return
  state.frame = frame.number
  state.settled = frame.settled
  state.screen = SCREEN_NAME[frame.screen]
  state.firstFrameAt ??= performance.now()
  chrome.settled(frame.settled)
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
