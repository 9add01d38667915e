/** The texts that the first picture may need; common.js says what a table is. */

export const WORDS = {
  program: 'Lectern',
  table: 'The table',
  notFetched: 'This could not be loaded. Try again when the connection is back.',
  onItsWay: (page) => `${page} is on its way`,

  /** How places are called. */
  places: {
    inside: {
      detail: 'The inside of the cover', position: 'the inside of the cover', numbers: 'the inside of the cover',
      label: 'the inside of the cover', titled: 'the inside of the cover',
    },
    page: (number) => `Page ${number}`,
    pages: (numbers) => `Pages ${numbers}`,
    onPage: (number) => `page ${number}`,
    onPages: (numbers) => `pages ${numbers}`,
    half: (number) => `Page ${number}, second half`,
    ofTotal: (numbers, total) => `${numbers} of ${total}`,
    books: (count) => (count === 1 ? '1 book' : `${count} books`),
    pageCount: (count) => (count === 1 ? '1 page' : `${count} pages`),
    closed: 'Cannot be opened',
    continuesOn: (place) => `Continue on ${place}`,
    empty: 'Your library is empty',
    noBook: (filter) => `No book here is called “${filter}”`,
    lostBook: 'A book that is no longer here',
    recordedShelf: 'A recorded shelf',
  },
}
