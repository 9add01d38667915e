/** How many books of the library's folder have been imported, in the bar while others wait. */

import { ask } from './api.js'
import { make } from './dom.js'
import { WORDS } from './words/library.js'

const PAUSE = 2000; // ms between two questions

/** The numbers of a response as {done, total}; null while no book waits. */
export function importsOf(answer) {
  const { done, total } = answer ?? {}
  const isWhole = Number.isSafeInteger(done) && Number.isSafeInteger(total) && done >= 0
  return isWhole && total > done ? { done, total } : null
}

export class Imports {
  node = make('span', { id: 'imports', role: 'status', hidden: true })
  #changed
  #isAsking = false
  /** Whether there was something to ask while the page was hidden. */
  #isDue = false
  #timer = 0

  /** @param {() => void} changed called when the numbers change */
  constructor(changed) {
    this.#changed = changed
    document.addEventListener('visibilitychange', () => { if (this.#isDue) this.look() })
  }

  /** Asks how far the imports are, and again while books wait. */
  async look() {
    this.#isDue = document.hidden
    if (this.#isAsking || this.#isDue) return
    this.#isAsking = true
    clearTimeout(this.#timer)
    const now = importsOf(await ask('/api/imports').catch(() => null))
    this.#isAsking = false
    if (now !== null) this.#timer = setTimeout(() => this.look(), PAUSE)
    const text = now === null ? '' : WORDS.importing(now.done, now.total)
    if (this.node.textContent === text) return
    this.node.textContent = text
    this.node.hidden = text === ''
    this.#changed()
  }
}
