/** Applies the settings to the page: the size of its type, its motion, its light, and what is heard and felt. */

import { style } from '../dom.js'
import { languageOf } from '../language.js'
import { followLight, showLight } from './light.js'
import { choiceOf, keepSettings, validSettings, withChoice } from './store.js'

let isFollowed = false

/** Applies all settings; resolves when the page is in the chosen light. */
export async function apply(context) {
  const settings = context.settings = validSettings(context.settings)
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
    import('./paper.js').then(({ watchPaper }) => watchPaper(context)).catch(console.warn)
  }
  if (!isFollowed) followLight(context)
  isFollowed = true
  await showLight(context)
}

/** Changes a setting, stores it and applies it. */
export async function choose(context, name, value) {
  context.settings = withChoice(context.settings, name, value)
  keepSettings(context.settings)
  if (name === 'motion') context.actions.resize()
  // Most of the texts have been written already.
  if (name === 'language' && languageOf() !== document.documentElement.lang) return location.reload()
  await apply(context)
}
