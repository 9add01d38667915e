/** Loads the modules that the first picture does not need. */

import { app } from './app.js'
import { notice } from './chrome.js'
import { animate } from './loop.js'
import { attend } from './messages.js'
import { readiness } from './readiness.js'
import { WORDS } from './words/start.js'

const AGAIN = 1000; // ms before a failed module is loaded again

const loaded = new Map()
let isBegun = false
const started = readiness.begin()

/** Returns js/NAME.js, or an object of its default class, created on first use; null if it cannot be loaded. */
export function load(name) {
  if (!loaded.has(name)) loaded.set(name, fetched(name))
  return loaded.get(name)
}

async function fetched(name) {
  try {
    const module = await readiness.until(import(`./${name}.js`))
    return module.default ? new module.default() : module
  } catch (error) {
    console.warn(error)
    loaded.delete(name)
    notice(WORDS.notFetched, 5000)
    return null
  }
}

/** Loads the parts that the first picture does without, once. */
export async function loadSession(attempt = 0) {
  if (isBegun && attempt === 0) return
  isBegun = true
  try {
    // A browser does not load a failed module again from the same address.
    const again = attempt > 0 ? `?${attempt}` : ''
    const parts = ['input', 'session/flights', 'session/controller', 'motion/motion']
      .map((name) => import(`./${name}.js${again}`))
    const [{ Input }, { Flights }, { SessionController }, { Motion }] = await Promise.all(parts)
    app.input = new Input()
    app.flights = new Flights()
    attend(new SessionController())
    app.motion = new Motion()
    animate(true)
    started()
  } catch (error) {
    console.warn(error)
    setTimeout(loadSession, AGAIN, attempt + 1)
  }
}
