/** German for start.js. */

export const WORDS = {
  table: 'Der Tisch',
  notFetched: 'Das konnte nicht geladen werden. Bei bestehender Verbindung noch einmal versuchen.',
  onItsWay: (page) => `${page} ist unterwegs`,
}
