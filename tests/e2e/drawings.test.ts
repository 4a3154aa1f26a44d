import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'

import { aNewsroom, aPage } from '../cli/support/library.ts'
import { aFolder } from './support/app.ts'
import { aBrowserPage } from './support/browser-window.ts'
import { aCanary } from './support/canary.ts'
import { aHost } from './support/host.ts'
import { harmlessDrawings, hostileDrawings } from './support/hostile-drawings.ts'

/** Opens a drawing as a page, clicks all its links, and returns what ran and what was requested. */
async function opened(
  page: Page,
  url: string,
): Promise<{ readonly ran: string | null; readonly asked: readonly string[] }> {
  const asked: string[] = []
  const note = (request: { url(): string }): void => void asked.push(request.url())
  page.on('request', note)
  await page.goto(url, { waitUntil: 'load' })
  const ran = await page
    .evaluate(
      `for (const link of document.querySelectorAll('.click')) link.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))`,
    )
    // After two frames, animations have started, and what they or a click load was requested.
    .then(() => page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))'))
    .then(() => page.waitForLoadState('networkidle'))
    .then(() => page.evaluate<string | null>(`document.documentElement.getAttribute('data-ran')`))
    .catch((error: unknown) => {
      // It has led the window away.
      if (error instanceof Error && error.message.includes('context was destroyed')) return 'navigated'
      throw error
    })
  page.off('request', note)
  return { ran, asked: asked.filter((each) => !each.startsWith('data:')) }
}

const fourPages = async () =>
  [await aBrowserPage(), await aBrowserPage(), await aBrowserPage(), await aBrowserPage()] as const

/** Looks at every drawing in one of these windows: most of the time, one waits for the network to be quiet. */
async function inTurn(
  pages: readonly Page[],
  names: readonly string[],
  look: (page: Page, name: string) => Promise<void>,
): Promise<void> {
  const left = [...names]
  await Promise.all(
    pages.map(async (page) => {
      for (let name = left.shift(); name !== undefined; name = left.shift()) await look(page, name)
    }),
  )
}

test('drawings that would run or load something do neither after an export, from a disk and from a server', async () => {
  const [room, canary, originals] = [await aNewsroom(), await aCanary(), await aFolder()]
  const hostile = hostileDrawings(canary.url)
  const drawings = { ...hostile, ...harmlessDrawings }

  // As they are, they run and reach out: otherwise nothing would be proved below.
  for (const [name, text] of Object.entries(hostile)) await writeFile(join(originals, name), text)
  const raw = await aHost(originals)
  const active: string[] = []
  const lookAtRaw = async (page: Page, name: string): Promise<void> => {
    const { ran, asked } = await opened(page, raw + name).catch(() => ({ ran: null, asked: [] as readonly string[] }))
    if (ran !== null || asked.some((url) => url.startsWith(canary.url))) active.push(name)
  }
  // The one that navigates the window comes last, because it would interrupt the next.
  const leadsAway = 'foreign-loads.svg'
  const pages = await fourPages()
  await inTurn(
    pages,
    Object.keys(hostile).filter((each) => each !== leadsAway),
    lookAtRaw,
  )
  await lookAtRaw(pages[0], leadsAway)
  for (const page of pages) await page.close()
  expect(active.length).toBeGreaterThan(20)
  expect(canary.hits.length).toBeGreaterThan(10)

  const session = (await room.run('open', 'acme', 'gallery')).json() as { fingerprint: string }
  const files = Object.fromEntries(
    Object.entries(drawings).map(([name, text]) => [name, Buffer.from(text).toString('base64')]),
  )
  const html = `<h1>Gallery</h1>${Object.keys(drawings)
    .map((name) => `<img src="dummy-${name}" alt="">`)
    .join('')}`
  const saved = await room.save(session.fingerprint, {
    ...aPage('Gallery'),
    html,
    files,
  })
  expect(saved.result).toBe('merged')
  const out = join(room.folder, 'site')
  expect((await room.run('export', 'acme', '--out', out)).code).toBe(0)

  const media = await readdir(join(out, 'media'))
  expect(media, 'every drawing is there').toHaveLength(Object.keys(drawings).length)
  const shown = media.filter((name) => name.endsWith('.svg'))
  for (const [name, text] of Object.entries(harmlessDrawings)) {
    const kept = shown.find((each) => each.endsWith(`-${name}`)) ?? ''
    expect(await readFile(join(out, 'media', kept), 'utf8'), name).toBe(text)
  }
  // A drawing that cannot be cleaned is a download, which no browser opens.
  const downloads = media.filter((name) => !name.endsWith('.svg'))
  expect(downloads.map((name) => /^[0-9a-f]{32}-(.*)-svg\.bin$/.exec(name)?.[1] ?? name).toSorted()).toEqual([
    'entity-markup',
    'entity-outside',
    'malformed',
    'utf-7',
  ])

  // Windows that nothing has led anywhere.
  const fresh = await fourPages()
  const hitsBefore = canary.hits.length
  for (const base of [`file://${out}/`, await aHost(out)]) {
    await inTurn(fresh, ['gallery/index.html', ...shown.map((each) => `media/${each}`)], async (page, name) => {
      const url = base + name.split('/').map(encodeURIComponent).join('/')
      const { ran, asked } = await opened(page, url)
      expect([name, ran, asked.filter((each) => !each.startsWith(base))]).toEqual([name, null, []])
    })
  }
  expect(canary.hits.slice(hitsBefore)).toEqual([])
})
