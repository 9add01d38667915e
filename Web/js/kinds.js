/** The endings of files that a library takes, as the server has them; a test compares both. */

export const DOCUMENTS = ['pdf', 'epub', 'cbz', 'zip', 'cbr', 'rar', 'cb7', '7z', 'cbt', 'tar', 'djvu', 'djv']
export const IMAGES = [
  'svg', 'png', 'jpg', 'jpeg', 'jpe', 'jfif', 'webp', 'gif', 'tif', 'tiff', 'heic', 'heif', 'avif',
]

/** Images that cannot be shown; among others, each keeps its place as a page. */
export const OTHER_IMAGES = ['jxl', 'bmp', 'jp2', 'j2k', 'jpx', 'ppm', 'pgm', 'pbm', 'pnm', 'tga', 'psd']
