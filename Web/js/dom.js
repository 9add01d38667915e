/** Elements, icons, buttons and style sheets for the controls that are loaded on first use. */

import { readiness } from './readiness.js'

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

const SVG = 'http://www.w3.org/2000/svg'

/** An icon of one path in a square of 24 units. */
export function icon(path) {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('aria-hidden', 'true')
  svg.append(document.createElementNS(SVG, 'path'))
  svg.firstChild.setAttribute('d', path)
  return svg
}

export const CROSS = 'M6 6l12 12M18 6 6 18'
export const GLASS = 'M16 10.500a5.500 5.500 0 1 1-11 0a5.500 5.500 0 0 1 11 0ZM14.600 14.600 20 20'

const NAMES = { Esc: 'Escape', '−': '-' }

/** Gives a button its accessible name, its tooltip and, if it has one, its key. */
export function name(button, words, key = '') {
  button.setAttribute('aria-label', words)
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

/** The nodes of a sentence: its texts, and its names set in italics. */
export const printed = (parts) =>
  parts.map((part) => (typeof part === 'string' ? part : make('em', { text: part.name, dir: 'auto' })))

const sheets = new Map()

/** Resolves when a style sheet of this page is loaded or cannot be loaded. */
export function style(file) {
  if (!sheets.has(file)) {
    sheets.set(file, readiness.until(new Promise((resolve) => {
      document.head.append(make('link', {
        rel: 'stylesheet', href: `/css/${file}.css`, onload: resolve, onerror: resolve,
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
