/** The code of six letters that opens a room; I and O are not used. */

export const LETTERS = 6
const NONE = /[^ABCDEFGHJKLMNPQRSTUVWXYZ]/g

/** The letters of a typed or pasted text, at most as many as a code has. */
export const codeIn = (text) => text.toUpperCase().replace(NONE, '').slice(0, LETTERS)
