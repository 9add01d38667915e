/** The page's entry point: creates its parts and connects them. */

import { app, session } from './app.js'
import { by, notice } from './chrome.js'
import { Clock } from './clock.js'
import { Connection, still, viewport } from './connection.js'
import { nextFrame } from './frames.js'
import { load, loadSession } from './loader.js'
import { animate, decoded } from './loop.js'
import { Playout } from './playout.js'
import { readiness } from './readiness.js'
import { Stage } from './stage.js'
import { FrameState, encodeViewport, encodeVisibility } from './wire.js'
import { WORDS } from './words/start.js'

const RESYNC_GAP = 500; // ms between requests for a snapshot

const clock = new Clock()
const playout = new Playout(new FrameState())
const connection = new Connection()
const stage = new Stage(by('stage'), (id) => {
  decoded.add(id)
  animate()
})

Object.assign(app, {
  clock, connection, load, loadSession, notice, playout, resize, stage,
  press: (key) => app.input?.key(key),
  send(bytes) {
    animate()
    return connection.send(bytes)
  },
})

by('table').setAttribute('aria-label', WORDS.table)

let asked = -Infinity
playout.onMissing = () => {
  if (performance.now() - asked < RESYNC_GAP) return
  asked = performance.now()
  connection.send(encodeVisibility(true))
}

let isResizing = false
function resize() {
  if (isResizing) return
  isResizing = true
  nextFrame(() => {
    isResizing = false
    connection.send(encodeViewport(viewport()))
  })
}
addEventListener('resize', resize)
still.addEventListener('change', resize)
document.addEventListener('visibilitychange', () => connection.send(encodeVisibility(!document.hidden)))

// The first picture is in the chosen language and light.
async function after(name, isNeeded, then) {
  if (isNeeded) {
    await readiness.until(import(`./${name}.js`).then(({ apply }) => apply(session, WORDS))).catch(console.warn)
  }
  then()
}
const { settings } = session
after('language', settings.language === 'de' || /de/.test(navigator.languages), () => connection.open())
after('settings/apply', Object.keys(settings).length > 0, () => { by('table').hidden = false; })
