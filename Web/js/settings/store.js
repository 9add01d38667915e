/** The reader's settings: the choices that there are, and those that this browser stores. */

import { SETTINGS, keep } from '../keys.js'

/** The values of each setting; the first one is the usual one, which is not stored. */
export const CHOICES = {
  light: ['day', 'night', 'sepia', 'system'],
  motion: ['system', 'full', 'reduced'],
  text: ['100', '125', '150'],
  sound: ['off', 'on'],
  vibration: ['off', 'on'],
  language: ['system', 'en', 'de'],
}

/** The settings among what was stored that have a value other than the usual one. */
export const validSettings = (stored) => Object.fromEntries(Object.entries(CHOICES)
  .map(([name, [, ...others]]) => [name, others.find((value) => value === stored?.[name])])
  .filter(([, value]) => value !== undefined))

/** The value of a setting. */
export const choiceOf = (settings, name) => settings[name] ?? CHOICES[name][0]

/** The settings with another value for one of them. */
export const withChoice = (settings, name, value) => validSettings({ ...settings, [name]: value })

/** Stores the settings in this browser. */
export function keepSettings(settings) {
  keep('localStorage', SETTINGS, Object.keys(settings).length === 0 ? '' : JSON.stringify(settings))
}
