/** The drawing of a ledge as a part of the page: an image cannot have the page's type, a part of it does. */

const LETTERING = ['1em "EB Garamond"', 'italic 1em "EB Garamond"']; // fonts of spines

/** The drawing at an address, once its fonts are there; null if it cannot be had. */
export async function drawn(address) {
  try {
    const answer = await fetch(address)
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
