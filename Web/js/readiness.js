/**
 * Whether the page is ready: it waits for nothing, and what it shows rests. The root element says so: `data-state` has
 * one of four values, and `aria-busy` is true while the page loads.
 *
 * - `loading`: the page waits for modules, style sheets, images or answers of the server.
 * - `lost`: it has no connection.
 * - `moving`: the stage moves.
 * - `ready`: none of these.
 */

const LONGEST = 15_000; // ms, after which the page counts as ready without an answer

export class Readiness {
  #root
  #later
  #count = 0
  #isConnected = false
  #isResting = false
  #isDrawn = false
  #isScheduled = false

  /**
   * @param root the element that has the attributes
   * @param later calls a function once what has been loaded is laid out; the page is not ready before that
   */
  constructor(root, later) {
    this.#root = root
    this.#later = later
  }

  /** Begins to wait for something, for 15 seconds at most; returns a function that ends the wait. */
  begin() {
    this.#count += 1
    this.#tell()
    let isOver = false
    const end = () => {
      if (isOver) return
      isOver = true
      clearTimeout(limit)
      this.#count -= 1
      this.#tell()
    }
    const limit = setTimeout(end, LONGEST)
    return end
  }

  /** Waits for a promise, and returns it. */
  until(promise) {
    const end = this.begin()
    promise.then(end, end)
    return promise
  }

  /**
   * Tells what the stage does.
   * @param isConnected whether there is a connection
   * @param isResting whether it is at rest
   * @param isDrawn whether it has all that it shows at rest
   */
  stage(isConnected, isResting, isDrawn = true) {
    this.#isConnected = isConnected
    this.#isResting = isResting
    this.#isDrawn = isDrawn
    this.#tell()
  }

  get #state() {
    if (this.#count > 0) return 'loading'
    if (!this.#isConnected) return 'lost'
    if (!this.#isResting) return 'moving'
    return this.#isDrawn ? 'ready' : 'loading'
  }

  /** One wait often follows another, so the end of the last one shows later than the begin of the first. */
  #tell() {
    if (this.#root === undefined) return
    if (this.#count > 0) return this.#write()
    if (this.#state !== 'ready' && this.#root.dataset.state !== 'loading') return this.#write()
    if (this.#isScheduled || this.#state === this.#root.dataset.state) return
    this.#isScheduled = true
    this.#later(() => {
      this.#isScheduled = false
      this.#write()
    })
  }

  #write() {
    const { dataset } = this.#root
    const state = this.#state
    if (dataset.state === state) return
    dataset.state = state
    if (state === 'loading') this.#root.setAttribute('aria-busy', 'true')
    else this.#root.removeAttribute('aria-busy')
  }
}

/** That of this page. Modules that run without a page have none to tell. */
export const readiness = new Readiness(globalThis.document?.documentElement, (run) => {
  requestAnimationFrame(() => setTimeout(run))
})
