/** The sheet for the name and the colour that other members see, which are stored for later visits. */

import { app, session } from '../app.js'
import { form, make, radio, wordButton } from '../dom.js'
import { clipped } from '../find.js'
import { NAME_BYTES, keepPersona } from '../keys.js'
import { Sheet } from '../sheet.js'
import { WORDS } from '../words/together.js'
import { initial } from './status.js'
import { encodePersona } from './wire.js'

export function show() {
  const { name, colour } = session.self ?? { name: '', colour: 0 }
  const sheet = new Sheet(WORDS.persona.title)
  const field = make('input', {
    value: name, required: true, maxlength: '64', autocomplete: 'nickname', 'aria-label': WORDS.persona.name,
    oninput: () => see(),
  })
  const choices = WORDS.persona.colours.map((words, index) => {
    const label = radio('', { name: 'colour', value: index, 'aria-label': words, checked: index === colour })
    label.dataset.colour = index
    return Object.assign(label, { className: 'disc', title: words })
  })
  const see = () => {
    for (const { lastChild } of choices) lastChild.textContent = field.value.trim() === '' ? '' : initial(field.value)
  }
  see()
  const use = () => {
    const chosen = choices.findIndex(({ firstChild }) => firstChild.checked)
    rename({ name: clipped(field.value.trim(), NAME_BYTES), colour: chosen < 0 ? null : chosen })
    sheet.close()
  }
  sheet.body.append(form('form', use,
    field, make('div', { class: 'colours', role: 'radiogroup', 'aria-label': WORDS.persona.colour }, ...choices),
    make('div', { class: 'row acts' },
      wordButton(WORDS.persona.use, 'key'), wordButton(WORDS.persona.cancel, 'plain', () => sheet.close()))))
  sheet.open(field)
  field.select()
}

/** Changes the reader's name and colour, here and for later rooms in this browser. */
function rename(persona) {
  if (persona.name === '') return
  keepPersona(persona)
  app.send(encodePersona(persona))
}
