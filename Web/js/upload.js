/** The sheet that uploads dropped or chosen files, one after another, and shows the state of each. */

import { keyForm } from './api.js'
import { app, session } from './app.js'
import { CROSS, iconButton, make, wordButton } from './dom.js'
import { DOCUMENTS, IMAGES } from './kinds.js'
import { Sheet, saying } from './sheet.js'
import { Transfer } from './transfer.js'
import { encodeArrange, encodeGo } from './session/wire.js'
import { WORDS as COMMON } from './words/common.js'
import { WORDS } from './words/library.js'

const ACCEPTED = [...DOCUMENTS, ...IMAGES].map((ending) => `.${ending}`).join()

const MOST = 99; // per cent, the most that is shown before an upload is complete

/** The text about a transfer. */
function wordsFor({ state, error, sent, file }) {
  if (state === 'failed') return error
  return state === 'sending' ? WORDS.upload.progress(Math.min(sent, file.size), file.size) : WORDS.upload[state]
}

/** Makes the browser ask before the page is left during an upload. */
const stay = (event) => event.preventDefault()

export default class Upload {
  #sheet
  #said = saying()
  #list = make('ul', { class: 'transfers' })
  #field = make('input', { type: 'file', multiple: true, accept: ACCEPTED, hidden: true })
  #choose = wordButton(WORDS.chooseFiles, 'key', () => this.#field.click())
  /** Transfer -> the elements of its row. */
  #rows = new Map()
  #isRunning = false
  #button = document.getElementById('upload').lastChild
  #words = this.#button.textContent

  constructor() {
    this.#field.addEventListener('change', () => {
      this.#take([...this.#field.files])
      this.#field.value = ''
    })
  }

  /**
   * Opens the sheet.
   * @param dropped the dropped {entries, files}, or null
   * @param chooses whether to open the file chooser at once
   */
  async show(dropped = null, chooses = false) {
    if (!this.#sheet?.isOpen) {
      this.#sheet = new Sheet(WORDS.add, {
        subtitle: WORDS.upload.kinds, fills: true, onClose: () => this.#tidy(),
      })
      const acts = make('div', { class: 'row acts' }, this.#choose)
      this.#sheet.body.append(this.#field, acts, this.#list, this.#said.root)
      this.#sheet.open(this.#choose)
    }
    if (chooses) this.#field.click()
    if (dropped === null) return
    try {
      const { filesOf } = await import('./dropped.js')
      this.#take(await filesOf(dropped))
    } catch (error) {
      this.#said.say(WORDS.upload.unreadable(error.message), true)
    }
  }

  #take(files) {
    this.#said.say('')
    for (const file of files) {
      // Another attempt takes the place of one that failed.
      this.#remove(({ state, file: { name } }) => state === 'failed' && name === file.name)
      const transfer = new Transfer(file, () => this.#write(transfer))
      this.#row(transfer)
      this.#write(transfer)
    }
    this.#run()
  }

  /** Runs the transfers one after another, in order. */
  async #run() {
    if (this.#isRunning) return
    this.#isRunning = true
    addEventListener('beforeunload', stay)
    const next = () => [...this.#rows.keys()].find(({ state }) => state === 'waiting')
    for (let transfer = next(); transfer; transfer = next()) await transfer.run()
    this.#isRunning = false
    removeEventListener('beforeunload', stay)
    this.#button.textContent = this.#words
  }

  #row(transfer) {
    const line = make('progress', { max: '100', 'aria-label': transfer.file.name })
    const words = make('p', { role: 'status' })
    const acts = make('span', { class: 'acts' })
    const root = make('li', {}, make('em', { text: transfer.file.name, dir: 'auto' }), acts, line, words)
    this.#list.append(root)
    this.#rows.set(transfer, { root, line, words, acts, state: '' })
  }

  #write(transfer) {
    const row = this.#rows.get(transfer)
    const { state, sent, file } = transfer
    const text = wordsFor(transfer)
    if (row.words.textContent !== text) row.words.textContent = text
    const share = Math.min(MOST, Math.floor(100 * sent / Math.max(1, file.size)))
    row.line.value = state === 'done' ? 100 : share
    const { opening, adding } = WORDS.upload
    if (!transfer.isOver) this.#button.textContent = state === 'importing' ? opening : adding(share)
    if (state === row.state) return
    row.state = state
    row.root.className = state
    row.line.classList.toggle('ended', transfer.isOver)
    row.acts.replaceChildren(...this.#acts(transfer))
    if (transfer.needsKey && !this.#sheet.body.querySelector('.field')) {
      this.#list.after(keyForm(() => this.#again(({ needsKey }) => needsKey)))
    }
    if (state === 'done' && !this.#sheet.isOpen) app.notice(WORDS.upload.onShelf(file.name), 5000)
  }

  #acts(transfer) {
    const { state, book } = transfer
    if (state === 'done') {
      return book ? [wordButton(WORDS.upload.show, 'plain', () => this.#show(book))] : []
    }
    const isThis = (one) => one === transfer
    if (state === 'failed') {
      const remove = iconButton(WORDS.upload.remove(transfer.file.name), CROSS, () => {
        this.#remove(isThis)
        this.#choose.focus()
      })
      return [
        ...transfer.canRetry ? [wordButton(COMMON.tryAgain, 'plain', () => this.#again(isThis))] : [], remove,
      ]
    }
    return transfer.isOver ? [] : [wordButton(WORDS.upload.cancel, 'plain', () => transfer.cancel())]
  }

  /** Removes the lines of transfers that are over; the reader has seen them. */
  #tidy() { this.#remove(({ isOver }) => isOver); }

  /** Removes the lines of some transfers. */
  #remove(isMeant) {
    for (const [transfer, { root }] of this.#rows) {
      if (!isMeant(transfer)) continue
      root.remove()
      this.#rows.delete(transfer)
    }
  }

  /** Goes to a book on its shelf and clears the filter, which may hide it. */
  #show(book) {
    const { filter, order } = session.caption
    this.#sheet.close()
    if (filter !== '') app.send(encodeArrange({ order }))
    app.send(encodeGo({ book }))
  }

  #again(isMeant) {
    for (const transfer of this.#rows.keys()) {
      if (transfer.state !== 'failed' || !isMeant(transfer)) continue
      transfer.state = 'waiting'
      this.#write(transfer)
    }
    this.#run()
  }
}
