/** Applies the settings to the page: the size of its type, its motion, its light, and what is heard and felt. */

import { app, session, update } from '../app.js'
import { style } from '../dom.js'
import { languageOf } from '../language.js'
import { followLight, showLight } from './light.js'
import { choiceOf, keepSettings, validSettings, withChoice } from './store.js'

let isFollowed = false

/** Applies all settings; resolves when the page is in the chosen light. */
export async function apply() {
  const settings = validSettings(session.settings)
  update({ settings })
  const { style: page, dataset } = document.documentElement
  const text = choiceOf(settings, 'text')
  page.fontSize = text === '100' ? '' : `${text}%`
  if (settings.motion === 'reduced') {
    dataset.motion = 'reduced'
    style('settings')
  } else {
    delete dataset.motion
  }
  if (settings.sound || settings.vibration) {
    import('./paper.js').then(({ watchPaper }) => watchPaper()).catch(console.warn)
  }
  if (!isFollowed) followLight()
  isFollowed = true
  await showLight()
}

/** Changes a setting, stores it and applies it. */
export async function choose(name, value) {
  update({ settings: withChoice(session.settings, name, value) })
  keepSettings(session.settings)
  if (name === 'motion') app.resize()
  // Most of the texts have been written already.
  if (name === 'language' && languageOf() !== document.documentElement.lang) return location.reload()
  await apply()
}
