/**
 * The texts of reading together: members, the strip, sharing, joining, and the playing of recordings. A list is a
 * sentence in which {name} is a name, set in italics.
 */

import { TABLES } from '../language.js'

const NUMBERS = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten']

export const WORDS = TABLES.together ?? {
  close: 'Close',
  notNow: 'Not now',
  sharedBook: 'the shared book',

  people: {
    group: 'Readers',
    readers: (count) => (count === 1 ? 'One reader' : `${NUMBERS[count] ?? count} readers`),
    youHold: 'You have the book',
    raised: (names) => `${names.join(', ')}: hand raised`,
    recorded: 'This session is being recorded',
    all: (facts) => `${facts.join('. ')}. Show everybody`,
    more: (count) => `+${count}`,
    raise: 'Raise your hand',
    lower: 'Take your hand down',
    noInitial: '·',
  },

  turning: {
    anyone: () => 'Anyone may turn the page',
    choosing: (name) => `${name} is choosing a book`,
    nobody: () => 'Nobody has the book',
    away: (name) => `${name} is away for a moment`,
    presenter: (name) => `${name} is turning the pages`,
  },

  bookActs: {
    catchUp: 'Catch up',
    takeBack: 'Take the book back',
    take: 'Take the book',
    withdraw: 'Asked',
    ask: 'Ask for the book',
  },

  facts: {
    all: (facts) => facts.join(', '),
    you: 'you',
    holds: 'has the book',
    host: 'host',
    mayLead: 'may lead',
    choosing: 'is choosing a book',
    again: 'another window',
    elsewhere: 'reads elsewhere',
    raised: 'hand raised',
    asks: 'would like the book',
    offered: 'is offered the book',
    away: 'away',
    left: 'has left',
    hidden: 'looks elsewhere',
    slow: 'on a slow connection',
    inStep: 'in step',
    behind: 'behind',
    inTime: (error, roundTrip) => `in time within ${error}\u00a0ms, round trip ${roundTrip}\u00a0ms`,
  },

  pointing: { follow: (name) => `Go to where ${name} points` },

  guests: {
    title: 'Around the book',
    recorded: (readers) => `${readers}. This session is being recorded`,
    change: 'Change',
    lead: 'May lead',
    follow: 'Only follows',
    remove: 'Remove',
    sureToRemove: (name) => `Remove ${name}?`,
    offer: 'Give the book',
    lower: 'Lower hand',
    layDown: 'Lay the book down',
  },

  strip: {
    label: 'Reading together',
    putAway: 'Close',
    handsYou: (name) => [{ name }, ' hands you the book.'],
    hostHandsYou: ['The host hands you the book.'],
    takeIt: 'Take it',
    asks: (name) => [{ name }, ' would like the book.'],
    handOver: 'Hand it over',
    backToIt: 'Back to it',
    backToOthers: 'Back to the others',
    linkOpens: (book) => ['Your link opens ', { name: book }, '.'],
    choose: (book) => ['Choose a book. The others stay with ', { name: book }, '.'],
    shareInstead: 'Share this book instead',
    bring: 'Bring everyone here',
    linkStillOpens: (book) => ['Your link still opens ', { name: book }, '.'],
    stay: (book) => ['The others stay with ', { name: book }, '.'],
    readAlone: 'Read alone',
    alone: (name, place, book) =>
      ['You read alone. ', { name }, ` is on ${place} of `, { name: book }, '.'],
    aloneFromOthers: (place, book) => [`You read alone. The others are on ${place} of `, { name: book }, '.'],
    choosing: (name) => [{ name }, ' is choosing a book.'],
    choosingWhileYouStay: (name, book) => [{ name }, ' is choosing a book. You stay with ', { name: book }, '.'],
    goTo: (name, place) => `Go to ${name}, ${place}`,
    ribbon: (name, pages) => `${name}, ${pages}`,
  },

  /** Two sentences: the place of the reader, then that of the others. */
  wandered: {
    to: (place) => `You have wandered to ${place}.`,
    off: 'You have wandered off.',
    atShelf: (name) => [{ name }, ' is at the shelf.'],
    othersAtShelf: ['The others are at the shelf.'],
    inOtherBook: (name) => [{ name }, ' is in another book.'],
    othersInOtherBook: ['The others are in another book.'],
    onPages: (name, place) => [{ name }, ` is on ${place}.`],
    othersOnPages: (place) => [`The others are on ${place}.`],
  },

  news: {
    isRecorded: () => ['This session is being recorded.'],
    recordingEnded: () => ['The recording has ended.'],
    holderLeft: (name) => [{ name }, ' has left. You have the book now.'],
    keepsBook: (name) => [{ name }, ' keeps the book for now.'],
    leavesBook: (name) => [{ name }, ' leaves the book with you.'],
    raisesHand: (name) => [{ name }, ' raises a hand.'],
  },

  leave: {
    title: 'Leave the session?',
    words: 'The others read on. The same link brings you back.',
    stay: 'Stay',
    leave: 'Leave',
  },

  persona: {
    title: 'Your name here',
    name: 'Your name',
    colour: 'Colour',
    colours: ['Brown', 'Green', 'Plum', 'Blue', 'Straw', 'Moss'],
    use: 'Use it',
    cancel: 'Cancel',
  },

  share: {
    title: 'Read together',
    room: 'This room',
    here: 'Anyone who opens this link joins you on this page.',
    book: (title) => `Anyone who opens this link sees “${title}”.`,
    sharedBook: 'Anyone who opens this link sees the shared book.',
    link: 'Link',
    copyLink: 'Copy link',
    copied: 'Copied',
    copyByHand: 'Copy it by hand',
    thisMachine: ['This link works on this machine only. Start Lectern with ', { name: '--listen 0.0.0.0' },
      ' to let others in.'],
    otherWindow: 'The link was created in another window. Create new links to have one here.',
    code: (letters) => `Code ${letters.join(' ')}`,
    where: (address, minutes) => (minutes === 1
      ? `or type this code at ${address}, within 1 minute`
      : `or type this code at ${address}, within ${minutes} minutes`),
    picture: 'The link as a code for a camera',
    more: 'More about this room',
    back: 'Back to the link',
    whoTurns: 'Who turns the pages?',
    turns: { anyoneTurns: 'Anyone here', hostLeads: 'Only you', passTheBook: 'The reader with the book' },
    anyone: 'Anyone here may turn the page',
    passed: 'The book is passed on',
    locked: 'Nobody else can join',
    wander: 'Readers may turn pages on their own',
    shelf: 'Share the whole shelf',
    record: 'Record this session',
    lead: 'Copy a link for somebody who may lead',
    short: 'Copy a link that survives a login page',
    renew: 'New links',
    sureToRenew: 'The old links stop working.',
    renewed: 'The earlier links no longer work.',
    end: 'End the session',
    sureToEnd: 'This closes the book for the others.',
    endIt: 'End it',
  },

  joining: {
    letters: 'The six letters',
    title: 'Join with a code',
    words: 'Six letters, from the person who shares the book.',
    go: 'Join',
    incomplete: 'A code has six letters; I and O are never among them.',
    noRoom: (letters) => `No room has the code ${letters}`,
    check: 'Check the letters with the person who sent them, or ask for a new code.',
    again: 'Type it again',
    back: 'Go back',
  },

  playback: {
    recording: 'Recording',
    moment: 'Moment of the recording',
    putAway: 'Close the recording',
    pause: 'Pause',
    play: 'Play',
    again: 'Play again',
    end: 'The end',
    place: (moment, length) => `${moment} of ${length}`,
  },
}
