/**
 * The texts of all screens: the bar, sheets, and the library's errors. All texts for the reader are in the tables of
 * this folder. An entry is a whole text, a function for a text with a value or a number, or a list: a sentence in
 * which {name} is a name. The rest of the page does not join entries, cut them or change their case.
 */

import { TABLES } from '../language.js'

export const WORDS = TABLES.common ?? {
  program: 'Lectern',
  tryAgain: 'Try again',
  noImage: 'This image cannot be shown. Save it again.',
  oneMoment: 'One moment',
  cancel: 'Cancel',
  notNow: 'Not now',

  bar: {
    back: 'Back',
    share: 'Share',
    settings: 'Light and settings',
    takesNoBooks: 'This library does not accept books from here.',
    dropHere: 'Drop the books here',
    dropOnShelf: (shelf) => ['They will be on the shelf ', { name: shelf }, '.'],
  },

  wayBack: {
    closeBook: 'Close the book',
    allShelves: 'All shelves',
    others: 'Back to the others',
    standUp: 'Stand the book up',
    toShelf: 'To the shelf',
    leave: 'Leave the session',
  },

  sheet: { close: 'Close' },

  api: {
    refused: {
      401: 'The library needs its key before you can change anything.',
      403: 'This library does not let you change that from here.',
      404: 'This is not in the library any more.',
      413: 'This is larger than the library accepts.',
      429: 'Too many requests. Wait a moment, then try again.',
    },
    failed: (status) => `The library could not do that (${status}). Try again in a moment.`,
    garbled: 'The answer is not from the library. Try again in a moment.',
    silent: 'The library does not answer. Try again when the connection is back.',
    key: 'Key of the library',
    useKey: 'Use it',
  },

  fault: {
    readable: 'This book can be read now.',
    named: (title) => `${title} can be read now.`,
    unreadable: 'This copy could not be read.',
    password: 'Password of this book',
    unlock: 'Unlock',
  },
}
