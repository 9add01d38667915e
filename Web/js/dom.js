/** Elements, icons, buttons and style sheets for the controls that are loaded on first use. */

import { app } from './app.js'
import { readiness } from './readiness.js'
import { at } from './root.js'

/**
 * Creates an element. The properties `on...` are listeners, `text` is the text content, and the others are
 * attributes; null and false leave an attribute out.
 */
export function make(tag, properties = {}, ...children) {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(properties)) {
    if (name === 'text') node.textContent = value
    else if (name.startsWith('on')) node.addEventListener(name.slice(2), value)
    else if (value !== null && value !== false) node.setAttribute(name, value === true ? '' : value)
  }
  node.append(...children)
  return node
}

/** Creates an element of a drawing; the properties are attributes. */
export function draw(tag, properties = {}, ...children) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag)
  for (const [name, value] of Object.entries(properties)) node.setAttribute(name, value)
  node.append(...children)
  return node
}

/** An icon of some paths, in a square of 24 units unless the box says otherwise. */
export const icon = (paths, viewBox = '0 0 24 24') =>
  draw('svg', { viewBox, 'aria-hidden': 'true' }, ...[paths].flat().map((d) => draw('path', { d })))

/** The icons that lead to the left, up, down and to the right. */
export const ARROWS = {
  left: 'M14.500 5 7.500 12l7 7', up: 'M5 14.500 12 7.500l7 7', down: 'M5 9.500l7 7 7-7', right: 'M9.500 5l7 7-7 7',
}
export const CROSS = 'M6 6l12 12M18 6 6 18'
export const GLASS = 'M16 10.500a5.500 5.500 0 1 1-11 0a5.500 5.500 0 0 1 11 0ZM14.600 14.600 20 20'

/** Loads the controls of js/NAME.js and shows them. */
export const present = async (name, ...values) => (await app.load(name))?.show(...values)

const NAMES = { Esc: 'Escape', '−': '-' }

/** Gives a button its accessible name, its tooltip and, if it has them, its key and another icon. */
export function name(button, words, key = '', path = '') {
  if (button.getAttribute('aria-label') === words) return
  button.setAttribute('aria-label', words)
  if (path) button.querySelector('path').setAttribute('d', path)
  if (key) button.setAttribute('aria-keyshortcuts', NAMES[key] ?? key)
  else button.removeAttribute('aria-keyshortcuts')
  const tip = button.querySelector('.tip') ?? make('span', { class: 'tip', 'aria-hidden': 'true' })
  tip.textContent = words
  if (key) tip.append(make('kbd', { text: key }))
  button.append(tip)
}

/** A button with an icon, and its name as a tooltip. */
export function iconButton(words, path, onclick, key) {
  const button = make('button', { class: 'icon', type: 'button', onclick }, icon(path))
  name(button, words, key)
  return button
}

/** A button with a text; kind is 'key' for the main one, 'line' for the second, and 'plain' for any other. */
export const wordButton = (text, kind, onclick) =>
  make('button', { class: kind, type: onclick ? 'button' : 'submit', text, onclick })

/** A form, whose submission calls a function with its event. */
export const form = (kind, submit, ...children) => make('form', {
  class: kind, onsubmit: (event) => {
    event.preventDefault()
    submit(event)
  },
}, ...children)

/** A line of a list that is a button. */
export const entry = (onclick, properties, ...children) =>
  make('li', {}, make('button', { type: 'button', class: 'entry', onclick, ...properties }, ...children))

/** A radio button with its words, as a label; between them may be more nodes. */
export const radio = (text, properties, ...between) =>
  make('label', {}, make('input', { type: 'radio', ...properties }), ...between, make('span', { text }))

/** The options of a select, from their texts by value. */
export const options = (texts, chosen) =>
  Object.entries(texts).map(([value, text]) => make('option', { value, text, selected: value === chosen }))

/** Whether a key is pressed by itself. */
export const isUnmodified = ({ ctrlKey, altKey, metaKey }) => !ctrlKey && !altKey && !metaKey

/** Whether a key can be a shortcut: it is pressed by itself, and neither in a field nor on a sheet. */
export const isShortcut = (event) => isUnmodified(event) && !event.target.closest?.('input, select, dialog')

/** The nodes of a sentence: its texts, and its names set in italics. */
export const printed = (parts) =>
  parts.map((part) => (typeof part === 'string' ? part : make('em', { text: part.name, dir: 'auto' })))

const sheets = new Map()

/** Resolves when a style sheet of this page is loaded or cannot be loaded. */
export function style(file) {
  if (!sheets.has(file)) {
    sheets.set(file, readiness.until(new Promise((resolve) => {
      document.head.append(make('link', {
        rel: 'stylesheet', href: at(`/css/${file}.css`), onload: resolve, onerror: resolve,
      }))
    })))
  }
  return sheets.get(file)
}

/** Returns a function that calls run with its latest values once it has not been called for some ms. */
export function debounced(ms, run) {
  let timer = 0
  let end = () => {}
  return (...values) => {
    clearTimeout(timer)
    end()
    end = readiness.begin()
    timer = setTimeout(() => {
      run(...values)
      end()
    }, ms)
  }
}
