import { describe, expect, it } from 'vitest'

import { layOut } from '../../../packages/sites/bundle/layout.ts'
import { manifestText, readManifest } from '../../../packages/sites/bundle/manifest.ts'
import { aLayoutInput, aPage, shaOf } from './sample.ts'

const layout = layOut(aLayoutInput({ pages: [aPage('1')] }))
const files = [
  { path: 'index.html', bytes: 2, sha256: shaOf('b') },
  { path: 'a/index.html', bytes: 1, sha256: shaOf('a') },
]

describe('manifest', () => {
  it('is the same for any order, and can be read back', () => {
    const text = manifestText(layout, files)
    expect(manifestText(layout, files.toReversed())).toBe(text)
    expect(readManifest(text)).toEqual(files.toReversed())
    expect(text).toContain('"version_id": "v-1"')
  })

  it.each(['', '{}', '[]', 'null', '{"format":"galley-bundle","version":1}'])('is not taken from %j', (text) => {
    expect(readManifest(text)).toBeNull()
  })

  it('of a later version is not read', () => {
    expect(readManifest('{"format":"galley-bundle","version":2,"files":[]}')).toBe('newer')
  })

  it.each(['../x', '/etc/passwd', 'a/../../x', 'C:\\x', 'Caps.txt'])('is disowned for the path %j', (path) => {
    expect(readManifest(manifestText(layout, [...files, { path, bytes: 1, sha256: shaOf('c') }]))).toBeNull()
  })
})
