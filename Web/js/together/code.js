/** The six letters that open a room: I and O are not among them. */

export const LETTERS = 6
const NONE = /[^ABCDEFGHJKLMNPQRSTUVWXYZ]/g

/** The letters of what was typed or pasted, as many as a code has. */
export const codeIn = (text) => text.toUpperCase().replace(NONE, '').slice(0, LETTERS)
