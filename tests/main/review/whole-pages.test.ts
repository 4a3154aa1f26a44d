import { readdir, truncate, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { keptWholePage } from '../../../packages/library/index.ts'
import { createVersionPages } from '../../../src/main/review/version-pages.ts'
import { createWholePages } from '../../../src/main/review/whole-pages.ts'
import { aSave, createTestGalley } from '../../support/test-galley.ts'

const captured = { width: 1280, height: 900, slices: [], layer: null, boxes: [], isCut: false }

/** A library with two versions. */
async function aLibrary() {
  const { galley, folder, service, post } = await createTestGalley({ site: { unknownMaterials: 'accept' } })
  for (const versionId of ['v1', 'v2']) {
    const { body, headers } = aSave(service, { versionId, html: `<h1>${versionId}</h1>`, files: {} })
    expect((await post(body, headers)).json.rc).toBe(1)
  }
  const { index } = galley
  let captures = 0
  const wholePages = createWholePages({
    folder,
    index,
    pages: createVersionPages(index, galley.vault, galley.background),
    capture: () => Promise.resolve((captures += 1) > 0 ? captured : null),
    shrink: ({ isCut }) => Promise.resolve({ slices: ['looks'], isCut }),
  })
  const of = (versionId: string) => ({ site: 'acme', materialId: 'post-1', versionId })
  const kept = (versionId: string) => {
    const html = index.versions.parts('acme', 'post-1', versionId)?.html
    return html === undefined ? null : keptWholePage(folder, { html, fontsCss: null })
  }
  return { wholePages, of, kept, captures: () => captures, root: join(folder, 'thumbnails') }
}

test('pictures of a whole page are made once, and those of the desk are used', async () => {
  const { wholePages, of, kept, captures } = await aLibrary()
  await wholePages.keep(of('v1'), { ...captured, isCut: true })
  for (const versionId of ['v1', 'v2', 'v2', 'unknown']) await wholePages.make(of(versionId))
  expect(captures()).toBe(1)
  expect(await kept('v1')).toEqual({ slices: ['looks'], isCut: true })
  expect(await kept('v2')).toEqual({ slices: ['looks'], isCut: false })
})

test('of too many pictures, those that were made first are deleted', async () => {
  const { wholePages, of, root } = await aLibrary()
  await wholePages.make(of('v1'))
  const [first = ''] = await readdir(root)
  await utimes(join(root, first), 1, 1)
  await wholePages.make(of('v2'))
  const second = (await readdir(root)).find((name) => name !== first)
  await wholePages.trim(Promise.resolve())
  expect(await readdir(root)).toHaveLength(2)
  await truncate(join(root, first), 300 * 1024 ** 2)
  await utimes(join(root, first), 1, 1)
  await wholePages.trim(Promise.resolve())
  expect(await readdir(root)).toEqual([second])
})
