/** The form for a code, and the screen that explains why the page is in no room. */

import { says } from '../chrome.js'
import { make, style, wordButton } from '../dom.js'
import { Sheet, saying } from '../sheet.js'
import { WORDS } from '../words/together.js'
import { LETTERS, codeIn } from './code.js'

/** A field for a code with a separate place for each letter. */
export function codeField(onFull) {
  const slots = Array.from({ length: LETTERS }, () => make('b'))
  const input = make('input', {
    'aria-label': WORDS.joining.letters, autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false',
    inputmode: 'text', enterkeyhint: 'go', required: true,
    oninput: () => {
      input.value = codeIn(input.value)
      see()
      if (input.value.length === LETTERS) onFull(input.value)
    },
  })
  const see = () => {
    for (const [n, slot] of slots.entries()) {
      slot.textContent = input.value[n] ?? ''
      slot.className = n === Math.min(input.value.length, LETTERS - 1) ? 'here' : ''
    }
    input.setSelectionRange(input.value.length, input.value.length)
  }
  input.addEventListener('focus', see)
  const root = make('div', { class: 'code typed' }, ...slots, input)
  see()
  return { root, input }
}

class Joining {
  #context
  #state = null

  constructor(context) { this.#context = context; }

  /** Opens a sheet for entering a code. */
  show(typed = '') {
    const sheet = new Sheet(WORDS.joining.title, { subtitle: WORDS.joining.words, fills: true })
    const said = saying()
    const { root, input } = codeField(() => go.focus())
    const go = wordButton(WORDS.joining.go, 'key')
    const form = make('form', {
      onsubmit: (event) => {
        event.preventDefault()
        const code = codeIn(input.value)
        if (code.length === LETTERS) this.#join(code, sheet)
        else said.say(WORDS.joining.incomplete)
      },
    }, root, make('div', { class: 'row acts' }, go), said.root)
    sheet.root.classList.add('joining')
    sheet.body.append(form)
    input.value = typed
    sheet.open(input)
  }

  #join(code, sheet) {
    sheet.close()
    this.#context.actions.enter(code)
  }

  /** Explains what has happened, with the remedies. */
  async say({ letters = '', title, words, acts = [], takesCode = false }) {
    await Promise.all([style('controls'), style('together')])
    this.clear()
    const code = make('p', { class: 'code lost', 'aria-hidden': 'true' },
      ...[...letters].map((letter) => make('b', { text: letter })))
    code.hidden = letters === ''
    const all = make('div', { class: 'acts' }, ...acts)
    if (takesCode) all.append(wordButton(WORDS.joining.title, acts.length > 0 ? 'plain' : 'key', () => this.show()))
    this.#state = make('section', { id: 'state', role: 'alert' }, code, make('h2', { text: title }),
      make('p', { text: words }), all)
    document.getElementById('notice').before(this.#state)
    says('state', true)
  }

  /** Removes the explanation. */
  clear() {
    this.#state?.remove()
    this.#state = null
    says('state', false)
  }

  /** Shows that no room has this code, with the server's reason. */
  wrong(letters, why) {
    return this.say({
      letters, title: WORDS.joining.noRoom(letters),
      words: why || WORDS.joining.check,
      acts: [
        wordButton(WORDS.joining.again, 'key', () => this.show()),
        wordButton(WORDS.joining.back, 'plain', () => location.reload()),
      ],
    })
  }
}

/** Creates the controls of this module. */
export async function controls(context) {
  await style('together')
  return new Joining(context)
}
