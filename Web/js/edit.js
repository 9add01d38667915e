/** The sheet on which the library's record of a book is corrected. */

import { ask, bookAt, having, keyForm, textOf } from './api.js'
import { pagesOf } from './contents.js'
import { make, wordButton } from './dom.js'
import { Sheet, saying } from './sheet.js'
import { WORDS as COMMON } from './words/common.js'
import { WORDS } from './words/library.js'

class Edit {
  #context

  constructor(context) { this.#context = context; }

  async show() {
    const { book } = this.#context.view.caption
    const sheet = new Sheet(WORDS.about, { fills: true })
    const said = saying()
    const opening = sheet.open()
    sheet.body.append(said.root)
    try {
      const [told, { labels }] = await Promise.all([ask(bookAt(book)), pagesOf(book)])
      const record = having(told, { id: 'string', title: 'string' })
      await opening
      this.#fill(sheet, said, record, labels)
    } catch (error) {
      said.say(error.message, true)
    }
  }

  #fill(sheet, said, record, labels) {
    const field = (text, input) => make('label', { class: 'field', text }, input)
    const title = make('input', { value: record.title, dir: 'auto', required: true, maxlength: '500' })
    const author = make('input', { value: textOf(record.author), dir: 'auto', maxlength: '500' })
    const choice = (words, chosen) => make('select', {}, ...Object.entries(words).map(([value, text]) =>
      make('option', { value, text, selected: value === chosen })))
    const direction = choice(WORDS.edit.directions, record.direction)
    const stock = choice(WORDS.edit.stocks, record.stock)
    const hasSpreads = choice(WORDS.edit.wide, `${record.spreads}`)
    const isShifted = choice(WORDS.edit.begin, `${record.shifted}`)
    const picture = make('img', { class: 'choice', alt: WORDS.edit.coverPicture })
    const look = () => {
      picture.src = `/b/${encodeURIComponent(record.id)}/p/${cover.value}/thumb`
    }
    const cover = make('select', { oninput: look }, ...labels.map((text, page) =>
      make('option', { value: page, text, selected: page === (record.cover ?? 0) })))
    look()
    const form = make('form', {
      class: 'form', onsubmit: (event) => {
        event.preventDefault()
        this.#save(sheet, said, record, {
          title: title.value.trim(), author: author.value.trim(), direction: direction.value,
          stock: stock.value, cover: Number(cover.value), shifted: isShifted.value === 'true',
          ...(typeof record.spreads === 'boolean' && { spreads: hasSpreads.value === 'true' }),
        })
      },
    }, field(WORDS.edit.title, title), field(WORDS.edit.author, author),
    make('div', { class: 'pair' }, field(WORDS.edit.read, direction), field(WORDS.edit.paper, stock)),
    make('div', { class: 'pair' }, field(WORDS.edit.firstPage, isShifted),
      ...(typeof record.spreads === 'boolean' ? [field(WORDS.edit.widePages, hasSpreads)] : [])),
    make('div', { class: 'pair' }, field(WORDS.edit.cover, cover), picture),
    make('div', { class: 'row acts' },
      wordButton(WORDS.edit.save, 'key'), wordButton(COMMON.cancel, 'plain', () => sheet.close()),
      wordButton(WORDS.bin.delete, 'plain delete', () => this.#remove(sheet, said, record))))
    sheet.body.prepend(form)
    title.focus()
  }

  async #remove(sheet, said, record) {
    said.say(COMMON.oneMoment)
    try {
      const bin = await this.#context.actions.load('bin')
      await bin?.remove(record)
      sheet.close()
    } catch (error) {
      this.#refused(sheet, said, error, () => this.#remove(sheet, said, record))
    }
  }

  /** Says why the library refused, and asks for its key if that is the reason. */
  #refused(sheet, said, error, again) {
    said.say(error.message, true)
    if (error.status === 401 && !sheet.body.querySelector('[type=password]')) sheet.body.append(keyForm(again))
  }

  async #save(sheet, said, record, wanted) {
    const before = { author: '', cover: 0, ...record }
    const body = Object.fromEntries(Object.entries(wanted).filter(([name, value]) => value !== before[name]))
    if (Object.keys(body).length === 0) {
      sheet.close()
      return
    }
    said.say(COMMON.oneMoment)
    try {
      await ask(bookAt(record.id), { method: 'PATCH', body })
      sheet.close()
    } catch (error) {
      this.#refused(sheet, said, error, () => this.#save(sheet, said, record, wanted))
    }
  }
}

/** Creates the controls of this module. */
export const controls = (context) => new Edit(context)
