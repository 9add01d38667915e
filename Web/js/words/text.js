/** The texts for the words of the pages: the reading view, the mode in which text is selected, and going to a page. */

import { TABLES } from '../language.js'

export const WORDS = TABLES.text ?? {
  page: (label) => `Page ${label}`,

  select: 'Select text',
  selecting: 'Drag over the words to select them. Press Escape to turn pages again.',
  nothingToSelect: 'There are no words to select on these pages.',

  reader: {
    open: 'Reading view',
    text: 'The text of these pages',
    picture: 'This page is a picture without words.',
    notYet: 'The words of this page have not been read yet. Open this view again in a moment.',
    failed: 'The words of this page could not be loaded.',
    cover: 'This is the inside of the cover.',
    previous: 'Previous page',
    next: 'Next page',
    smaller: 'Smaller text',
    larger: 'Larger text',
    font: 'Font',
    fonts: { book: 'Garamond', plain: 'Sans serif', dyslexic: 'OpenDyslexic' },
  },

  fit: {
    title: 'Fit to the window',
    whole: 'Whole book',
    wholePage: 'Whole page',
    spread: 'Width of both pages',
    page: 'Width of a page',
    words: 'Width of the text',
    half: 'Half a page',
    noWords: 'There are no words to measure in this book, so the window shows the width of a page.',
  },

  go: {
    title: 'Go to a page',
    from: (place) => `${place}. Go to a page`,
    range: (first, last) => (first === last ? `Page ${first}` : `Pages ${first} to ${last}`),
    field: 'Page number',
    go: 'Go',
    none: (typed) => `There is no page ${typed} in this book.`,
  },

  all: 'All pages',
}
