/** The sheet with the settings of this browser. Each choice takes effect at once. */

import { app, session } from '../app.js'
import { make, present, printed, radio, style, wordButton } from '../dom.js'
import { Sheet } from '../sheet.js'
import { WORDS as HELP } from '../words/help.js'
import { WORDS } from '../words/settings.js'
import { choose } from './apply.js'
import { rustle } from './rustle.js'
import { CHOICES, choiceOf } from './store.js'

const BUZZ = 10 // ms

export async function show() {
  await style('settings')
  const sheet = new Sheet(WORDS.title, { subtitle: WORDS.where })
  sheet.root.classList.add('settings')
  sheet.body.append(
    choices('light', (of) => [make('i', { 'data-of': of, 'aria-hidden': 'true', text: WORDS.sample })]),
    choices('motion'), choices('text'), toggle('sound', () => rustle(1)),
    ...'vibrate' in navigator ? [toggle('vibration', () => navigator.vibrate(BUZZ))] : [], choices('language'),
    wordButton(HELP.title, 'plain', () => present('help')), ...session.mayOpen && !isSecureContext ? [plain()] : [])
  sheet.open(sheet.body.querySelector(':checked'))
  if (!session.isBook) return
  const part = await app.load('settings/typesize')
  const sizes = await part?.typeSizes(sheet).catch(() => null)
  if (sizes) sheet.body.querySelector('[name=text]').closest('fieldset').after(sizes)
}

/** What is missing at an address without HTTPS, for those who may change that. */
function plain() {
  const { title, lacks, remedy } = WORDS.plain
  return make('section', { class: 'without', 'aria-label': title }, make('h3', { text: title }),
    make('p', { text: lacks }), make('p', {}, ...printed(remedy)))
}

/** A group of radio buttons, one of which is chosen; picture returns what is shown beside a value. */
function choices(name, picture = () => []) {
  const chosen = choiceOf(session.settings, name)
  const all = CHOICES[name].map((value) => radio(WORDS[name][value], {
    name, value, checked: value === chosen, onchange: () => choose(name, value),
  }, ...picture(value)))
  return make('fieldset', { class: name === 'light' ? 'lamps' : '' },
    make('legend', { text: WORDS.names[name] }), make('div', {}, ...all))
}

/** A switch; sample lets the reader notice what it switches on. */
function toggle(name, sample) {
  const box = make('input', {
    type: 'checkbox', role: 'switch', name, checked: choiceOf(session.settings, name) === 'on', onchange: () => {
      choose(name, box.checked ? 'on' : 'off')
      if (box.checked) sample()
    },
  })
  return make('label', { class: 'toggle' }, make('span', { text: WORDS.names[name] }), box)
}
