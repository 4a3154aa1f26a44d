import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { searchAsset } from '../../scripts/search-asset.ts'
import { searchedPages, searches } from '../support/searches.ts'
import { temporaryFolder } from '../support/test-galley.ts'
import { aBrowserPage } from './support/browser-window.ts'

const pages = [
  { url: 'harbor.html', title: 'Harbor', text: 'The American spelling, in a title.' },
  { url: 'walk.html', title: 'A walk', text: 'From the harbour to the lighthouse.' },
  { url: 'many.html', title: 'Boats', text: 'Two harbours, one ferry.' },
  { url: 'bread.html', title: 'Bread', text: 'والخبز في الميناء' },
].map((page) => ({ description: '', tags: '', ...page }))

async function searchPage(pages: readonly { readonly url: string }[]) {
  const folder = await temporaryFolder()
  await copyFile(searchAsset, join(folder, 'search.js'))
  await writeFile(join(folder, 'pages.js'), `galleyPages = ${JSON.stringify(pages)}`)
  await writeFile(
    join(folder, 'index.html'),
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Search</title>' +
      '<input type="search" data-galley-query><p data-galley-none="Nothing"></p><ol data-galley-results></ol>' +
      '<script src="pages.js"></script><script src="search.js"></script>',
  )
  const page = await aBrowserPage()
  await page.goto(`file://${folder}/index.html`)
  const found = async (query: string): Promise<readonly string[]> => {
    await page.getByRole('searchbox').fill(query)
    return page.locator('[data-galley-results] a').allTextContents()
  }
  return { page, found }
}

test('the search page finds the same words as the window', async () => {
  const { found } = await searchPage(
    Object.entries(searchedPages).map(([title, text]) => ({ url: '', title, text, description: '', tags: '' })),
  )
  for (const [typed, pages] of searches) expect([typed, (await found(typed)).toSorted()]).toEqual([typed, pages])
})

test('the search page lists words as written first, then begun ones, then similar ones', async () => {
  const { page, found } = await searchPage(pages)
  expect(await found('harbour')).toEqual(['A walk', 'Boats', 'Harbor'])
  expect(await found('lighthose')).toEqual(['A walk'])
  expect(await found('خبز'), 'inside a word').toEqual(['Bread'])
  expect(await found('xylophone')).toEqual([])
  await expect.poll(() => page.locator('[data-galley-none]').textContent()).toBe('Nothing')
})
