/** Reading together: the members in the bar, the strip, and the pointers of others. */

import { topBar } from '../bar.js'
import { style } from '../dom.js'
import { People } from './people.js'
import { Strip } from './strip.js'

class Together {
  #context
  #hands = null
  #playback = null

  constructor(context) {
    this.#context = context
    new People(context, document.getElementById('heading'))
    new Strip(context)
    context.session.onPointer = (pointer) => this.#point(pointer)
    for (const pointer of context.session.pointers.values()) context.session.onPointer(pointer)
    context.actions.watch(() => this.#see())
  }

  async #point(pointer) {
    if (pointer.member === this.#context.session.me) return
    this.#hands ??= this.#context.actions.load('together/hands')
    ;(await this.#hands)?.come(pointer)
  }

  #see() {
    const { playback } = this.#context.session
    if (playback && this.#playback === null) this.#playback = this.#context.actions.load('together/playback')
  }
}

/** Creates the controls of this module when its style is loaded and there is a bar. */
export async function controls(context) {
  await style('together')
  const { view, actions } = context
  if (view.caption === null) {
    await new Promise((go) => { actions.watch(() => { if (view.caption !== null) go(); }); })
  }
  await topBar(context)
  return new Together(context)
}
