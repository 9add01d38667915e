/** The texts of the settings. */

import { TABLES } from '../language.js'

export const WORDS = TABLES.settings ?? {
  title: 'Settings',
  where: 'For this browser',
  names: {
    light: 'Light', motion: 'Motion', text: 'Size of the lettering', sound: 'Sound of paper', vibration: 'Vibration',
    language: 'Language', typeSize: 'Type in this book',
  },
  light: { day: 'Day', night: 'Night', sepia: 'Sepia', system: 'As the system' },
  motion: { system: 'As the system', full: 'Full', reduced: 'Reduced' },
  text: { 100: '100 %', 125: '125 %', 150: '150 %' },
  language: { system: 'As the system', en: 'English', de: 'Deutsch' },
  typeSize: {
    standard: 'Standard', large: 'Large print', wait: 'The pages are being laid out …',
    title: (title) => `${title} (large print)`,
  },
  sample: 'Aa',
  plain: {
    title: 'Without HTTPS',
    lacks: 'At this address the screen may turn off while you read. Lectern cannot be installed as an app, and there ' +
      'is no page that says when the library cannot be reached.',
    remedy: ['The article ', { name: 'Behind a proxy' }, ' and the file ', { name: 'Caddyfile' },
      ' among Lectern’s examples show how to get HTTPS, also at home.'],
  },
}
