import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import test from 'node:test';
import vm from 'node:vm';

const web = new URL('../../Web/', import.meta.url);
const read = (path) => readFileSync(new URL(`.${path}`, web));
const code = read('/sw.js').toString();

/** Runs the service worker with a network that answers as told; returns its parts. */
function worker(fetch, root = '/') {
  const handlers = {};
  const stored = new Map([['another', new Map()]]);
  const open = async (name) => {
    if (!stored.has(name)) stored.set(name, new Map());
    const files = stored.get(name);
    return { addAll: async (all) => { for (const { url } of all) files.set(url, `stored ${url}`); } };
  };
  const match = async (request) => [...stored.values()]
    .map((files) => files.get(typeof request === 'string' ? request : new URL(request.url).pathname))
    .find(Boolean);
  const scope = {
    caches: { open, match, keys: async () => [...stored.keys()], delete: async (name) => stored.delete(name) },
    fetch, URL, location: { href: `https://library.test${root}sw.js` }, skipWaiting: async () => {}, registration: {},
    Request: class { constructor(url) { this.url = url; } }, Response: { error: () => 'error' },
    addEventListener: (type, handler) => { handlers[type] = handler; },
  };
  vm.runInNewContext(`${code}; this.FILES = FILES; this.VERSION = VERSION`, scope);
  const run = async (type) => {
    let done;
    handlers[type]({ waitUntil: (promise) => { done = promise; } });
    await done;
  };
  const answer = async (url, mode) => {
    let given = null;
    handlers.fetch({ request: { url: `https://library.test${url}`, mode }, respondWith: (one) => { given = one; } });
    return given;
  };
  return { run, answer, stored, ...scope };
}

const broken = async () => { throw new TypeError('no network'); };

test('the version of the service worker is that of its files', () => {
  const hash = createHash('sha256');
  for (const path of worker(broken).FILES) hash.update(read(path));
  assert.equal(worker(broken).VERSION, `lectern-offline-${hash.digest('hex').slice(0, 8)}`);
});

test('it stores its few files only, and removes those of an earlier version', async () => {
  const { run, stored, FILES, VERSION } = worker(broken);
  await run('install');
  await run('activate');
  assert.deepEqual([...stored.keys()], [VERSION]);
  assert.deepEqual([...stored.get(VERSION).keys()], [...FILES]);
});

test('without a network, a page is the one that says so, and its files are there', async () => {
  const { run, answer } = worker(broken);
  await run('install');
  assert.equal(await answer('/r/abc/book/3', 'navigate'), 'stored /offline.html');
  assert.equal(await answer('/css/offline.css', 'no-cors'), 'stored /css/offline.css');
});

test('below a path, its files are those below that path', async () => {
  const { run, answer, FILES } = worker(broken, '/books/');
  await run('install');
  assert.equal(FILES[0], '/books/offline.html');
  assert.equal(await answer('/books/r/abc', 'navigate'), 'stored /books/offline.html');
  assert.equal(await answer('/books/css/offline.css', 'no-cors'), 'stored /books/css/offline.css');
});

test('the answers of the library are shown as they are, and other requests are left alone', async () => {
  const { run, answer } = worker(async ({ url }) => ({ status: url.endsWith('gone') ? 404 : 200, url }));
  await run('install');
  assert.equal((await answer('/', 'navigate')).status, 200);
  assert.equal((await answer('/gone', 'navigate')).status, 404);
  assert.equal((await answer('/css/offline.css', 'no-cors')).status, 200);
  assert.equal(await answer('/js/main.js', 'cors'), null);
  assert.equal(await answer('/api/books', 'cors'), null);
});

test('a proxy without a library behind it counts as no network', async () => {
  const { run, answer } = worker(async () => ({ status: 502 }));
  await run('install');
  assert.equal(await answer('/', 'navigate'), 'stored /offline.html');
});

test('the icons of the manifest have their sizes and are small', () => {
  const { icons, theme_color: theme, ...manifest } = JSON.parse(read('/manifest.webmanifest'));
  assert.equal(manifest.display, 'standalone');
  assert.match(read('/index.html').toString(), new RegExp(`theme-color" content="${theme}"`));
  const purposes = icons.map(({ src, sizes, type, purpose = 'any' }) => {
    const data = read(`/${src}`);
    if (type === 'image/png') {
      assert.equal(`${data.readUInt32BE(16)}x${data.readUInt32BE(20)}`, sizes, src);
      assert.ok(statSync(new URL(src, web)).size < 12_000, src);
    }
    return `${purpose} ${sizes}`;
  });
  for (const wanted of ['any 192x192', 'any 512x512', 'maskable 512x512']) assert.ok(purposes.includes(wanted));
});
