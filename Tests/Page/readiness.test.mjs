import assert from 'node:assert/strict';
import test from 'node:test';
import { Readiness } from '../../Web/js/readiness.js';

/** A root element, its readiness, and a function that lays out the page. */
function page() {
  const attributes = new Map();
  const later = [];
  const root = {
    dataset: {},
    setAttribute: (name, value) => { attributes.set(name, String(value)); },
  };
  const readiness = new Readiness(root, (run) => later.push(run));
  const layOut = () => { for (const run of later.splice(0)) run(); };
  return { root, attributes, readiness, layOut };
}

test('a page loads until its last wait is over and what was loaded is laid out', () => {
  const { root, attributes, readiness, layOut } = page();
  const [one, other] = [readiness.begin(), readiness.begin()];
  readiness.stage(true, true);
  assert.equal(root.dataset.state, 'loading');
  assert.equal(attributes.get('aria-busy'), 'true');
  one();
  layOut();
  assert.equal(root.dataset.state, 'loading');
  other();
  assert.equal(root.dataset.state, 'loading');
  layOut();
  assert.equal(root.dataset.state, 'ready');
  assert.equal(attributes.get('aria-busy'), 'false');
});

test('a wait that follows another one at once never shows the page as ready', () => {
  const { root, readiness, layOut } = page();
  readiness.stage(true, true);
  const first = readiness.begin();
  first();
  const second = readiness.begin();
  layOut();
  assert.equal(root.dataset.state, 'loading');
  second();
  layOut();
  assert.equal(root.dataset.state, 'ready');
});

test('a wait ends once, however often it is ended', () => {
  const { root, readiness, layOut } = page();
  readiness.stage(true, true);
  const [one, other] = [readiness.begin(), readiness.begin()];
  one();
  one();
  layOut();
  assert.equal(root.dataset.state, 'loading');
  other();
  layOut();
  assert.equal(root.dataset.state, 'ready');
});

test('a promise is waited for whether it is kept or broken', async () => {
  for (const promise of [Promise.resolve(1), Promise.reject(new Error('no'))]) {
    const { root, readiness, layOut } = page();
    readiness.stage(true, true);
    const same = readiness.until(promise);
    assert.equal(same, promise);
    assert.equal(root.dataset.state, 'loading');
    await promise.catch(() => {});
    await null;
    layOut();
    assert.equal(root.dataset.state, 'ready');
  }
});

test('a wait without an end is over after fifteen seconds', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { root, readiness, layOut } = page();
  readiness.stage(true, true);
  readiness.begin();
  t.mock.timers.tick(14_999);
  layOut();
  assert.equal(root.dataset.state, 'loading');
  t.mock.timers.tick(1);
  layOut();
  assert.equal(root.dataset.state, 'ready');
});

test('motion shows at once, and a lost connection too', () => {
  const { root, readiness, layOut } = page();
  readiness.stage(true, true);
  layOut();
  assert.equal(root.dataset.state, 'ready');
  readiness.stage(true, false);
  assert.equal(root.dataset.state, 'moving');
  readiness.stage(false, false);
  assert.equal(root.dataset.state, 'lost');
  readiness.stage(true, true);
  layOut();
  assert.equal(root.dataset.state, 'ready');
});

test('a stage at rest loads until all that it shows is drawn, and one in motion moves', () => {
  const { root, attributes, readiness, layOut } = page();
  readiness.stage(true, true, false);
  assert.equal(root.dataset.state, 'loading');
  assert.equal(attributes.get('aria-busy'), 'true');
  readiness.stage(true, false, false);
  layOut();
  assert.equal(root.dataset.state, 'moving');
  readiness.stage(true, true, true);
  layOut();
  assert.equal(root.dataset.state, 'ready');
  assert.equal(attributes.get('aria-busy'), 'false');
});

test('a page that never rests again after its wait is not ready', () => {
  const { root, readiness, layOut } = page();
  const end = readiness.begin();
  readiness.stage(true, true);
  end();
  readiness.stage(true, false);
  layOut();
  assert.equal(root.dataset.state, 'moving');
});
