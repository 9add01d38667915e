/** Loads images for paper, a few at a time. */

import { make } from '../dom.js'
import { at } from '../root.js'

const AT_ONCE = 3; // the server draws pages for other readers as well
const LONGEST = 60_000; // ms for one image

/** Resolves with an image, or with null if it cannot be loaded, does not come in time, or is no longer wanted. */
function imageAt(address, signal) {
  return new Promise((resolve) => {
    const image = make('img', { alt: '' })
    const end = (result) => {
      clearTimeout(limit)
      signal.removeEventListener('abort', give)
      resolve(result)
    }
    const give = () => {
      image.removeAttribute('src')
      end(null)
    }
    const limit = setTimeout(give, LONGEST)
    signal.addEventListener('abort', give)
    image.onload = () => end(image)
    image.onerror = () => end(null)
    image.src = at(address)
  })
}

/**
 * Loads the images at some addresses: {images}, or {missing: the index of the first one that could not be loaded}.
 * The signal, and the first failure, end all of it.
 * @param onCount called with the number of images that are loaded
 */
export async function loaded(addresses, signal, onCount, load = imageAt) {
  const stop = new AbortController()
  const ends = AbortSignal.any([signal, stop.signal])
  const images = []
  let next = 0
  let count = 0
  let missing
  const work = async () => {
    while (next < addresses.length && !ends.aborted) {
      const index = next
      next += 1
      images[index] = await load(addresses[index], ends)
      if (images[index] !== null) {
        count += 1
        onCount(count)
      } else {
        missing ??= index
        stop.abort()
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return missing === undefined ? { images } : { missing }
}
