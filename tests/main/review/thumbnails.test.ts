import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { createThumbnails } from '../../../src/main/review/thumbnails.ts'
import { createVersionPages } from '../../../src/main/review/version-pages.ts'
import { aFontsSave, aSave, createTestGalley } from '../../support/test-galley.ts'

async function aLibrary(versions: number) {
  const test = await createTestGalley({ site: { unknownMaterials: 'accept' } })
  const { galley, folder } = test
  for (let at = 1; at <= versions; at += 1) {
    const { body, headers } = aSave(test.service, { versionId: `v${at}`, html: `<h1>${at}</h1>`, files: {} })
    expect((await test.post(body, headers)).json.rc).toBe(1)
  }
  const drawn: string[] = []
  let save = Promise.resolve()
  let paint: (html: string) => Uint8Array | null = (html) => Buffer.from(html)
  const thumbnails = createThumbnails({
    folder,
    index: galley.index,
    pages: createVersionPages(galley.index, galley.vault, galley.background),
    picture: async ({ files }) => {
      const page = files.get('page')
      const html = page?.kind === 'text' ? page.text : ''
      drawn.push(/<h1>(\d)/.exec(html)?.[1] ?? '')
      return paint(html)
    },
    whenIdle: () => save,
  })
  const read = (at: number) => thumbnails.read({ site: 'acme', materialId: 'post-1', versionId: `v${at}` })
  return {
    folder,
    thumbnails,
    drawn,
    read,
    async saveFonts(): Promise<void> {
      const { body, headers } = aFontsSave(test.service, 'f1', { 'vms_fonts.css': 'a{}', 'vms_fonts.json': '{}' })
      expect((await test.post(body, headers)).json.rc).toBe(1)
    },
    waitFor(next: Promise<void>): void {
      save = next
    },
    paintWith: (next: typeof paint) => (paint = next),
  }
}

test('a picture is drawn once, stored under the hash of its page, and read from there', async () => {
  const { folder, drawn, read } = await aLibrary(1)
  const [one, other] = await Promise.all([read(1), read(1)])
  expect(Buffer.from(one ?? []).toString()).toContain('<h1>1</h1>')
  expect(other).toStrictEqual(one)
  expect(Buffer.from((await read(1)) ?? [])).toStrictEqual(Buffer.from(one ?? []))
  expect(drawn).toStrictEqual(['1'])
  expect(await readdir(join(folder, 'thumbnails'))).toHaveLength(1)
  expect(await read(9)).toBeNull()
})

test('another font set gives every page another picture, and the earlier pictures are swept', async () => {
  const { folder, drawn, read, thumbnails, saveFonts } = await aLibrary(1)
  await read(1)
  const [before = ''] = await readdir(join(folder, 'thumbnails'))
  await saveFonts()
  expect(Buffer.from((await read(1)) ?? []).toString()).toContain('rel="stylesheet"')
  expect(drawn).toStrictEqual(['1', '1'])
  expect(await readdir(join(folder, 'thumbnails'))).toHaveLength(2)
  await thumbnails.sweep()
  const kept = await readdir(join(folder, 'thumbnails'))
  expect(kept).toHaveLength(1)
  expect(kept).not.toContain(before)
  await read(1)
  expect(drawn, 'the picture that was kept').toStrictEqual(['1', '1'])
})

test('nothing is drawn during a save, and the last request comes first afterwards', async () => {
  const { drawn, read, waitFor } = await aLibrary(3)
  const { promise, resolve } = Promise.withResolvers<void>()
  waitFor(promise)
  const asked = [read(1), read(2), read(3)]
  // All of them wait after the search for stored pictures on disk.
  await expect.poll(() => process.getActiveResourcesInfo()).not.toContain('FSReqPromise')
  expect(drawn).toStrictEqual([])
  resolve()
  await Promise.all(asked)
  expect(drawn).toStrictEqual(['3', '2', '1'])
})

test('a page that cannot be drawn has no picture, and is tried again at the next request', async () => {
  const { folder, read, paintWith, thumbnails } = await aLibrary(1)
  paintWith(() => null)
  expect(await read(1)).toBeNull()
  paintWith((html) => Buffer.from(html))
  expect(await read(1)).not.toBeNull()
  await writeFile(join(folder, 'thumbnails', `${'0'.repeat(64)}.png`), 'of a page that is gone')
  await thumbnails.sweep()
  const kept = await readdir(join(folder, 'thumbnails'))
  expect(kept).toHaveLength(1)
  expect(kept).not.toContain(`${'0'.repeat(64)}.png`)
})

test('an app that quits draws nothing more, and answers waiting requests at once', async () => {
  const { drawn, read, waitFor, thumbnails } = await aLibrary(2)
  const { promise, resolve } = Promise.withResolvers<void>()
  waitFor(promise)
  const asked = [read(1), read(2)]
  await expect.poll(() => process.getActiveResourcesInfo()).not.toContain('FSReqPromise')
  thumbnails.stop()
  expect(await Promise.all(asked)).toStrictEqual([null, null])
  resolve()
  expect(drawn).toStrictEqual([])
})
