/** The server's messages, which change the stage or the facts of the session. */

import { app, session, update } from './app.js'
import { describe } from './captions.js'
import { showCaption } from './chrome.js'
import { aim, animate, decoded, tellReadiness } from './loop.js'
import { at, here } from './root.js'
import { ROLE, encodeVisibility } from './wire.js'

let welcome = {} // the last one; its room and numbering define the meaning of element ids
const early = [] // messages that arrived before the controller

/** The messages after which the stage is drawn. */
const STAGE = {
  welcome(message) {
    const { clock, playout, stage, flights, connection } = app
    clock.estimate(message.serverTime, performance.now())
    playout.reset()
    flights?.recall()
    stage.connect(message.room === welcome.room && message.numbering === welcome.numbering)
    welcome = message
    decoded.clear()
    enterRoom(message.room)
    if (document.hidden) connection.send(encodeVisibility(false))
  },
  elements({ elements }) {
    app.stage.introduce(elements)
    animate(true)
  },
  retired({ ids }) {
    app.stage.retire(ids)
    app.playout.state.retire(ids)
  },
  snapshot(message) {
    app.stage.frameArrived()
    app.playout.snapshot(message)
  },
  delta(message) { app.playout.driven(message) },
  batch({ frames }) { app.playout.flown(frames) },
  camera({ matrix }) {
    app.flights?.recall()
    aim(matrix)
  },
  cameras({ cameras }) {
    if (app.flights) app.flights.fly(cameras)
    else aim(cameras.at(-1).matrix)
  },
}

/** The facts that messages change. */
const FACTS = {
  welcome: ({ memberId: me }) => ({ me, place: null, playback: null, framing: null }),
  caption(caption) {
    const { stage } = app
    session.caption = caption
    showCaption()
    if (stage.matrix.length > 1) stage.camera(stage.matrix)
    return { caption }
  },
  role(role) {
    const isWanderer = role.role === ROLE.wanderer
    app.playout.isPrompt = isWanderer || role.role === ROLE.presenter
    return isWanderer ? { role } : { role, place: null }
  },
  room(room) {
    app.playout.delay = room.delay
    return room.isShared ? { room } : { room, links: null }
  },
}

export function receive(message) {
  const { type } = message
  describe(message)
  const facts = FACTS[type]?.(message)
  Object.assign(session, facts)
  if (type in STAGE) {
    STAGE[type](message)
    animate()
  }
  tell(message)
  if (facts === undefined) return
  update(facts)
  tellReadiness()
}

/** Called when the connection has ended. */
export function closed(code, reason) {
  app.input?.cancel()
  app.playout.reset()
  app.flights?.recall()
  tell({ type: 'closed', code, reason })
  app.loadSession()
  tellReadiness()
}

const tell = (message) => (app.controller ? app.controller.handle(message) : early.push(message))

/** Gives the controller the early messages, and all later ones. */
export function attend(controller) {
  app.controller = controller
  early.splice(0).forEach(tell)
}

function enterRoom(room) {
  const [, kind, named] = here().split('/')
  if (kind === 'r' && named === room) return
  // Back leads from a room entered by a code to the one before.
  history[kind === 'r' ? 'pushState' : 'replaceState'](null, '', at(`/r/${room}`))
}
