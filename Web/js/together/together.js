/** Reading together: the people in the bar, strips of paper, the hands of others on the pages. */

import { topBar } from '../bar.js'
import { style } from '../dom.js'
import { People } from './people.js'
import { Strip } from './strip.js'

class Together {
  #desk
  #hands = null
  #playback = null

  constructor(desk) {
    this.#desk = desk
    new People(desk, document.getElementById('share'))
    new Strip(desk)
    desk.onPointer = (pointer) => this.#point(pointer)
    for (const pointer of desk.pointers.values()) desk.onPointer(pointer)
    desk.watch(() => this.#see())
  }

  async #point(pointer) {
    if (pointer.member === this.#desk.me) return
    this.#hands ??= this.#desk.summon('together/hands')
    ;(await this.#hands)?.come(pointer)
  }

  #see() {
    const { playback } = this.#desk
    if (playback && this.#playback === null) this.#playback = this.#desk.summon('together/playback')
  }
}

/** The controls of this module, for the desk, when its style holds and there is a bar. */
export async function controls(desk) {
  await style('together')
  if (desk.caption === null) await new Promise((go) => { desk.watch(() => { if (desk.caption !== null) go(); }); })
  await topBar(desk)
  return new Together(desk)
}
