import assert from 'node:assert/strict';
import test from 'node:test';

const QUARTER = 256 * 1024; // of a slice

/** A library that stores what it receives, and whose connection breaks on request. */
class FakeLibrary {
  offsets = [];
  stored = 0;
  size = 0;
  breaks = new Set();
  refuses = null;
  answers = [];

  begin({ size }) {
    this.size = size;
    return { status: 201, body: { id: 'u1', offset: 0 } };
  }

  slice(offset, length) {
    this.offsets.push(offset);
    const attempt = this.offsets.length;
    if (offset !== this.stored) return { status: 409, body: { error: 'Go on from there.' } };
    if (this.breaks.has(attempt)) {
      // Half of the slice arrived before the connection broke.
      this.stored += length / 2;
      return { status: 0 };
    }
    if (this.refuses) return this.refuses;
    this.stored += length;
    return { status: 200, body: { offset: this.stored } };
  }

  state() {
    const { stored: offset, size } = this;
    const end = offset === size ? { state: 'done', book: 'b7' } : { state: 'receiving' };
    return { status: 200, body: this.answers.shift() ?? { offset, size, ...end } };
  }
}

/** Serves the library through the page's fetch and XMLHttpRequest. */
function serve(library) {
  globalThis.sessionStorage ??= { getItem: () => null, setItem() {} };
  globalThis.addEventListener ??= () => {};
  globalThis.fetch = async (address, { method, body }) => {
    const { status, body: json } = method === 'POST' ? library.begin(JSON.parse(body)) : library.state();
    return { ok: status < 300, status, text: async () => JSON.stringify(json) };
  };
  globalThis.XMLHttpRequest = class {
    upload = {};
    #fields = {};
    open() {}
    setRequestHeader(name, value) { this.#fields[name] = value; }
    abort() {}
    send(part) {
      const { status, body, page } = library.slice(Number(this.#fields['Upload-Offset']), part.size);
      this.status = status;
      this.responseText = page ?? JSON.stringify(body ?? '');
      queueMicrotask(() => this.onloadend());
    }
  };
}

const { Transfer } = await import('../../Web/js/transfer.js');

const file = (bytes) => new File([new Uint8Array(bytes)], 'ferns.pdf');

async function run(library, bytes) {
  serve(library);
  const states = new Set();
  const transfer = new Transfer(file(bytes), ({ state }) => states.add(state));
  await transfer.run();
  return { transfer, states: [...states] };
}

test('a file is sent in slices of 1 MiB, each with its offset, and becomes a book', async () => {
  const library = new FakeLibrary();
  const { transfer, states } = await run(library, 9 * QUARTER);
  assert.deepEqual(library.offsets, [0, 4 * QUARTER, 8 * QUARTER]);
  assert.equal(transfer.book, 'b7');
  assert.deepEqual(states, ['sending', 'importing', 'done']);
});

test('a proxy that accepts only smaller bodies gets smaller slices, down to a limit', async () => {
  const library = new FakeLibrary();
  const { slice } = library;
  library.slice = function (offset, length) {
    return length > QUARTER ? { status: 413, page: '<h1>413</h1>' } : slice.call(this, offset, length);
  };
  const { transfer } = await run(library, 3 * QUARTER);
  assert.deepEqual(library.offsets, [0, QUARTER, 2 * QUARTER]);
  assert.equal(transfer.state, 'done');
  const small = new FakeLibrary();
  small.slice = () => ({ status: 413, page: '<h1>413</h1>' });
  assert.equal((await run(small, 3 * QUARTER)).transfer.state, 'failed');
  // The library's own answer is final.
  const full = new FakeLibrary();
  let count = 0;
  full.slice = () => {
    count += 1;
    return { status: 413, body: { error: 'too large', notice: { code: 'uploadTooLarge', values: {} } } };
  };
  assert.equal((await run(full, 3 * QUARTER)).transfer.state, 'failed');
  assert.equal(count, 1);
});

test('after a lost connection the upload continues with the first missing byte', async () => {
  const library = new FakeLibrary();
  library.breaks.add(2);
  const { transfer, states } = await run(library, 9 * QUARTER);
  assert.deepEqual(library.offsets, [0, 4 * QUARTER, 6 * QUARTER]);
  assert.equal(transfer.state, 'done');
  assert.ok(states.includes('interrupted'));
});

test('the reader sees the library\'s error', async () => {
  const library = new FakeLibrary();
  const notice = { code: 'uploadTooLarge', values: { limit: '1048576' } };
  library.refuses = { status: 413, body: { error: 'No.', notice } };
  const { transfer } = await run(library, QUARTER);
  assert.equal(transfer.state, 'failed');
  assert.equal(transfer.error, 'This file is larger than 1 MiB.');
});

test('a file that cannot be read has an error', async () => {
  const library = new FakeLibrary();
  const notice = { code: 'uploadEmpty', values: {} };
  library.answers = [{ state: 'importing' }, { state: 'failed', error: 'No.', notice }];
  const { transfer } = await run(library, QUARTER);
  assert.equal(transfer.state, 'failed');
  assert.equal(transfer.error, 'This file is empty. Choose one with pages in it.');
});

test('an upload that needs a key says so, and the next attempt continues it', async () => {
  const library = new FakeLibrary();
  library.refuses = { status: 401, body: { error: 'This needs the key.' } };
  const { transfer } = await run(library, QUARTER);
  assert.equal(transfer.needsKey, true);
  library.refuses = null;
  await transfer.run();
  assert.equal(transfer.state, 'done');
  assert.deepEqual(library.offsets, [0, 0]);
});

test('another attempt is offered only if the library says that it can help', async () => {
  const failing = async (answer) => {
    const library = new FakeLibrary();
    library.answers = [{ state: 'failed', error: 'No.', ...answer }];
    return (await run(library, QUARTER)).transfer.canRetry;
  };
  assert.equal(await failing({ retry: true }), true);
  assert.equal(await failing({ retry: false }), false);
  assert.equal(await failing({}), false);
  const refusing = async (status, body) => {
    const library = new FakeLibrary();
    library.refuses = { status, body };
    return (await run(library, QUARTER)).transfer.canRetry;
  };
  assert.equal(await refusing(413, { error: 'Too large.' }), false);
  assert.equal(await refusing(413, { error: 'Too large.', retry: true }), true);
  assert.equal(await refusing(507, { error: 'Full.' }), true);
  assert.equal(await refusing(507, { error: 'Full.', retry: false }), false);
});

test('a restarted library gets what it has lost', async () => {
  const library = new FakeLibrary();
  const state = library.state.bind(library);
  let isAnew = true;
  library.state = () => {
    if (isAnew) library.stored = 4 * QUARTER;
    isAnew = false;
    return state();
  };
  const { transfer } = await run(library, 9 * QUARTER);
  assert.equal(transfer.state, 'done');
  assert.deepEqual(library.offsets, [0, 4 * QUARTER, 8 * QUARTER, 4 * QUARTER, 8 * QUARTER]);
});

test('an answer that is not the library\'s gives an error for the reader', async () => {
  for (const body of [null, [], 'sorry', { id: 7, offset: 0 }, { id: 'u1', offset: 'x' }]) {
    const library = new FakeLibrary();
    library.begin = () => ({ status: 201, body });
    serve(library);
    const transfer = new Transfer(file(QUARTER), (one) => { if (one.state === 'interrupted') one.cancel(); });
    await transfer.run();
    assert.equal(transfer.state, 'cancelled', JSON.stringify(body));
    assert.deepEqual(library.offsets, []);
  }
});

test('a cancelled upload sends nothing more', async () => {
  const library = new FakeLibrary();
  serve(library);
  const transfer = new Transfer(file(9 * QUARTER), (one) => { if (one.sent > 0) one.cancel(); });
  await transfer.run();
  assert.equal(transfer.state, 'cancelled');
  assert.ok(library.offsets.length < 3);
});
