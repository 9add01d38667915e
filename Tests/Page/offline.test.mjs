import assert from 'node:assert/strict';
import test from 'node:test';

/** A node of a page without a browser. */
class Node extends EventTarget {
  dataset = {};
  hidden = true;

  append() {}

  querySelector() { return null; }

  querySelectorAll() { return []; }
}

/** Another one for each test, as the controllers of earlier tests still listen. */
let page = new EventTarget();
const document = Object.assign(new Node(), {
  visibilityState: 'visible', head: new Node(), body: new Node(), createElement: () => new Node(),
  getElementById: () => new Node(),
});
Object.assign(globalThis, {
  document, window: page, navigator: {}, location: { pathname: '/', hash: '' }, matchMedia: () => new Node(),
  addEventListener: (...values) => page.addEventListener(...values),
});
const { app } = await import('../../Web/js/app.js');
const { SessionController } = await import('../../Web/js/session/controller.js');
const { WORDS } = await import('../../Web/js/words/session.js');

const DEAF = 600; // ms within which the server must answer

/** A page with a connection, whose timers the test controls. */
function start(t) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  page = new EventTarget();
  const notices = [];
  const connection = {
    isWelcome: true, isOpen: true, room: 'A', sent: 0, opened: 0,
    send() { this.sent += 1; }, open() { this.opened += 1; },
    drop() {
      Object.assign(this, { isWelcome: false, isOpen: false });
      controller.handle({ type: 'closed', code: 1006 });
    },
  };
  Object.assign(app, { connection, notice: (words) => notices.push(words) });
  const controller = new SessionController();
  const report = (isOnLine) => {
    Object.defineProperty(globalThis, 'navigator', { value: { onLine: isOnLine }, configurable: true });
    page.dispatchEvent(new Event(isOnLine ? 'online' : 'offline'));
  };
  return { connection, controller, notices, report, pass: (ms) => t.mock.timers.tick(ms) };
}

test('a connection on which the server still answers is kept, whatever the browser reports', (t) => {
  const { connection, controller, notices, report, pass } = start(t);
  report(false);
  assert.equal(connection.sent, 1);
  pass(DEAF - 1);
  controller.handle({ type: 'room' });
  pass(10 * DEAF);
  assert.deepEqual([connection.isWelcome, notices], [true, []]);
});

test('a silent connection ends soon after the browser reports that it is offline, and the page says so', (t) => {
  const { connection, notices, report, pass } = start(t);
  report(false);
  pass(DEAF - 1);
  assert.deepEqual([connection.isWelcome, notices], [true, []]);
  pass(1);
  assert.deepEqual([connection.isWelcome, notices[0]], [false, WORDS.offline]);
});

test('without a connection, the page says at once that the browser is offline', (t) => {
  const { connection, notices, report } = start(t);
  connection.isWelcome = false;
  report(false);
  assert.deepEqual(notices, [WORDS.offline]);
});

test('a page that is online again reconnects at once', (t) => {
  const { connection, report, pass } = start(t);
  report(false);
  pass(DEAF);
  const { opened } = connection;
  report(true);
  assert.equal(connection.opened, opened + 1);
});
