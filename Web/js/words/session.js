/** The texts about the connection, while it is lost and when it has ended for good. */

import { TABLES } from '../language.js'

export const WORDS = TABLES.session ?? {
  forgetful: 'This browser stores nothing, so your place in each book is lost when you close this page.',
  connecting: 'Connecting to the library',
  holding: 'Holding your place. We will carry on as soon as the connection returns.',
  holdingAt: (place) => `Holding your place. We will put you back on ${place} as soon as the connection returns.`,
  offline: 'You are offline; the book is held. We will carry on as soon as the connection returns.',
  offlineAt: (place) =>
    `You are offline; the book is held. We will put you back on ${place} as soon as the connection returns.`,
  late: 'Catching up',
  keyKept: 'This browser has the key of the library now.',
  silent: 'This room does not answer.',
  notice: (title, words) => (words === '' ? title : `${title}. ${words}`),

  noSocket: {
    title: 'The server answers, but the connection for the book does not come through',
    words: 'Most often a proxy in front of it does not forward WebSockets. ' +
      'The proxy has to pass on the headers Upgrade and Connection. This page keeps trying.',
  },
  noServer: {
    title: 'The server does not answer',
    words: 'It may be starting, or the network may be down. This page keeps trying.',
  },

  left: { title: 'You have left the session', words: 'The same link brings you back.', back: 'Come back' },

  ended: {
    home: 'Open a room of your own',
    tryAgain: 'Try again',
    readHere: 'Read here',
    reload: 'Reload',
    noRoom: { title: 'No room has that address', words: 'Ask for the link again.' },
    full: { title: 'This room is full', words: 'Try again when somebody has left.' },
    libraryKey: {
      title: 'This library needs a key',
      words: 'Open the address with the key that was printed when the server started, or ask the person who runs it.',
    },
    invitation: {
      title: 'The end of this link is missing',
      words: 'What follows # opens the room. A login page or a messenger may have cut it off. Type the six letters ' +
        'that the host sees, or open the link again.',
    },
    over: {
      title: 'This session is over',
      words: 'Its link no longer opens the room: the session was ended, or the links were replaced.',
    },
    wrongKey: {
      title: 'That key does not open this library',
      words: 'It was mistyped, or the library has another one now. Ask the person who runs the server.',
    },
    locked: { title: 'This room is locked', words: 'Ask somebody in the room to unlock it.' },
    byHost: (host) => `${host} closed the book`,
    closed: 'The host closed the book',
    readTogether: (pages) => (pages === 1 ? 'You read 1 page together.' : `You read ${pages} pages together.`),
    tries: { title: 'Too many wrong codes', words: 'Wait a minute, then try again.' },
    replaced: { title: 'This book is open in another window', words: '' },
    gone: { title: 'This room is gone', words: 'Its session has ended, or nobody used it for a long time.' },
    rooms: { title: 'Too many rooms were opened from here', words: 'Wait a minute, then try again.' },
    removed: { title: 'The host has removed you from this session', words: '' },
    other: 'The library has closed this page',
    wrongVersion: 'Unsupported protocol version. Reload the page.',
  },
}
