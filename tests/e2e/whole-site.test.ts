import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'

import type { Target } from '../../packages/library/records/target.ts'
import { mediaType } from '../../packages/wire/media-types.ts'
import { shipped, themesFolder } from '../sites/exporting/themed-site.ts'
import { filesIn } from '../sites/releasing/fixture.ts'
import { aSavedSite } from '../sites/releasing/saved-site.ts'
import { hasCeph, sharedCeph } from '../support/ceph.ts'
import { temporaryFolder } from '../support/test-galley.ts'
import { fileTypes, wholeSite } from '../support/whole-site.ts'
import { aBrowserPage } from './support/browser-window.ts'
import { aHost } from './support/host.ts'

// Pages with every type of file in the first theme, and a few in the others. GALLEY_SITE_PAGES=200 runs the long form.
const wholePages = 104
const sites = shipped.map((theme, at) => ({
  theme,
  count: Number(process.env['GALLEY_SITE_PAGES'] ?? (at === 0 ? wholePages : 24)),
}))

/** What a browser finds in a page: its language, its anchors, and the addresses that it names. */
interface Found {
  readonly lang: string
  readonly dir: string
  readonly ids: readonly string[]
  readonly addresses: readonly string[]
}

const look = `(() => {
  const named = [...document.querySelectorAll('[href],[src],[poster]')].flatMap((element) =>
    ['href', 'src', 'poster'].map((name) => element.getAttribute(name)).filter(Boolean))
  const sets = [...document.querySelectorAll('[srcset]')].flatMap((element) =>
    element.getAttribute('srcset').split(',').map((each) => each.trim().split(/\\s+/)[0]))
  return {
    lang: document.documentElement.lang,
    dir: document.documentElement.dir,
    ids: [...document.querySelectorAll('[id]')].map(({ id }) => id),
    addresses: [...new Set([...named, ...sets])].map((address) => new URL(address, document.baseURI).href),
  }
})()`

/** Opens each page of a published site, and returns what was wrong with it. */
async function problemsIn(
  page: Page,
  root: string,
  files: ReadonlySet<string>,
  index: string,
): Promise<readonly string[]> {
  const problems: string[] = []
  let at = ''
  page.on('requestfailed', (request) => {
    // The next page ends requests that a player still makes.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED')
      problems.push(`${at}: ${request.url()} ${request.failure()?.errorText}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${at}: ${response.url()} ${response.status()}`)
  })
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`${at}: ${message.text()}`)
  })
  page.on('pageerror', (error) => problems.push(`${at}: ${error.message}`))

  const found = new Map<string, Found>()
  const redirects = new Set([...files].filter((path) => path.startsWith('old/')))
  for (const path of [...files].filter((each) => each.endsWith('.html') && !redirects.has(each))) {
    at = path
    await page.goto(root + path, { waitUntil: 'load' })
    found.set(path, await page.evaluate<Found>(look))
  }
  for (const [path, { addresses }] of found)
    for (const address of addresses.filter((each) => each.startsWith(root))) {
      const [, name = '', anchor = ''] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/.exec(address.slice(root.length)) ?? []
      const file = decodeURIComponent(name).replace(/^$|(?<=\/)$/, index)
      if (!files.has(file)) problems.push(`${path}: ${address} leads nowhere`)
      const ids = found.get(file)?.ids
      if (anchor !== '' && ids && !ids.includes(decodeURIComponent(anchor)))
        problems.push(`${path}: ${address} has no such place`)
    }
  for (const path of redirects) {
    at = path
    await page.goto(root + path, { waitUntil: 'commit' })
    await page.waitForURL((url) => !url.href.includes('/old/'))
  }
  return problems
}

test('the longest of these sites has every type of file', () => {
  const types = wholeSite(wholePages).flatMap(({ files }) => Object.keys(files))
  expect(new Set(types.map((name) => name.replace('file.', '')))).toEqual(new Set(fileTypes))
  expect(fileTypes.filter((type) => mediaType(`a.${type}`) === 'application/octet-stream')).toEqual(['lottie'])
})

test.each(sites)(
  'a site of $count pages in three languages is whole in the theme $theme: on a host, on a disk, in a bucket',
  async ({ theme, count }) => {
    const pages = wholeSite(count)
    const { site, galley, addTarget, task } = await aSavedSite(pages)
    const folder = await temporaryFolder()
    const [disk, hosted] = [join(folder, 'disk'), join(folder, 'hosted')]
    const host = await aHost(hosted, '/some/where/')
    const publish = async (target: Target) => {
      const themesOf = () => [join(themesFolder, theme), join(themesFolder, 'default')]
      const done = await galley.releasing.publish({ site, target, themesOf, by: 'person' }, task)
      if (!done.ok) throw new Error(JSON.stringify(done.failure))
      expect(done.value.links?.broken).toEqual([])
      return done.value
    }
    const published = await publish(await addTarget(`folder:${disk}`, { name: 'disk' }))
    await publish(await addTarget(`folder:${hosted}`, { name: 'hosted', publicUrl: host.replace(/\/$/, '') }))
    const onDisk = new Set((await filesIn(disk)).keys())
    const onHost = await filesIn(hosted)
    const pageOf = new Map(pages.map((page) => [page.materialId, page]))
    const looks = [
      problemsIn(await aBrowserPage(), `${pathToFileURL(disk).href}/`, onDisk, 'index.html'),
      problemsIn(await aBrowserPage(), host, new Set(onHost.keys()), 'index.html'),
    ]
    // A bucket gets the same files as a disk, whatever the theme.
    if (hasCeph && theme === shipped[0]) {
      const { owner, url, aBucket } = await sharedCeph()
      const bucket = await aBucket('public')
      const key = `${owner.id}:${owner.secret}`
      await publish(await addTarget(`s3:${bucket}/down`, { name: 'bucket', endpoint: url, key }))
      onDisk.delete('galley-bundle.json')
      looks.push(problemsIn(await aBrowserPage(), `${url}/${bucket}/down/`, onDisk, 'index.html'))
    }
    expect((await Promise.all(looks)).flat()).toEqual([])

    // Every page that is published is in its language, below its title; what machines read of it, the domain proves.
    const text = (path: string): string => onHost.get(path)?.toString() ?? ''
    for (const { path, language, title } of published.pages.map((page) => ({
      ...page,
      ...pageOf.get(page.materialId),
    }))) {
      expect(text(path)).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`)
      expect(text(path)).toContain(title)
    }
    const drafts = pages.filter(({ settings }) => settings.state === 'draft')
    expect(published.pages).toHaveLength(pages.length - drafts.length)

    // A reader finds each language's pages.
    const browser = await aBrowserPage()
    await browser.goto(`${host}search/`)
    for (const at of [12, 13, 14]) {
      await browser.getByRole('searchbox').fill(`unique${at}`)
      const results = browser.locator('[data-galley-results] a')
      const path = published.pages.find(({ materialId }) => materialId === `item-${at}`)?.path ?? ''
      const addresses = () => results.evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href))
      await expect.poll(addresses).toContain(host + encodeURI(path.replace(/index\.html$/, '')))
    }
    await expect(stat(join(disk, 'sitemap.xml'))).rejects.toThrow('ENOENT')
  },
)
