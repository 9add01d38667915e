/** The hints on the table, and the sheet of keys and gestures: pairs of how and what. */

import { TABLES } from '../language.js'

export const WORDS = TABLES.help ?? {
  touch: {
    list: 'Tap a shelf to look at its books',
    shelf: 'Tap a book to open it',
    wall: 'Pinch to see all covers',
    turn: 'Drag the corner of a page to turn it',
    flat: 'Spread two fingers to lay the book flat',
  },
  mouse: {
    list: 'Click a shelf to look at its books',
    shelf: 'Click a book to open it',
    wall: 'Press − to see all covers',
    turn: 'Drag the corner of a page to turn it',
    flat: 'Press F to lay the book flat',
  },
  title: 'Keys and gestures',
  gestures: 'By hand',
  byHand: [
    ['Tap a book', 'Open it'],
    ['Drag or swipe a page', 'Turn it'],
    ['Tap beside the middle', 'Turn the page'],
    ['Turn twice past the end, or pull far', 'Close the book'],
    ['Spread two fingers', 'Open, lay flat, then zoom'],
    ['Pinch', 'Back: stand up, close, see all covers'],
    ['Tap twice', 'Lay flat or stand up'],
    ['Tap the middle', 'Show the controls'],
  ],
  keys: 'By key',
  byKey: [
    [['←', '→'], 'Previous and next page or book'],
    [['Page Up', 'Page Down'], 'Previous and next page'],
    [['Home', 'End'], 'First and last page'],
    [['Enter'], 'Open'],
    [['Esc'], 'Back'],
    [['F'], 'Lay flat or stand up'],
    [['+', '−', '0'], 'Zoom, all covers, whole book'],
    [['W'], 'Fit to the window'],
    [['G'], 'Go to a page'],
    [['R'], 'Reading view'],
    [['T'], 'Select text'],
    [['L'], 'Point'],
    [['Ctrl', 'P'], 'Print'],
    [['?'], 'This list'],
  ],
}
