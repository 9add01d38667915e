/** The endings of files that a library takes, as the server has them; a test compares both. */

export const DOCUMENTS = [
  'pdf', 'epub', 'cbz', 'zip', 'cbr', 'rar', 'cb7', '7z', 'cbt', 'tar', 'djvu', 'djv', 'mobi',
  'azw', 'azw3', 'prc', 'fb2', 'txt',
  'text', 'md', 'markdown',
]
export const IMAGES = [
  'svg', 'png', 'jpg', 'jpeg', 'jpe', 'jfif', 'webp', 'gif', 'tif', 'tiff', 'heic', 'heif', 'avif',
  'jxl', 'jp2', 'j2k', 'jpx', 'jpf',
]

/** Images that cannot be shown; among others, each keeps its place as a page. */
export const OTHER_IMAGES = ['bmp', 'ppm', 'pgm', 'pbm', 'pnm', 'tga', 'psd']
