/** The sheet on which a reader chooses the pages to print. */

import { session } from '../app.js'
import { pagesOf } from '../contents.js'
import { form, make, radio, wordButton } from '../dom.js'
import { Sheet } from '../sheet.js'
import { isCounted, pageFor } from '../text/go.js'
import { pictureAddress } from '../text/grid.js'
import { pageOf } from '../text/pages.js'
import { WORDS as COMMON } from '../words/common.js'
import { WORDS } from '../words/printing.js'
import { WORDS as TEXT } from '../words/text.js'
import { loaded } from './loading.js'

const MOST = 50; // pages that are printed at once
const LONGEST = 40; // characters that can be typed

/**
 * The pages from one printed number to another, in the order of the book: {pages}, or {fault: what to say}. An empty
 * number stands for the first or the last page.
 */
export function pagesBetween(from, to, labels, most = MOST) {
  const places = [from.trim() || labels[0], to.trim() || labels.at(-1)]
    .map((typed) => ({ typed, page: pageFor(typed, labels) }))
  const missing = places.find(({ page }) => page < 0)
  if (missing !== undefined) return { fault: TEXT.go.none(missing.typed) }
  const [first, last] = places.map(({ page }) => page).sort((a, b) => a - b)
  const count = last - first + 1
  if (count > most) return { fault: WORDS.tooMany(count, most) }
  return { pages: Array.from({ length: count }, (_, n) => first + n) }
}

/** @param printing the part of the page that prints */
export function show(printing) {
  const { book, title } = session.caption
  const { visible } = printing
  const stop = new AbortController()
  const sheet = new Sheet(WORDS.title, { subtitle: title, fills: true, onClose: () => stop.abort() })
  sheet.body.append(sheet.said.root)
  sheet.openWith(pagesOf(book), ({ labels }) =>
    fill({ sheet, said: sheet.said, book, labels, visible, printing, signal: stop.signal }))
}

function fill(job) {
  const { sheet, said, labels, visible } = job
  // On a phone the inside of a cover may be alone.
  const hasShown = visible.length > 0
  const choice = (text, checked) => radio(text, { name: 'pages', checked })
  const shown = choice(WORDS.visible(visible.length), hasShown)
  const range = choice(WORDS.range, !hasShown)
  const choose = () => {
    range.firstChild.checked = true
    said.say('')
  }
  const field = (text, value) => make('label', { class: 'field', text }, make('input', {
    type: 'text', value, maxlength: LONGEST, autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false',
    inputmode: isCounted(labels) && 'numeric', oninput: choose, onpointerdown: choose,
  }))
  const first = hasShown ? pageIn(visible[0]) : 0
  const from = field(WORDS.from, labels[first])
  const to = field(WORDS.to, labels[Math.min(first + MOST, labels.length) - 1])
  const print = wordButton(WORDS.print, 'key')
  const submit = () => {
    const { fault, pages } = range.firstChild.checked
      ? pagesBetween(from.lastChild.value, to.lastChild.value, labels) : { pages: visible.map(pageIn) }
    if (fault) said.say(fault, true)
    else load(job, pages, print)
  }
  sheet.body.prepend(form('form', submit,
    make('fieldset', { class: 'scopes', 'aria-label': WORDS.title }, ...hasShown ? [shown] : [], range),
    make('div', { class: 'pair' }, from, to),
    make('div', { class: 'row acts' }, print, wordButton(COMMON.cancel, 'plain', () => sheet.close()))))
  print.focus()
}

/** Loads the images of pages, closes the sheet and prints them; or says which page cannot be loaded. */
async function load({ sheet, said, book, labels, visible, printing, signal }, pages, print) {
  print.disabled = true
  const progress = make('progress', { max: pages.length, value: 0, 'aria-label': WORDS.loading })
  const count = (number) => {
    progress.value = number
    said.say(WORDS.loaded(number, pages.length))
  }
  said.root.before(progress)
  count(0)
  const addresses = pages.map((page) => pictureAddress(book, page, visible[0], 'zoom'))
  const { images, missing } = await loaded(addresses, signal, count)
  progress.remove()
  print.disabled = false
  if (signal.aborted) return
  if (missing !== undefined) return said.say(WORDS.failed(labels[pages[missing]]), true)
  sheet.close()
  printing.print(images)
}

/** The page of an image's address. */
const pageIn = (imageURL) => Number(pageOf({ imageURL }))
