/** The sheet on which the library's record of a book is corrected. */

import { ask, bookAt, having, textOf } from './api.js'
import { app, session } from './app.js'
import { pagesOf } from './contents.js'
import { form, make, options, wordButton } from './dom.js'
import { at } from './root.js'
import { Sheet } from './sheet.js'
import { WORDS as COMMON } from './words/common.js'
import { WORDS } from './words/library.js'

export function show() {
  const { book } = session.caption
  const sheet = new Sheet(WORDS.about, { fills: true })
  sheet.body.append(sheet.said.root)
  sheet.openWith(Promise.all([ask(bookAt(book)), pagesOf(book)]), ([facts, { labels }]) =>
    fill(sheet, having(facts, { id: 'string', title: 'string' }), labels))
}

function fill(sheet, record, labels) {
  const field = (text, input) => make('label', { class: 'field', text }, input)
  const title = make('input', { value: record.title, dir: 'auto', required: true, maxlength: '500' })
  const author = make('input', { value: textOf(record.author), dir: 'auto', maxlength: '500' })
  const choice = (texts, chosen) => make('select', {}, ...options(texts, `${chosen}`))
  const direction = choice(WORDS.edit.directions, record.direction)
  const stock = choice(WORDS.edit.stocks, record.stock)
  const hasSpreads = choice(WORDS.edit.wide, record.spreads)
  const isShifted = choice(WORDS.edit.begin, record.shifted)
  const picture = make('img', { class: 'choice', alt: WORDS.edit.coverPicture })
  const look = () => { picture.src = at(`/b/${encodeURIComponent(record.id)}/p/${cover.value}/thumb`) }
  const cover = make('select', { oninput: look }, ...options(labels, `${record.cover ?? 0}`))
  look()
  const knowsSpreads = typeof record.spreads === 'boolean'
  const wanted = () => ({
    title: title.value.trim(), author: author.value.trim(), direction: direction.value,
    stock: stock.value, cover: Number(cover.value), shifted: isShifted.value === 'true',
    ...knowsSpreads && { spreads: hasSpreads.value === 'true' },
  })
  sheet.body.prepend(form('form', () => save(sheet, record, wanted()),
    field(WORDS.edit.title, title), field(WORDS.edit.author, author),
    make('div', { class: 'pair' }, field(WORDS.edit.read, direction), field(WORDS.edit.paper, stock)),
    make('div', { class: 'pair' }, field(WORDS.edit.firstPage, isShifted),
      ...knowsSpreads ? [field(WORDS.edit.widePages, hasSpreads)] : []),
    make('div', { class: 'pair' }, field(WORDS.edit.cover, cover), picture),
    make('div', { class: 'row acts' },
      wordButton(WORDS.edit.save, 'key'), wordButton(COMMON.cancel, 'plain', () => sheet.close()),
      wordButton(WORDS.bin.delete, 'plain delete', () =>
        act(sheet, async () => (await app.load('bin'))?.remove(record))))))
  title.focus()
}

/** Does what may need the library's key, and closes the sheet. */
async function act(sheet, work) {
  sheet.said.say(COMMON.oneMoment)
  try {
    await work()
    sheet.close()
  } catch (error) {
    sheet.said.refuse(error, () => act(sheet, work))
  }
}

function save(sheet, record, wanted) {
  const before = { author: '', cover: 0, ...record }
  const body = Object.fromEntries(Object.entries(wanted).filter(([name, value]) => value !== before[name]))
  if (Object.keys(body).length === 0) sheet.close()
  else act(sheet, () => ask(bookAt(record.id), { method: 'PATCH', body }))
}
