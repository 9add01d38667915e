/** The texts of the page that is shown while the library cannot be reached. */

export const WORDS = {
  unreachable: 'The library cannot be reached',
  checkBoth: 'It may be switched off, or this device may have lost its network. Check both, then try again. ' +
    'Your place in each book is kept.',
  offline: 'You are offline',
  checkNetwork: 'Connect this device to its network, and the library opens again. Your place in each book is kept.',
  tryAgain: 'Try again',
}
