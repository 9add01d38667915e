/** German for settings.js. */

export const WORDS = {
  title: 'Einstellungen',
  where: 'Für diesen Browser',
  names: {
    light: 'Licht', motion: 'Bewegung', text: 'Schriftgröße', sound: 'Geräusch von Papier', vibration: 'Vibration',
    language: 'Sprache',
  },
  light: { day: 'Tag', night: 'Nacht', sepia: 'Sepia', system: 'Wie das System' },
  motion: { system: 'Wie das System', full: 'Voll', reduced: 'Verringert' },
  text: { 100: '100 %', 125: '125 %', 150: '150 %' },
  language: { system: 'Wie das System', en: 'English', de: 'Deutsch' },
  sample: 'Aa',
}
