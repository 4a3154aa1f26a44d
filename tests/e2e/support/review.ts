import type { ElectronApplication, Locator, Page } from 'playwright'
import { expect } from 'vitest'

import { siteDefaults } from '../../../packages/library/records/site-input.ts'
import { openGalley } from '../../support/open-galley.ts'
import { patientMs } from './app.ts'
import type { EditorContent } from './service.ts'
import { startEmulator } from './service.ts'
import { unhurried } from './unhurried.ts'

const secret = 'review secret'

/** One pixel. */
export const aPicture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** The saved parts of a page that tests of reviews use. */
export interface SavedPage {
  readonly html: string
  readonly state?: unknown
  readonly files?: Readonly<Record<string, Buffer>>
}

/** A library with one site, written by the product itself: the versions of each material in the order given. */
export async function libraryOf(
  library: string,
  port: number,
  materials: Readonly<Record<string, readonly SavedPage[]>>,
  fonts?: { readonly files: Readonly<Record<string, Buffer>>; readonly css: string },
) {
  const emulator = await startEmulator({ secret })
  const galley = await openGalley({
    folder: library,
    secrets: { environment: { GALLEY_SECRET_PRESS: secret } },
  })
  const callbackUrl = `http://127.0.0.1:${port}/callback/press`
  const encoded = (files: Readonly<Record<string, Buffer>>): Record<string, string> =>
    Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, bytes.toString('base64')]))
  const fingerprints = new Map<string, string>()
  const save = async (materialId: string, page: SavedPage): Promise<void> => {
    const content: EditorContent = {
      html: page.html,
      state: page.state ?? { assets: {} },
      files: encoded(page.files ?? {}),
      user_email: 'anna@press.example',
    }
    const saved = await emulator.save(fingerprints.get(materialId) ?? '', content)
    expect(saved, materialId).toMatchObject({ result: 'merged' })
  }
  try {
    const listening = await galley.listener.start('127.0.0.1', port)
    if (listening.kind !== 'listening') throw new Error('The listener did not start')
    const saved = await galley.sites.save(
      {
        ...siteDefaults,
        allowedDomains: [],
        downloadOrigins: [],
        id: 'press',
        name: 'Press',
        callbackUrl,
        baseUrl: emulator.baseUrl,
        apiKey: emulator.apiKey,
      },
      null,
    )
    if (!saved.ok) throw new Error('The site was not saved')
    if (fonts) await sendFonts(emulator.url, callbackUrl, encoded(fonts.files), fonts.css)
    for (const [materialId, pages] of Object.entries(materials)) {
      const opened = await galley.sessions.open({ site: 'press', materialId, title: null, slug: null, metadata: null })
      if (!opened.ok) throw new Error(`${materialId} was not opened`)
      fingerprints.set(materialId, opened.value.fingerprint)
      for (const page of pages) await save(materialId, page)
    }
    const versionsOf = (materialId: string) => galley.index.versions.list('press', materialId)
    return {
      environment: { GALLEY_SECRETS: 'env', GALLEY_SECRET_PRESS: secret },
      /** Saves a page again, to whoever listens by then. */
      save,
      /** Ids of the versions of each material, oldest first. */
      versions: Object.fromEntries(
        Object.keys(materials).map((id) => [
          id,
          versionsOf(id)
            .map(({ versionId }) => versionId)
            .toReversed(),
        ]),
      ) as Readonly<Record<string, readonly string[]>>,
      publicUrls: Object.fromEntries(
        Object.keys(materials).map((id) => [id, Object.assign({}, ...versionsOf(id).map((v) => v.publicUrls))]),
      ) as Readonly<Record<string, Readonly<Record<string, string>>>>,
    }
  } finally {
    await galley.close()
  }
}

async function sendFonts(url: string, callbackUrl: string, files: Record<string, string>, css: string): Promise<void> {
  const answer = await fetch(`${url}/_emulator/fonts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ material_id: 'site-fonts', callback_url: callbackUrl, files, css, tree: { list: [] } }),
  })
  expect(await answer.json()).toMatchObject({ result: 'merged' })
}

/** Whether this is the page of a review window, and not of the main one. */
export const isReview = (page: Pick<Page, 'url'>): boolean => page.url().includes('/index.html?review=')

/** Opens a version in its window, and gives that window's page. */
export async function openReview(
  app: ElectronApplication,
  shell: Page,
  opened: {
    readonly site?: string
    readonly materialId: string
    readonly versionId: string
    readonly compareWith?: string | null
  },
): Promise<Page> {
  const known = new Set(app.windows())
  const answer = await shell.evaluate((input) => window.galley.call('openReview', input), {
    site: 'press',
    compareWith: null,
    ...opened,
  })
  expect(answer).toStrictEqual({ ok: true, value: null })
  const frame = () => app.windows().find((page) => !known.has(page) && isReview(page))
  await expect.poll(frame, { timeout: patientMs }).toBeDefined()
  const page = frame()
  if (!page) throw new Error('The review window did not open')
  page.setDefaultTimeout(patientMs)
  return unhurried(page)
}

/** What a page under review shows; widths, heights and places in pixels. */
interface Look {
  readonly text: string
  readonly title: string
  readonly y: number
  readonly width: number
  readonly height: number
  readonly pictures: readonly number[]
  readonly fonts: readonly string[]
}

/** The content of the pages under review that are seen, from left to right. Only main can access it. */
export const pagesUnderReview = (app: ElectronApplication) => async () =>
  (await loadedPages(app)).filter(({ isSeen }) => isSeen)

/** Also of those that lie below others, since they are loaded for later. */
export const loadedPages = (app: ElectronApplication) =>
  app.evaluate(async ({ BrowserWindow }) => {
    const { once } = process.getBuiltinModule('node:events')
    // Playwright interrupts main wherever it is, also between two views that it puts on top of each other.
    await new Promise((resolve) => setImmediate(resolve))
    const views = BrowserWindow.getAllWindows()
      .flatMap((window) => {
        const pages = (window.contentView.children as Electron.WebContentsView[]).filter(({ webContents }) =>
          webContents?.getURL().startsWith('galley-review:'),
        )
        const bounds = pages.map((view) => JSON.stringify(view.getBounds()))
        return pages.map((view, at) => ({ view, isSeen: !bounds.slice(at + 1).includes(bounds[at] ?? '') }))
      })
      .toSorted((one, other) => one.view.getBounds().x - other.view.getBounds().x)
    const code = `({ text: document.body.innerText, title: document.title, y: scrollY, width: innerWidth, height: innerHeight,
      pictures: [...document.images].map((image) => image.naturalWidth),
      fonts: [...document.fonts].filter((font) => font.status === 'loaded').map((font) => font.family) })`
    const nothing: Look = { text: '', title: '', y: 0, width: 0, height: 0, pictures: [], fonts: [] }
    const looks = views.map(async ({ view: { webContents: contents }, isSeen }) => {
      const { id } = contents
      const url = contents.getURL()
      const over = new AbortController()
      // Electron never settles a script whose page is closed meanwhile. Such a page counts as blank.
      const gone = ['destroyed', 'render-process-gone', 'did-navigate'].map(async (name) => {
        await once(contents, name, { signal: over.signal })
        return nothing
      })
      const looked = contents.executeJavaScriptInIsolatedWorld(7, [{ code }]) as Promise<Look>
      const look = await Promise.race([looked, ...gone])
      over.abort()
      return contents.isDestroyed() ? [] : [{ id, url, isSeen, ...look }]
    })
    return (await Promise.all(looks)).flat()
  })

/** The first line of each page under review that is seen, from left to right. */
export const headings = async (shown: ReturnType<typeof pagesUnderReview>): Promise<readonly string[]> =>
  (await shown()).map(({ text }) => text.split('\n')[0] ?? '')

/** The entry in the list of versions that is read. */
export const versionRead = (frame: Page): Locator =>
  frame.getByRole('list', { name: 'Versions' }).locator('[aria-current]')

/** Chooses a line of the menu with widths, theme and sources. */
export async function chooseView(frame: Page, name: string, menu = 'Width, theme and sources'): Promise<void> {
  await frame.getByRole('button', { name: menu }).click()
  await frame.getByRole('menuitemcheckbox', { name, exact: true }).click()
  await frame.getByRole('menu').waitFor({ state: 'detached' })
}
