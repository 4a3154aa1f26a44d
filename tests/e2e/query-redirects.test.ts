import { join } from 'node:path'
import { expect, test } from 'vitest'

import { exported } from '../sites/exporting/into-folder.ts'
import { createSampleLibrary } from '../sites/exporting/sample-library.ts'
import { temporaryFolder } from '../support/test-galley.ts'
import { aBrowserPage } from './support/browser-window.ts'

test('readers who come with the query of an earlier site get to the page', async () => {
  const library = createSampleLibrary()
  for (const id of ['1', '2', '3']) library.save(id, `<p>Text ${id}</p>`)
  const redirectsFrom = [
    ['?p=12', 'index.php?id=3', 'page-2?old=1'],
    ['index.php', '?p=12&lang=de'],
  ]
  for (const [at, page] of library.pages.entries()) {
    const settings = { ...page.settings, redirectsFrom: redirectsFrom[at] ?? [] }
    library.pages[at] = { ...page, settings }
  }
  const folder = join(await temporaryFolder(), 'site')
  expect((await exported(library, folder)).links.broken).toEqual([])
  const page = await aBrowserPage()
  const at = (path: string) => `file://${folder}/${path}`
  for (const [from, to] of [
    ['index.html?p=12', 'page-1/index.html'],
    ['index.html?utm_source=x&p=12#part', 'page-1/index.html#part'],
    ['index.html?p=12&lang=de', 'page-2/index.html'],
    ['index.php/index.html?id=3', 'page-1/index.html'],
    ['index.php/index.html?id=4', 'page-2/index.html'],
    ['page-2/index.html?old=1', 'page-1/index.html'],
  ] as const) {
    await page.goto(at(from))
    await page.waitForURL(at(to))
  }
  for (const path of ['index.html?p=13', 'page-2/index.html?old=2', 'page-3/index.html?p=12']) {
    await page.goto(at(path), { waitUntil: 'networkidle' })
    expect(page.url()).toBe(at(path))
  }
})
