// The page and the server have the same lists of the endings of files.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'

import { DOCUMENTS, IMAGES, OTHER_IMAGES } from '../../Web/js/kinds.js'

const SWIFT = readFileSync(new URL('../../Sources/PressProtocol/FileKinds.swift', import.meta.url), 'utf8')

for (const [name, own] of Object.entries({ documents: DOCUMENTS, images: IMAGES, otherImages: OTHER_IMAGES })) {
  test(`${name} of the page are those of the server`, () => {
    const [, list] = SWIFT.match(new RegExp(`let ${name}: Set<String> = \\[([^\\]]+)\\]`))
    const theirs = [...list.matchAll(/"([^"]+)"/g)].map(([, ending]) => ending)
    assert.ok(theirs.length > 5)
    assert.deepEqual([...own].sort(), theirs.sort())
  })
}
