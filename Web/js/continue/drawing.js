/** Drawings of a book on the table: open at a place, or closed. */

import { boardColour } from '../boards.js'
import { make } from '../dom.js'
import { decoded } from '../element.js'
import { thickness } from '../foreedge.js'
import { readiness } from '../readiness.js'

const PAGE = 568; // stage points, the height of a page whose edges are as thick as foreedge.js says
const SMALL = 330; // pixels that a small picture of a page is high enough for

const span = (name, ...children) => make('span', { class: name }, ...children)

/** The image of a page, once it is decoded; null if that fails. */
async function imageOf(book, { page, half = '' }, high) {
  const size = high * devicePixelRatio > SMALL ? 'screen' : 'thumb'
  const image = make('img', { alt: '' })
  const hash = half === '' ? '' : `#${half}`
  const address = `/b/${encodeURIComponent(book)}/p/${page}/${size}${hash}`
  return await readiness.until(decoded(image, address)) ? image : null
}

/** Prints a page on a face, and returns its image; without one, faint lines. */
async function print(face, book, shown, high) {
  const image = await imageOf(book, shown, high)
  if (image === null) {
    face.classList.add('ruled')
    return null
  }
  if (document.documentElement.dataset.light === 'night') {
    const tone = await import('../settings/tone.js').catch(() => null)
    tone?.toneOf(image)
  }
  face.append(image)
  return image
}

const isReversed = ({ direction }) => direction === 'rtl'
const coverOf = ({ cover }) => ({ page: Number.isInteger(cover) ? cover : 0 })

/** The open book of a place: its boards, the edges of its leaves and its two pages. */
export function openBook({ faces, share, count, shape }, facts, high) {
  const edges = thickness(share * (count - 1), count, isReversed(facts)).map((points) => points * high / PAGE)
  const pages = ['left', 'right'].map((side, n) => {
    const face = span('face')
    if (faces[n] !== null) print(face, facts.id, faces[n], high)
    return span(`page ${side}`, face, span('gutter'))
  })
  const root = span('volume open', span('cast'), span('edges'), ...pages, span('tail'))
  root.style.cssText = `height:${high}px;width:${high * shape}px;--left:${edges[0]}px;--right:${edges[1]}px`
  imageOf(facts.id, coverOf(facts), 0).then((cover) => {
    const colour = cover && boardColour(cover)
    if (colour) root.style.setProperty('--board', colour)
  })
  return root
}

/** A closed book, which has the shape of its cover, at most the given one. */
export function closedBook(facts, high, shape) {
  const face = span('face')
  print(face, facts.id, coverOf(facts), high).then((cover) => {
    if (cover === null) return
    const own = Math.min(high, high * shape * cover.naturalHeight / cover.naturalWidth)
    root.style.height = `${own}px`
    root.style.width = `${own * cover.naturalWidth / cover.naturalHeight}px`
    root.style.setProperty('--board', boardColour(cover) ?? '')
  })
  const root = span(`volume bound${isReversed(facts) ? ' mirrored' : ''}`,
    span('body', span('cast'), span('back'), span('block')), face)
  root.style.cssText = `height:${high}px;width:${high * shape}px;--r:${high * 20 / PAGE}px`
  return root
}
