/** The sheet for the name and the colour that other members see, which are stored for later visits. */

import { make, wordButton } from '../dom.js'
import { clipped } from '../find.js'
import { Sheet } from '../sheet.js'
import { WORDS } from '../words/together.js'
import { initial } from './status.js'

const MOST_BYTES = 64

class Persona {
  #context

  constructor(context) { this.#context = context; }

  show() {
    const { people, me } = this.#context.session
    const { name, colour } = people.get(me) ?? { name: '', colour: 0 }
    const sheet = new Sheet(WORDS.persona.title)
    const field = make('input', {
      value: name, required: true, maxlength: '64', autocomplete: 'nickname', 'aria-label': WORDS.persona.name,
      oninput: () => see(),
    })
    const choices = WORDS.persona.colours.map((words, index) => {
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
        if (words !== '') this.#context.actions.rename({ name: words, colour: chosen < 0 ? null : chosen })
        sheet.close()
      },
    }, field, make('div', { class: 'colours', role: 'radiogroup', 'aria-label': WORDS.persona.colour }, ...choices),
    make('div', { class: 'row acts' },
      wordButton(WORDS.persona.use, 'key'), wordButton(WORDS.persona.cancel, 'plain', () => sheet.close())))
    sheet.body.append(form)
    sheet.open(field)
    field.select()
  }
}

/** Creates the controls of this module. */
export const controls = (context) => new Persona(context)
