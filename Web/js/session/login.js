/** A login to a proxy in front of the library, where the server may give the reader the library's key. */

import { ask } from '../api.js'
import { clipped } from '../find.js'
import { NAME_BYTES, keepLibraryKey, keepPersona, persona } from '../keys.js'

/**
 * Takes the library's key if the reader has logged in to the proxy, and the name from there if this browser has none.
 * @param {Set<string>} refused the keys that the server has rejected
 * @returns {Promise<boolean>} whether there is a key that may open the library
 */
export async function takeLogin(refused) {
  try {
    const { key, name } = await ask('/api/login', { isQuiet: true })
    if (typeof key !== 'string' || key === '' || refused.has(key)) return false
    keepLibraryKey(key)
    const known = persona()
    if (!known.name && typeof name === 'string' && name.trim() !== '') {
      keepPersona({ ...known, name: clipped(name.trim(), NAME_BYTES) })
    }
    return true
  } catch {
    // The page asks for the key instead.
    return false
  }
}
