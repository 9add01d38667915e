/** The texts that the first picture may need; common.js says what a table is. */

export const WORDS = {
  table: 'The table',
  notFetched: 'This could not be loaded. Try again when the connection is back.',
  onItsWay: (page) => `${page} is on its way`,
}
