/**
 * The texts of the page, screen by screen; these are the ones that the first picture may need. Nothing outside
 * this folder says anything to a reader. Each entry is a whole text: an entry with something to fill in is a
 * function, and so is one that depends on a number. Nobody joins entries, cuts them or changes their case.
 */

export const WORDS = {
  table: 'The table',
  notFetched: 'This could not be loaded. Try again when the connection is back.',
  onItsWay: (page) => `${page} is on its way`,
}
