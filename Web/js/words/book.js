/** The texts of the open book: its controls, contents, search and pages. */

import { TABLES } from '../language.js'

export const WORDS = TABLES.book ?? {
  book: 'The book',
  page: 'Page',
  contents: 'Contents',
  search: 'Search',
  previousPage: 'Previous page',
  nextPage: 'Next page',
  point: 'Point',
  layFlat: 'Lay the book flat',
  standUp: 'Stand the book up',
  zoom: 'Zoom',
  smaller: 'Smaller',
  larger: 'Larger',
  whole: 'Whole book',
  pan: { left: 'To the left', up: 'Up', down: 'Down', right: 'To the right' },
  more: 'More',
  full: 'Full screen',
  leaveFull: 'Leave full screen',
  noFull: 'This browser does not allow full screen.',
  waiting: 'The next page is on its way',
  inChapter: (pages, chapter) => `${pages}. ${chapter}`,

  noContents: 'This book has no table of contents. Slide the ribbon below the book instead.',
  unnamed: 'Untitled',

  linkToPage: (label) => `To page ${label}`,
  linkTo: (place) => `To ${place}`,
  leaving: (place) => `This page wants to open ${place}`,
  open: 'Open',
  stay: 'Stay',

  finder: {
    field: 'Words to search for',
    where: 'Where',
    inBook: (title) => `In ${title}`,
    inThisBook: 'In this book',
    everywhere: 'In all books',
    nothingInLibrary: (words) => `Nothing in the library says “${words}”`,
    nothingInBook: (words) => `Nothing in this book says “${words}”`,
    pictures: 'This book has no words to search: its pages are pictures',
    notYet: 'Nothing so far: the words of this book are still being read',
    places: (count) => (count === 1 ? 'One place' : `${count} places`),
    firstPlaces: (count) => `The first ${count} places`,
    titles: (count) => (count === 1 ? 'One title' : `${count} titles`),
    position: (number, count) => `${number} of ${count}`,
    previous: 'Previous place',
    next: 'Next place',
    end: 'End the search',
  },
}
