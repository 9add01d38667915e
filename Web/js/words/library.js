/** The texts of the shelves: controls, finding, adding and correcting books, and recordings. */

import { TABLES } from '../language.js'

export const WORDS = TABLES.library ?? {
  label: 'The book in the middle',
  turn: 'Turn',
  about: 'About this book',
  add: 'Add a book',
  find: 'Find a book',
  recordings: 'Recordings',
  join: 'Join',
  joinWithCode: '\u00a0with a code',
  open: (title) => `Open ${title}`,
  previousBook: 'Previous book',
  nextBook: 'Next book',
  slide: 'Book on the shelf',
  wall: 'All covers',
  row: 'One cover at a time',
  up: 'Further up',
  down: 'Further down',

  continue: {
    title: 'Continue reading',
    begin: 'Begin reading',
    inside: 'the inside of the cover',
    page: (number) => `page ${number}`,
    pages: (numbers) => `pages ${numbers}`,
    at: (title, place) => [{ name: title }, `, ${place}`],
    isOpen: (title, place) => [{ name: title }, ` is open at ${place}`],
  },

  nothingFound: (filter) => `No book matches “${filter}”`,
  findOtherwise: 'Try a part of its title, or the name of the author.',
  showAll: 'Show all books',
  importing: (done, total) => `${done.toLocaleString('en')} of ${total.toLocaleString('en')} books`,
  comingIn: 'Your books are coming in',
  empty: 'Your library is empty. Add a book',
  dropBook: 'Drop a book anywhere here: PDF, comic, EPUB, or a folder of pictures.',
  emptyForGuests: 'Your library is empty',
  noBookYet: 'There is no book in this library yet.',
  chooseFiles: 'Choose files',

  finder: {
    found: 'Books found',
    order: 'Order of the books',
    orders: { shelved: 'As shelved', title: 'By title', added: 'Newest first', lastRead: 'Last read' },
    searchPages: (words) => `Search all pages for “${words}”`,
  },

  edit: {
    title: 'Title',
    author: 'Author',
    read: 'Read',
    directions: { ltr: 'From left to right', rtl: 'From right to left' },
    paper: 'Paper',
    stocks: { paper: 'Paper', card: 'Card', board: 'Board' },
    firstPage: 'Pages begin',
    begin: { false: 'On the usual side', true: 'On the other side' },
    widePages: 'Wide pages',
    wide: { true: 'Over both pages', false: 'On one page' },
    cover: 'Page for the cover',
    coverPicture: 'The page chosen for the cover',
    save: 'Save',
  },

  bin: {
    name: 'Deleted books',
    kept: 'Books stay here for 30 days.',
    none: 'There is no deleted book.',
    delete: 'Delete',
    undo: 'Undo',
    isIn: (title) => `${title} was deleted.`,
    isBack: (title) => `${title} is back on its shelf.`,
    since: (date) => `Deleted on ${date}`,
    hidden: 'Hidden; its file stays in the folder of the library',
    restore: (title) => `Bring ${title} back`,
    back: 'Bring back',
    empty: 'Empty',
    forGood: 'The books and their files cannot be brought back.',
  },

  upload: {
    kinds: 'PDF, comic, EPUB, or a folder of pictures',
    unreadable: (reason) => `These files could not be read: ${reason}`,
    waiting: 'Waiting',
    progress: (sent, size) => `${bytes(sent)} of ${bytes(size)}`,
    interrupted: 'The connection was lost. The upload continues when it is back.',
    importing: 'The file has arrived. Opening the book',
    done: 'On the shelf',
    cancelled: 'Cancelled',
    opening: 'Opening',
    adding: (percent) => `Adding, ${percent} %`,
    onShelf: (name) => `${name} is on the shelf.`,
    show: 'Show',
    cancel: 'Cancel',
    remove: (name) => `Remove ${name} from the list`,
    notTaken: 'The library did not accept the file. Try again in a moment.',
    lost: 'The connection was lost.',
    tooManyPictures: (name, most) => `${name} has more than ${most} pictures.`,
    tooLarge: (name) => `${name} has more than 4 GB of pictures.`,
  },

  tapes: {
    none: 'There are no recordings yet. To make one, share a book and record the session.',
    delete: 'Delete',
    deleted: 'It cannot be brought back.',
    gone: 'Deleted',
  },
}

const UNITS = [['GB', 1e9], ['MB', 1e6], ['KB', 1e3]]

/** A number of bytes in words. */
export function bytes(count) {
  const [unit, size] = UNITS.find(([, least]) => count >= least) ?? ['bytes', 1]
  const value = count / size
  return `${size === 1 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${unit}`
}
