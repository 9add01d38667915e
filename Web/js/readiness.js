/**
 * Whether the page is ready. The root element says so: it has `aria-busy` while the page loads, and `data-state`:
 *
 * - `loading`: the page waits for modules, style sheets, images or answers of the server.
 * - `lost`: it has no connection.
 * - `moving`: the stage moves.
 * - `ready`: none of these.
 */

import { nextFrame } from './frames.js'

const LONGEST = 15_000; // ms, after which the page counts as ready without an answer

export class Readiness {
  #root
  #later
  #waits = new Set()
  #stage = 'lost'
  #isScheduled = false

  /** @param later calls a function once what has been loaded is laid out; the page is not ready before that */
  constructor(root, later) {
    this.#root = root
    this.#later = later
  }

  /** Begins to wait for something, for 15 seconds at most; returns a function that ends the wait. */
  begin() {
    const end = () => {
      clearTimeout(limit)
      this.#waits.delete(end)
      this.#tell()
    }
    const limit = setTimeout(end, LONGEST)
    this.#waits.add(end)
    this.#tell()
    return end
  }

  /** Waits for a promise, and returns it. */
  until(promise) {
    const end = this.begin()
    promise.then(end, end)
    return promise
  }

  /** Tells whether the stage is connected, is at rest, and has drawn what it shows at rest. */
  stage(isConnected, isResting, isDrawn = true) {
    const atRest = isDrawn ? 'ready' : 'loading'
    this.#stage = !isConnected ? 'lost' : isResting ? atRest : 'moving'
    this.#tell()
  }

  get #state() {
    return this.#waits.size > 0 ? 'loading' : this.#stage
  }

  /** One wait often follows another, so the end of the last one shows later than the begin of the first. */
  #tell() {
    const shown = this.#root?.dataset.state
    if (this.#root === undefined || this.#state === shown) return
    if (this.#state !== 'ready' && shown !== 'loading') return this.#write()
    if (this.#isScheduled) return
    this.#isScheduled = true
    this.#later(() => {
      this.#isScheduled = false
      this.#write()
    })
  }

  #write() {
    this.#root.dataset.state = this.#state
    this.#root.setAttribute('aria-busy', this.#state === 'loading')
  }
}

/** That of this page. Modules that run without a page have none to tell. */
export const readiness = new Readiness(globalThis.document?.documentElement, (run) => {
  nextFrame(() => setTimeout(run))
})
