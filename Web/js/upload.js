/** Adding books: files dropped or chosen, one after another, with what becomes of each in words. */

import { keyForm } from './api.js'
import { make, wordButton } from './dom.js'
import { Sheet, saying } from './sheet.js'
import { Transfer } from './transfer.js'
import { encodeArrange, encodeGo } from './wire.js'

const UNITS = [['GB', 1e9], ['MB', 1e6], ['KB', 1e3]]
const ACCEPTED = '.pdf,.epub,.cbz,.zip,.cbr,.rar,.cb7,.7z,.cbt,.tar,.jpg,.jpeg,.png,.webp,.gif,.avif,.tif,.tiff'

/** A number of bytes as people say it. */
export function bytesInWords(bytes) {
  const [unit, size] = UNITS.find(([, least]) => bytes >= least) ?? ['bytes', 1]
  const value = bytes / size
  return `${size === 1 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${unit}`
}

const MOST = 99; // per cent that are said of what is not done

/** What is said of each state. */
const WORDS = {
  waiting: () => 'Waiting',
  sending: ({ sent, file }) => `${bytesInWords(Math.min(sent, file.size))} of ${bytesInWords(file.size)}`,
  interrupted: () => 'The connection was lost. It goes on as soon as it returns.',
  importing: () => 'It is all here. Opening the book',
  done: () => 'On the shelf',
  failed: ({ error }) => error,
  cancelled: () => 'Taken back',
}

/** Who leaves while a book is on its way is asked first. */
const stay = (event) => event.preventDefault()

class Upload {
  #desk
  #sheet
  #said = saying()
  #list = make('ul', { class: 'transfers' })
  #field = make('input', { type: 'file', multiple: true, accept: ACCEPTED, hidden: true })
  #choose
  /** Transfer -> what shows it. */
  #rows = new Map()
  #isRunning = false
  #button = document.getElementById('upload').lastChild
  #words = this.#button.textContent

  constructor(desk) {
    this.#desk = desk
    this.#choose = wordButton('Choose files', 'key', () => this.#field.click())
    this.#field.addEventListener('change', () => {
      this.#take([...this.#field.files])
      this.#field.value = ''
    })
  }

  /**
   * Opens the sheet.
   * @param dropped {entries, files}, or null
   * @param chooses whether to ask for files at once
   */
  async show(dropped = null, chooses = false) {
    if (!this.#sheet?.isOpen) {
      this.#sheet = new Sheet('Add a book', { subtitle: 'PDF, comic, EPUB, or a folder of pictures' })
      const acts = make('div', { class: 'row acts' }, this.#choose)
      this.#sheet.body.append(this.#said.root, this.#list, this.#field, acts)
      this.#sheet.open(this.#choose)
    }
    if (chooses) this.#field.click()
    if (dropped === null) return
    try {
      const { filesOf } = await import('./dropped.js')
      this.#take(await filesOf(dropped))
    } catch (error) {
      this.#said.say(`That could not be read: ${error.message}`, true)
    }
  }

  #take(files) {
    this.#said.say('')
    for (const file of files) {
      const transfer = new Transfer(file, () => this.#write(transfer))
      this.#row(transfer)
      this.#write(transfer)
    }
    this.#run()
  }

  /** One at a time, in order. */
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
    const text = WORDS[state](transfer)
    if (row.words.textContent !== text) row.words.textContent = text
    const share = Math.min(MOST, Math.floor(100 * sent / Math.max(1, file.size)))
    row.line.value = state === 'done' ? 100 : share
    if (!transfer.isOver) this.#button.textContent = state === 'importing' ? 'Opening' : `Adding, ${share} %`
    if (state === row.state) return
    row.state = state
    row.root.className = state
    row.line.hidden = transfer.isOver
    row.acts.replaceChildren(...this.#acts(transfer))
    if (transfer.needsKey && !this.#sheet.body.querySelector('.field')) {
      this.#list.after(keyForm(() => this.#again(({ needsKey }) => needsKey)))
    }
    if (state === 'done' && !this.#sheet.isOpen) this.#desk.notice(`${file.name} is on the shelf.`, 5000)
  }

  #acts(transfer) {
    const { state, book } = transfer
    if (state === 'done') {
      return book ? [wordButton('Show', 'plain', () => this.#show(book))] : []
    }
    if (state === 'failed' && !transfer.canRetry) return []
    if (state === 'failed') return [wordButton('Try again', 'plain', () => this.#again((one) => one === transfer))]
    return transfer.isOver ? [] : [wordButton('Cancel', 'plain', () => transfer.cancel())]
  }

  /** Goes to a book on its shelf, on which it may not be while another is looked for. */
  #show(book) {
    const { caption: { filter, order } } = this.#desk
    this.#sheet.close()
    if (filter !== '') this.#desk.send(encodeArrange({ order }))
    this.#desk.send(encodeGo({ book }))
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

/** The controls of this module, for the desk. */
export const controls = (desk) => new Upload(desk)
