/** The frame loop. Animation frames run only while something moves or is held: a stage at rest costs nothing. */

import { app, session, update } from './app.js'
import { settled } from './chrome.js'
import { nextFrame } from './frames.js'
import { readiness } from './readiness.js'
import { MAX_READY, encodeReady } from './wire.js'

/** The elements whose images are decoded. */
export const decoded = new Set()
let isAnimating = false
let isDirty = false // whether the stage has changed in this way
let isPanned = false // since the stage was last at rest

/** Requests an animation frame; isChanged if the stage has changed without a new frame of the server. */
export function animate(isChanged = false) {
  isDirty ||= isChanged
  if (isAnimating) return
  isAnimating = true
  nextFrame(tick)
}

export function aim(matrix) {
  app.stage.camera(matrix)
  isPanned = true
}

function tick(now) {
  const { clock, playout, stage, input, flights } = app
  clock.advance(now)
  input?.tick(now)
  const time = clock.serverTime(now)
  const camera = flights?.advance(time)
  if (camera) aim(camera)
  const isNew = playout.advance(time)
  const isChanged = isNew || isDirty
  isDirty = false
  if (isChanged) {
    stage.apply(playout.state)
    if (playout.state.number >= 0) app.loadSession()
  }
  app.controller?.drawn(now, time, isNew)
  app.motion?.tick(now)
  rest(isChanged)
  tellReadiness()
  tellDecoded()
  isAnimating = false
  // A hidden page receives no more frames than those that wait.
  if (playout.waiting > 0 || flights?.isMoving) animate()
  else if (!document.hidden && (playout.isMoving || input?.isDriving)) animate()
}

/** With reduced motion, one rest follows another by a new frame; new elements, too, change what rests. */
function rest(isChanged) {
  const { playout, flights, input } = app
  const isSettled = playout.state.settled && !playout.isMoving && !flights?.isMoving && !(isPanned && input?.isDriving)
  if (isSettled === session.isSettled && !(isSettled && (isPanned || isChanged))) return
  if (isSettled) isPanned = false
  settled(isSettled)
  update({ isSettled })
}

/** The stage is complete when the frame and its caption are of one screen, and all that is visible is drawn. */
export function tellReadiness() {
  const { playout, stage, connection } = app
  const isResting = session.isSettled && playout.isAtRest
  readiness.stage(connection.isWelcome, isResting,
    isResting && session.caption?.screen === playout.state.screen && stage.isDrawn(playout.state))
}

function tellDecoded() {
  const ids = [...decoded]
  decoded.clear()
  while (ids.length > 0) app.connection.send(encodeReady(ids.splice(0, MAX_READY)))
}
