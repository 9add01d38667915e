/** The pointer of another member, drawn as a pointing hand with the tip of its finger at the origin. */

import { draw } from '../dom.js'

/** The outline has its finger to the left and is rotated by the style sheet; its lower line is heavier. */
const OUTLINE = 'M0 0C0-5 5-8 11-8C24-9 35-9 45-11C49-18 58-23 68-23C78-23 87-21 94-18L95-23C95-25 97-26 99-25L109-23' +
  'C112-22 113-20 113-17C117-2 117 14 113 28C113 31 110 32 108 32L97 33C94 33 93 31 93 29L92 27' +
  'C87 35 78 42 67 43C58 44 50 44 45 41C39 39 38 34 40 31C34 29 32 22 36 19C29 17 28 10 33 8' +
  'C25 8 18 9 10 8C5 8 0 5 0 0Z'
const SKIN = 'M3-.5C3-3.5 7-5.5 12-5.5C25-6 36-6.5 46-8.5C51-15.5 59-20 68-20C77-20 86-18 93-15C89-2 89 12 92 22' +
  'C86 29 77 36 67 37C60 38 53 38 49 36C45 34 44 32 46 29C50 28 55 27 58 25C62 21 62 18 57 16' +
  'C62 12 61 8 56 6C50 4 42 4 34 4C26 4 19 4.5 11 4C6 4 3 2.5 3-.5ZM36 9C43 8 50 8 54 9.5' +
  'C57 11 56 13.5 53 14.5C48 15.5 43 16 38 16.5C32 16 32 10 36 9ZM40 20C46 18.5 51 18 55 19' +
  'C58 20 57 22.5 54 23.5C50 25 47 26 43 27.5C37 27 36 21 40 20ZM98-22L108-20C110-20 110.5-18 111-16' +
  'C113.5-2 113 12 109.5 26L101 27C99 12 99-6 102-20.5C100-6 97 10 98 27.5L96 27C93 12 93-6 98-22Z'
const LINES = 'M46-9C41-5 45 1 53-.5C61-2 68-3 78 1C69-4.5 61-5 53-3C47-2 45-5 46-9ZM70 8C76 14 79 20 79 28' +
  'C77 21 74 15 70 8ZM82 6C85 12 86 18 86 24C84 18 83 12 82 6ZM46 29.5C53 27 60 28 62.5 31' +
  'C64.5 34.5 61 38 55 40C58.5 37 60 34 58 32.3C55.5 30.3 51 31 46 33Z'

export const handCursor = () => draw('svg', { class: 'handCursor', width: 1, height: 1 }, draw('g', {},
  draw('path', { d: OUTLINE, class: 'ink' }), draw('path', { d: SKIN, class: 'skin' }), draw('path', { d: LINES })))
