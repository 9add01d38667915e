/** German for printing.js. */

export const WORDS = {
  title: 'Drucken',
  visible: (count) => (count === 1 ? 'Die offene Seite' : 'Die offenen Seiten'),
  range: 'Mehrere Seiten',
  from: 'Von Seite',
  to: 'Bis Seite',
  print: 'Drucken',
  loading: 'Geladene Seiten',
  loaded: (count, all) => `${count} von ${all} Seiten sind geladen`,
  tooMany: (count, most) => `Das sind ${count} Seiten. Auf einmal lassen sich höchstens ${most} drucken.`,
  failed: (label) =>
    `Seite ${label} ließ sich nicht laden, daher wurde nichts gedruckt. Bitte gleich noch einmal versuchen.`,
}
