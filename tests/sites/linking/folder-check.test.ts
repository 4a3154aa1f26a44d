import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { checkFolder } from '../../../packages/sites/linking/folder-check.ts'
import { temporaryFolder } from '../../support/test-galley.ts'

test('a page with 150,000 broken links is checked, and the pages after it', async () => {
  const folder = await temporaryFolder()
  const links = Array.from({ length: 150_000 }, (_, at) => `<a href="p${at}.html">`)
  await writeFile(join(folder, 'a.html'), links.join(''))
  await writeFile(join(folder, 'b.html'), '<img src="gone.png"><a href="a.html#none">')
  const report = await checkFolder(folder, { baseUrl: null, signal: new AbortController().signal })
  expect(report).toMatchObject({ pages: 2, checked: 150_002, more: 149_000 })
  expect(report.broken.slice(-2)).toMatchObject([
    { page: 'b.html', ref: 'gone.png' },
    { page: 'b.html', ref: 'a.html#none' },
  ])
})
