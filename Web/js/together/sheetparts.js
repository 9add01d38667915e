/** Parts that several sheets share. */

import { ask, listOf } from '../api.js'
import { walk } from '../contents.js'
import { make, style, wordButton } from '../dom.js'
import { WORDS } from '../words/together.js'

/** A line with a switch; the whole line is the button. */
export function switchLine(words, onclick) {
  const line = make('button', { type: 'button', class: 'switch', role: 'switch', 'aria-checked': 'false', onclick },
    make('span', { text: words }), make('i'))
  return {
    root: line,
    set isOn(isOn) { line.setAttribute('aria-checked', String(isOn)); },
    get isOn() { return line.getAttribute('aria-checked') === 'true'; },
  }
}

/** A button that asks for a confirmation, for actions that cannot be undone. */
export function twice(words, question, again, onclick) {
  const root = make('span', { class: 'twice' })
  const rest = () => root.replaceChildren(first)
  const first = wordButton(words, 'plain', () => {
    const stay = wordButton(WORDS.notNow, 'plain', () => {
      rest()
      first.focus()
    })
    const sure = wordButton(again, 'line', () => {
      rest()
      onclick()
    })
    root.replaceChildren(make('span', { text: question, role: 'status' }), sure, stay)
    stay.focus()
  })
  rest()
  return root
}

const COPIED = 2000; // ms for which the button confirms the copy

/** Copies a text and confirms it on the button. Without a secure context it uses the old command. */
export async function copy(text, button) {
  const words = button.dataset.words ??= button.textContent
  let isCopied = false
  try {
    await navigator.clipboard.writeText(text)
    isCopied = true
  } catch {
    const field = make('textarea', { class: 'unseen', 'aria-hidden': 'true', tabindex: '-1' })
    field.value = text
    button.after(field)
    field.select()
    isCopied = document.execCommand('copy')
    field.remove()
    button.focus()
  }
  // The button keeps its width, so that the field beside it does.
  button.style.width = getComputedStyle(button).width
  button.textContent = isCopied ? WORDS.share.copied : WORDS.share.copyByHand
  setTimeout(() => {
    button.textContent = words
    button.style.width = ''
  }, COPIED)
}

/** Opens a sheet with a list of what is at an address; resolves with all of it, empty if it cannot be loaded. */
export async function openList(sheet, address, nothing, line) {
  const list = make('ul', { class: 'entries recordings', onkeydown: walk })
  sheet.body.append(list, sheet.said.root)
  let all = []
  await sheet.openWith(Promise.all([ask(address), style('together')]), ([answer]) => {
    all = listOf(answer)
    list.append(...all.map(line))
    if (all.length === 0) sheet.said.say(nothing)
    list.querySelector('button')?.focus()
  })
  return all
}

/** Writes words over a line of a list, which stays, so that no other one comes under the finger. */
export function gone(line, text) {
  line.style.minHeight = `${line.offsetHeight}px`
  line.replaceChildren(make('p', { class: 'gone', text, role: 'status' }))
}
