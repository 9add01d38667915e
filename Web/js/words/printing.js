/** The texts of the sheet on which pages to print are chosen. */

import { TABLES } from '../language.js'

export const WORDS = TABLES.printing ?? {
  title: 'Print',
  visible: (count) => (count === 1 ? 'The open page' : 'The open pages'),
  range: 'A range of pages',
  from: 'From page',
  to: 'To page',
  print: 'Print',
  loading: 'Pages that are ready',
  loaded: (count, all) => `${count} of ${all} pages are ready`,
  tooMany: (count, most) => `These are ${count} pages. At most ${most} can be printed at once.`,
  failed: (label) => `Page ${label} could not be loaded, so nothing was printed. Try again in a moment.`,
}
