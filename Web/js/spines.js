/** The drawing of a ledge as part of the document, because an image cannot use the page's fonts. */

import { at } from './root.js'

const LETTERING = ['1em "EB Garamond"', 'italic 1em "EB Garamond"']; // the fonts of spines

/** Loads the drawing at an address and its fonts; null if that fails. */
export async function drawn(address) {
  try {
    const answer = await fetch(at(address))
    if (!answer.ok) return null
    const { documentElement: svg } = new DOMParser().parseFromString(await answer.text(), 'image/svg+xml')
    const isPlain = svg.localName === 'svg' && svg.querySelector('script, foreignObject, a, image, use, style') === null
    if (!isPlain) return null
    await Promise.allSettled(LETTERING.map((font) => document.fonts.load(font)))
    svg.setAttribute('aria-hidden', 'true')
    return document.importNode(svg, true)
  } catch {
    return null
  }
}
