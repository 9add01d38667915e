/** The sheet with the settings of this browser. Each choice takes effect at once. */

import { make, style, wordButton } from '../dom.js'
import { Sheet } from '../sheet.js'
import { WORDS as HELP } from '../words/help.js'
import { WORDS } from '../words/settings.js'
import { choose } from './apply.js'
import { rustle } from './rustle.js'
import { CHOICES, choiceOf } from './store.js'

const BUZZ = 10 // ms

class Settings {
  #context

  constructor(context) { this.#context = context; }

  show() {
    const sheet = new Sheet(WORDS.title, { subtitle: WORDS.where })
    sheet.root.classList.add('settings')
    sheet.body.append(this.#choices('light', (value) =>
      make('i', { 'data-of': value, 'aria-hidden': 'true', text: WORDS.sample })))
    sheet.body.append(this.#choices('motion'), this.#choices('text'), this.#toggle('sound', () => rustle(1)))
    if ('vibrate' in navigator) sheet.body.append(this.#toggle('vibration', () => navigator.vibrate(BUZZ)))
    sheet.body.append(this.#choices('language'))
    sheet.body.append(wordButton(HELP.title, 'plain', async () => (await this.#context.actions.load('help'))?.show()))
    sheet.open(sheet.body.querySelector(':checked'))
  }

  /** A group of radio buttons, one of which is chosen; picture returns what is shown beside a value. */
  #choices(name, picture = null) {
    const chosen = choiceOf(this.#context.settings, name)
    const choices = CHOICES[name].map((value) => {
      const radio = make('input', {
        type: 'radio', name, value, onchange: () => choose(this.#context, name, value),
      })
      radio.checked = value === chosen
      return make('label', {}, radio, ...picture ? [picture(value)] : [], make('span', { text: WORDS[name][value] }))
    })
    return make('fieldset', { class: picture ? 'lamps' : '' },
      make('legend', { text: WORDS.names[name] }), make('div', {}, ...choices))
  }

  /** A switch; sample lets the reader notice what it switches on. */
  #toggle(name, sample) {
    const box = make('input', {
      type: 'checkbox', role: 'switch', name, onchange: () => {
        choose(this.#context, name, box.checked ? 'on' : 'off')
        if (box.checked) sample()
      },
    })
    box.checked = choiceOf(this.#context.settings, name) === 'on'
    return make('label', { class: 'toggle' }, make('span', { text: WORDS.names[name] }), box)
  }
}

/** Creates the controls of this module when its style is loaded. */
export async function controls(context) {
  await style('settings')
  return new Settings(context)
}
