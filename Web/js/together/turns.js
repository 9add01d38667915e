/** The question who turns the pages, asked when this browser first shares a room; later rooms follow the answer. */

import { make, radio } from '../dom.js'
import { keep } from '../keys.js'
import { WORDS } from '../words/together.js'
import { POLICY } from './wire.js'

const NAME = 'lectern-turns'

/** The policy that was chosen in this browser, as a number of POLICY; null before the first choice. */
export function rememberedPolicy() {
  try {
    return POLICY[localStorage.getItem(NAME)] ?? null
  } catch {
    return null
  }
}

export const rememberPolicy = (policy) =>
  keep('localStorage', NAME, Object.keys(POLICY).find((name) => POLICY[name] === policy) ?? '')

/** The question, as a group of radio buttons; onChoose is called with a policy. */
export function turnsQuestion(onChoose) {
  const radios = Object.entries(POLICY).map(([name, policy]) => ({
    policy, label: radio(WORDS.share.turns[name], { name: 'turns', value: name, onchange: () => onChoose(policy) }),
  }))
  return {
    root: make('fieldset', { class: 'turns' },
      make('legend', { text: WORDS.share.whoTurns }), ...radios.map(({ label }) => label)),
    set policy(chosen) { for (const { policy, label } of radios) label.firstChild.checked = policy === chosen; },
  }
}
