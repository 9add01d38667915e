/** Keeps the screen on while a book is open that somebody reads. */

export const LONG = 10 * 60_000; // ms after the last touch for which a book counts as being read
export const AGAIN = 60_000; // ms after which the browser is asked again that has refused, for example to save power

export class Awake {
  #isOpen = false
  #touched = -Infinity
  #refused = -Infinity
  /** The browser's lock, which the browser releases when it hides the page. */
  #lock = null
  #isAsking = false
  #timer = null
  #locks
  #isSeen
  #now

  /** @param world the browser's locks, null at an insecure address; isSeen() and now() */
  constructor({
    locks = navigator.wakeLock ?? null, isSeen = () => document.visibilityState !== 'hidden',
    now = () => performance.now(),
  } = {}) {
    this.#locks = locks
    this.#isSeen = isSeen
    this.#now = now
  }

  /** Called when a book is opened or closed, when a page has been turned, and when the page is seen or hidden. */
  see(isOpen = this.#isOpen) {
    this.#isOpen = isOpen
    return this.#settle()
  }

  /** Called when the reader has touched anything, or anybody has turned a page. */
  touch() {
    this.#touched = this.#now()
    // The events of a pointer are many.
    return this.#isOpen && !this.#isOn ? this.#settle() : undefined
  }

  get #isOn() { return this.#lock?.released === false; }

  /** Whether the screen has to stay on. */
  get #isWanted() { return this.#isOpen && this.#isSeen() && this.#now() - this.#touched < LONG; }

  async #settle() {
    if (this.#locks === null || this.#isAsking) return
    clearTimeout(this.#timer)
    const isWanted = this.#isWanted
    if (isWanted) this.#timer = setTimeout(() => this.#settle(), this.#touched + LONG - this.#now())
    if (isWanted === this.#isOn || (isWanted && this.#now() - this.#refused < AGAIN)) return
    this.#isAsking = true
    try {
      if (isWanted) this.#lock = await this.#locks.request('screen')
      else await this.#lock.release()
    } catch {
      this.#refused = this.#now()
    }
    this.#isAsking = false
    // The book may have been closed meanwhile.
    if (this.#isWanted !== isWanted) await this.#settle()
  }
}
