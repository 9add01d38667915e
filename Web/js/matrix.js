/**
 * The text of a matrix3d. One entry has an exponent: without one, Chromium keeps only seven digits of each
 * entry, which is an error of 1.5e-4 in the perspective terms.
 * @param {ArrayLike<number>} m sixteen numbers in the order of the CSS function
 */
export function matrixText(m) {
  const last = m[15] === 1 ? '1e0' : m[15].toExponential()
  return 'matrix3d(' + m[0] + ',' + m[1] + ',' + m[2] + ',' + m[3] + ',' + m[4] + ',' + m[5] + ',' +
    m[6] + ',' + m[7] + ',' + m[8] + ',' + m[9] + ',' + m[10] + ',' + m[11] + ',' + m[12] + ',' +
    m[13] + ',' + m[14] + ',' + last + ')'
}
