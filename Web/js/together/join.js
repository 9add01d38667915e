/** The form for a code, and the screen that explains why the page is in no room. */

import { app } from '../app.js'
import { by, says } from '../chrome.js'
import { form, make, style, wordButton } from '../dom.js'
import { Sheet } from '../sheet.js'
import { WORDS } from '../words/together.js'
import { LETTERS, codeIn } from './links.js'

/** A field for a code with a separate place for each letter. */
function codeField(onFull) {
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

/** The explanation that is shown; null for none. */
let state = null

/** Opens a sheet for entering a code. */
export async function show() {
  await style('together')
  const sheet = new Sheet(WORDS.joining.title, { subtitle: WORDS.joining.words, fills: true })
  const { root, input } = codeField(() => go.focus())
  const go = wordButton(WORDS.joining.go, 'key')
  sheet.root.classList.add('joining')
  sheet.body.append(form(null, () => {
    const code = codeIn(input.value)
    if (code.length < LETTERS) return sheet.said.say(WORDS.joining.incomplete)
    sheet.close()
    app.connection.enter('', code)
  }, root, make('div', { class: 'row acts' }, go), sheet.said.root))
  sheet.open(input)
}

/** Explains what has happened, with the remedies. */
export async function say({ letters = '', title, words, acts = [], takesCode = false, isCodeFirst = false }) {
  await Promise.all([style('controls'), style('together')])
  clear()
  const code = make('p', { class: 'code lost', 'aria-hidden': 'true', hidden: letters === '' },
    ...[...letters].map((letter) => make('b', { text: letter })))
  const all = make('div', { class: 'acts' }, ...acts)
  if (isCodeFirst) for (const act of acts) if (act.matches('a')) act.className = 'plain'
  const isKey = isCodeFirst || acts.length === 0
  if (takesCode) all[isCodeFirst ? 'prepend' : 'append'](wordButton(WORDS.joining.title, isKey ? 'key' : 'plain', show))
  state = make('section', { id: 'state', role: 'alert' }, code, make('h2', { text: title }), make('p', { text: words }),
    all)
  by('notice').before(state)
  says('state', true)
}

/** Removes the explanation. */
export function clear() {
  state?.remove()
  state = null
  says('state', false)
}

/** Shows that no room has this code, with the server's reason. */
export const wrong = (letters, why) => say({
  letters, title: WORDS.joining.noRoom(letters), words: why || WORDS.joining.check,
  acts: [
    wordButton(WORDS.joining.again, 'key', show),
    wordButton(WORDS.joining.back, 'plain', () => location.reload()),
  ],
})
