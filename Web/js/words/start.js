/**
 * The texts of the page, in a table for each area; this one contains those that the first picture may need. All
 * texts for the reader are in this folder. Each entry is a whole text, or a function for a text with a value or a
 * number. The rest of the page does not join entries, cut them or change their case.
 */

export const WORDS = {
  table: 'The table',
  notFetched: 'This could not be loaded. Try again when the connection is back.',
  onItsWay: (page) => `${page} is on its way`,
}
