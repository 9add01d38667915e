/** The service worker: while the library cannot be reached, it shows a page that says so. It stores nothing else. */

/** The fingerprint of the files, which app.test.mjs checks: another one stores them again. */
const VERSION = 'lectern-offline-396806c7'
const PAGE = './offline.html'
const FILES = [
  PAGE, './css/offline.css', './js/settings/offline.js', './js/language.js', './js/words/offline.js',
  './js/words/de/offline.js',
].map((file) => new URL(file, location.href).pathname)
/** The answers of a proxy in front of a library that does not answer. */
const UNANSWERED = [502, 504]

async function store() {
  const cache = await caches.open(VERSION)
  await cache.addAll(FILES.map((file) => new Request(file, { cache: 'reload' })))
  await skipWaiting()
}

async function tidy() {
  for (const name of await caches.keys()) if (name !== VERSION) await caches.delete(name)
  // The request need not wait until this worker runs.
  await registration.navigationPreload?.enable()
}

async function page({ request, preloadResponse }) {
  try {
    const answer = await preloadResponse ?? await fetch(request)
    // In Firefox, a request that failed in advance is an answer, too.
    if (answer.type !== 'error' && !UNANSWERED.includes(answer.status)) return answer
  } catch {
    // The page below says what is wrong.
  }
  return await caches.match(FILES[0]) ?? Response.error()
}

const file = async (request) => {
  try {
    return await fetch(request)
  } catch {
    return await caches.match(request) ?? Response.error()
  }
}

addEventListener('install', (event) => event.waitUntil(store()))
addEventListener('activate', (event) => event.waitUntil(tidy()))
addEventListener('fetch', (event) => {
  const { request } = event
  if (request.mode === 'navigate') event.respondWith(page(event))
  else if (FILES.includes(new URL(request.url).pathname)) event.respondWith(file(request))
})
