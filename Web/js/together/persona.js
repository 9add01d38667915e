/** How one wants to be known to those who read along: a name and a colour, kept for the next time. */

import { make, wordButton } from '../dom.js'
import { clipped } from '../find.js'
import { Sheet } from '../sheet.js'
import { initial } from './words.js'

const MOST_BYTES = 64
const COLOURS = ['Brown', 'Green', 'Plum', 'Blue', 'Straw', 'Moss']

class Persona {
  #desk

  constructor(desk) { this.#desk = desk; }

  show() {
    const { people, me } = this.#desk
    const { name, colour } = people.get(me) ?? { name: '', colour: 0 }
    const sheet = new Sheet('Your name here')
    const field = make('input', {
      value: name, required: true, maxlength: '64', autocomplete: 'nickname', 'aria-label': 'Your name',
      oninput: () => see(),
    })
    const choices = COLOURS.map((words, index) => {
      const radio = make('input', { type: 'radio', name: 'colour', value: index, 'aria-label': words })
      radio.checked = index === colour
      return make('label', { class: 'disc', 'data-colour': index, title: words }, radio, make('span'))
    })
    const see = () => {
      for (const { lastChild } of choices) lastChild.textContent = field.value.trim() === '' ? '' : initial(field.value)
    }
    see()
    const form = make('form', {
      class: 'form', onsubmit: (event) => {
        event.preventDefault()
        const chosen = choices.findIndex(({ firstChild }) => firstChild.checked)
        const words = clipped(field.value.trim(), MOST_BYTES)
        if (words !== '') this.#desk.rename({ name: words, colour: chosen < 0 ? null : chosen })
        sheet.close()
      },
    }, field, make('div', { class: 'colours', role: 'radiogroup', 'aria-label': 'Colour' }, ...choices),
    make('div', { class: 'row acts' },
      wordButton('Use it', 'key'), wordButton('Leave it', 'plain', () => sheet.close())))
    sheet.body.append(form)
    sheet.open(field)
    field.select()
  }
}

/** The controls of this module, for the desk. */
export const controls = (desk) => new Persona(desk)
