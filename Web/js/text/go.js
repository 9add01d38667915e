/** The sheet on which a reader enters the number of a page. */

import { app, session } from '../app.js'
import { pagesOf } from '../contents.js'
import { form, make, present, wordButton } from '../dom.js'
import { encodeJump } from '../session/wire.js'
import { Sheet } from '../sheet.js'
import { WORDS } from '../words/text.js'

const LONGEST = 40; // characters that can be typed
const BLANK = '\u00a0'; // keeps the line of the subtitle, which is known later

/** A label as it is compared: without regard to case, to the width of its characters and to the kind of its dashes. */
const plain = (label) =>
  label.normalize('NFKC').trim().toLowerCase().replace(/[‐-―−]/g, '-').replace(/^0+(?=\d)/, '')

/** The page that has a typed label, or the first one of a range such as "4–5"; -1 if there is none. */
export function pageFor(typed, labels) {
  const all = labels.map(plain)
  const wanted = plain(typed)
  const exact = wanted === '' ? -1 : all.indexOf(wanted)
  const [first] = wanted.split(/\s*-\s*/)
  return exact >= 0 || first === '' ? exact : all.indexOf(first)
}

/** Whether the printed numbers of the pages count them from 1. */
export const isCounted = (labels) => labels.every((label, page) => label === String(page + 1))

export function show() {
  const pages = pagesOf(session.caption.book)
  const sheet = new Sheet(WORDS.go.title, { subtitle: BLANK, fills: true })
  const { said } = sheet
  const field = make('input', {
    type: 'text', maxlength: LONGEST, autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false',
    enterkeyhint: 'go', oninput: () => {
      said.say('')
      field.removeAttribute('aria-invalid')
    },
  })
  sheet.body.append(
    form('row', () => go(sheet, field, pages),
      make('label', { class: 'field', text: WORDS.go.field }, field), wordButton(WORDS.go.go, 'key')),
    make('div', { class: 'row acts' }, wordButton(WORDS.all, 'line', () => present('text/grid'))), said.root)
  sheet.open(field)
  pages.then(({ labels }) => {
    if (isCounted(labels)) field.inputMode = 'numeric'
    if (labels.length > 0) sheet.subtitle.textContent = WORDS.go.range(labels[0], labels.at(-1))
  }).catch((error) => said.say(error.message, true))
}

async function go(sheet, field, pages) {
  const typed = field.value.trim()
  if (typed === '') return
  const { labels } = await pages.catch(() => ({ labels: [] }))
  const page = pageFor(typed, labels)
  if (page >= 0) {
    sheet.close()
    app.send(encodeJump(page))
    return
  }
  sheet.said.say(WORDS.go.none(typed), true)
  field.setAttribute('aria-invalid', 'true')
  field.select()
}
