/** Where the library is: below `/`, or below the path under which a proxy serves it. */

const { protocol, pathname } = new URL('..', import.meta.url)

/** The path of the library's page, with a slash at its end. */
export const ROOT = protocol === 'file:' ? '/' : pathname

/** The address of a path in the library, such as /api/books. */
export const at = (path) => (path[0] === '/' ? ROOT + path.slice(1) : path)

/** The path of this page in the library. */
export const here = () => `/${location.pathname.slice(ROOT.length)}`
