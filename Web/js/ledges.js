/** The spines on the ledges of the list: a tap on one goes to its book on the shelf. */

import { ask, listOf, once, textOf } from './api.js'
import { app, session } from './app.js'
import { make } from './dom.js'
import { encodeGo } from './session/wire.js'
import { KIND, SCREEN } from './wire.js'

const SHELF = /^\/ledges\/([\w-]+)\.svg(?=\?|$)/
const MOST = 256; // spines on a ledge

/**
 * The position of a spine as a style; null if the response contains no valid position.
 * @param {{box: number[], lean: number}} spine box in fractions of the ledge, before it leans; lean in degrees
 */
export function placed({ box, lean }) {
  if (!Array.isArray(box) || box.length !== 4 || ![...box, lean].every(Number.isFinite)) return null
  const [left, top, right, bottom] = box.map((value) => 100 * Math.min(1, Math.max(0, value)))
  const turn = lean === 0 ? '' : `;transform:rotate(${lean}deg)`
  return `left:${left}%;top:${top}%;width:${right - left}%;height:${bottom - top}%${turn}`
}

/** Address -> the promise of the spines on that ledge. */
const known = new Map()

/** The spines on a ledge, in their order: {book, title, box, lean}; empty if they cannot be loaded. */
export async function spinesOn({ content: { imageURL } }) {
  if (!SHELF.test(imageURL)) return []
  const address = imageURL.replace(SHELF, (path) => path.replace(/svg$/, 'json'))
  const spines = listOf(await once(known, address, () => ask(address)).catch(() => [])).slice(0, MOST)
  if (spines.length === 0) known.delete(address)
  return spines
}

/** The id of the shelf whose drawing has an address. */
const shelfOf = (address) => SHELF.exec(address)?.[1] ?? ''

/**
 * The style rule for the spines of a shelf that are not among those found; empty without spines. The drawing has a
 * group for the shadow of each spine and then one for each spine.
 */
export function omitted(shelf, spines, found) {
  if (spines.length === 0) return ''
  const kept = spines.flatMap(({ book }, n) => (found.has(book) ? [n + 1, spines.length + n + 1] : []))
    .map((place) => `:nth-of-type(${place})`)
  const others = kept.length === 0 ? '' : `:not(${kept.join()})`
  return `[data-shelf="${shelf}"] svg>g${others}{opacity:.1}`
}

export class Ledges {
  /** The filter, and the promise of the ids of the books that it leaves; null for all. */
  #filter = ''
  #found = null
  #sheet = new CSSStyleSheet()
  /** Element -> the layer over it. */
  #laid = new Map()

  constructor() {
    document.adoptedStyleSheets.push(this.#sheet)
  }

  get #seen() {
    return app.stage.all.filter(({ written, content: { kind } }) =>
      written.visible && kind === KIND.collection)
  }

  /** The title of a shelf that is visible; otherwise empty. */
  titleOf(index) { return this.#seen.find(({ content }) => content.index === index)?.content.title ?? ''; }

  #box(index) { return this.#seen.find(({ content }) => content.index === index)?.root.getBoundingClientRect(); }

  /** Whether there are shelves above the window. */
  get isMoreAbove() { return !(this.#box(0)?.top >= 0); }

  /** Whether there are shelves below the window; count is the number of all shelves. */
  isMoreBelow(count) { return count > 0 && !(this.#box(count - 1)?.bottom <= innerHeight); }

  /** Called at rest: lays clickable spines over the visible ledges, and has those step back that a filter omits. */
  see() {
    const { caption: { screen, filter }, isSettled } = session
    if (!isSettled) return
    const seen = screen === SCREEN.collections ? this.#seen : []
    for (const [element, over] of this.#laid) {
      if (seen.includes(element) && filter === this.#filter) continue
      over.remove()
      this.#laid.delete(element)
    }
    if (filter !== this.#filter) {
      this.#filter = filter
      this.#found = filter === '' ? null : import('./find.js').then(({ idsOf }) => idsOf(filter)).catch(() => null)
      if (filter === '') this.#sift([])
    }
    for (const element of seen) {
      if (!this.#laid.get(element)?.isConnected) this.#lay(element)
    }
  }

  async #lay(element) {
    // Assistive technology reads the books on their shelf instead.
    const over = make('div', { class: 'spines', 'aria-hidden': 'true' })
    this.#laid.set(element, over)
    // On a phone a ledge scrolls sideways. Its books are reached from the keyboard on their shelf.
    element.face.tabIndex = -1
    element.face.append(over)
    const [spines, found] = await Promise.all([spinesOn(element), this.#found])
    if (this.#laid.get(element) !== over) return
    over.spines = spines
    for (const { book, title, ...spine } of spines) {
      const style = placed(spine)
      if (style === null || typeof book !== 'string' || found?.has(book) === false) continue
      over.append(make('i', {
        class: 'hot spine', style, title: textOf(title), onclick: () => app.send(encodeGo({ book })),
      }))
    }
    if (found) this.#sift([...this.#laid].map(([{ root, content }, { spines: all = [] }]) => {
      root.dataset.shelf = shelfOf(content.imageURL)
      return omitted(root.dataset.shelf, all, found)
    }))
  }

  /** Has spines step back, wherever their ledges move meanwhile. */
  #sift(rules) { this.#sheet.replaceSync(rules.join('')); }
}
