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
const browser = { onLine: true };
const document = Object.assign(new Node(), {
  visibilityState: 'visible', head: new Node(), body: new Node(), createElement: () => new Node(),
  getElementById: () => new Node(), addEventListener: (...values) => page.addEventListener(...values),
});
Object.assign(globalThis, {
  document, window: page, navigator: browser, location: { pathname: '/', hash: '' }, matchMedia: () => new Node(),
  addEventListener: (...values) => page.addEventListener(...values),
});
const { app } = await import('../../Web/js/app.js');
const { SessionController } = await import('../../Web/js/session/controller.js');
const { WORDS } = await import('../../Web/js/words/session.js');

const DOUBT = 1000; // ms within which the server must answer

const STEP = 10; // ms

/** A page with a connection, whose time the test controls. */
function start(t) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const pass = (ms) => {
    for (const end = now + ms; now < end;) {
      const step = Math.min(STEP, end - now);
      now += step;
      t.mock.timers.tick(step);
    }
  };
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
    browser.onLine = isOnLine;
    page.dispatchEvent(new Event(isOnLine ? 'online' : 'offline'));
  };
  const see = (isSeen) => {
    document.visibilityState = isSeen ? 'visible' : 'hidden';
    page.dispatchEvent(new Event('visibilitychange'));
  };
  return { connection, controller, notices, report, see, pass };
}

test('a connection on which the server still answers is kept, whatever the browser reports', (t) => {
  const { connection, controller, notices, report, pass } = start(t);
  report(false);
  assert.equal(connection.sent, 1);
  pass(DOUBT - 1);
  controller.handle({ type: 'room' });
  pass(5 * DOUBT);
  assert.deepEqual([connection.isWelcome, notices], [true, []]);
});

test('a silent connection ends soon after the browser reports that it is offline, and the page says so', (t) => {
  const { connection, notices, report, pass } = start(t);
  report(false);
  pass(DOUBT - 1);
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
  pass(DOUBT);
  const { opened } = connection;
  report(true);
  assert.equal(connection.opened, opened + 1);
});

test('a page that is seen again replaces a connection that does not answer within a second', (t) => {
  const { connection, see, pass } = start(t);
  see(false);
  pass(60_000);
  assert.deepEqual([connection.sent, connection.isWelcome], [0, true]);
  see(true);
  pass(DOUBT - 1);
  assert.deepEqual([connection.isWelcome, connection.opened], [true, 0]);
  pass(2);
  assert.deepEqual([connection.isWelcome, connection.opened], [false, 1]);
});

test('a page that is seen again keeps a connection that answers, and one that is slow but known to be', (t) => {
  const { connection, controller, see, pass } = start(t);
  Object.assign(app, { clock: { follow() {} } });
  controller.handle({ type: 'clock', clientTime: performance.now() - 1500, serverTime: 0 });
  see(false);
  see(true);
  pass(3 * DOUBT);
  assert.equal(connection.isWelcome, true);
  controller.handle({ type: 'room' });
  pass(DOUBT);
  assert.equal(connection.isWelcome, true);
});
