import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ElectronApplication, Page } from 'playwright'
import { expect } from 'vitest'

import { aFolder, aFreePort, expectListener, startApp } from './app.ts'
import { comeToRest } from './come-to-rest.ts'
import { libraryOf } from './review.ts'

/** The addresses of the pages that are loaded for the desk, from the lowest to the one on top. Only main can access them. */
export const deskPages = (app: ElectronApplication): Promise<readonly string[]> =>
  app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .flatMap((window) => window.contentView.children as Electron.WebContentsView[])
      .map(({ webContents }) => webContents?.getURL() ?? '')
      .filter((url) => url.startsWith('galley-review:')),
  )

interface SeenPage {
  readonly id: number
  readonly text: string
  readonly y: number
  readonly selected: string
  /** Words that are marked. */
  readonly words: readonly string[]
}

/** The page on top: the one that is seen. */
export const seenPage = (app: ElectronApplication): Promise<SeenPage | null> =>
  app.evaluate(async ({ BrowserWindow }) => {
    // Playwright interrupts main wherever it is, also between two views that it puts on top of each other.
    await new Promise((resolve) => setImmediate(resolve))
    const contents = BrowserWindow.getAllWindows()
      .flatMap((window) => window.contentView.children as Electron.WebContentsView[])
      .map(({ webContents }) => webContents)
      .findLast((each) => each?.getURL().startsWith('galley-review:'))
    if (contents === undefined) return null
    const code = `({ text: document.body.innerText, y: scrollY, selected: String(getSelection()),
      words: [...CSS.highlights].flatMap(([name, ranges]) => name.startsWith('galley-') ? [...ranges].map(String) : []) })`
    const look = contents.executeJavaScriptInIsolatedWorld(7, [{ code }]) as Promise<Omit<SeenPage, 'id'>>
    // Electron never settles a script whose page is closed meanwhile.
    const gone = new Promise<null>((resolve) => contents.once('destroyed', () => resolve(null)))
    const seen = await Promise.race([look, gone])
    return seen && { id: contents.id, ...seen }
  })

/** Approves versions, as their reviewer would have done earlier. */
export const approved = (
  page: Page,
  versions: readonly { readonly materialId: string; readonly versionId: string }[],
) =>
  page.evaluate(
    (of) =>
      window.galley.call('setFields', {
        record: 'version',
        site: 'press',
        of: [...of],
        set: { verdict: { decision: 'approved', reason: '' } },
      }),
    versions,
  )

/** An app with these materials; the first of several versions of one is approved. */
export async function startDesk(
  materials: Parameters<typeof libraryOf>[2],
  more: { readonly personName?: string | null } = {},
) {
  const port = await aFreePort()
  const library = join(await aFolder(), 'library')
  const { environment, versions, save } = await libraryOf(library, port, materials)
  const started = await startApp({ library, port, environment, ...more })
  await expectListener(started.page, 'Listening')
  const firsts = Object.entries(versions).flatMap(([materialId, [first = '', ...later]]) =>
    later.length === 0 ? [] : [{ materialId, versionId: first }],
  )
  if (firsts.length > 0) await approved(started.page, firsts)
  return { ...started, versions, library, save }
}

/** Opens the desk and waits for its first page. */
export async function openDesk(page: Page): Promise<void> {
  await page
    .getByRole('navigation', { name: 'Sections' })
    .getByRole('button', { name: /^Review/ })
    .click()
  // Away from the tooltip of the section.
  await page.mouse.move(600, 10)
  await comeToRest(page)
  await pageIsSeen(page)
}

/** Waits until the page is painted, and until a key can decide about it: 300 ms by the clock of the window. */
export async function pageIsSeen(page: Page): Promise<void> {
  const room = page.getByRole('button', { name: /^The page under review/ })
  await expect.poll(() => room.getAttribute('aria-busy')).toBe('false')
  await page.evaluate(() => new Promise((seen) => setTimeout(seen, 301)))
}

/** A picture of the whole screen: pages under review are views that a screenshot of the window omits. */
const pictureOfScreen = async (app: ElectronApplication): Promise<Buffer> =>
  Buffer.from(
    await app.evaluate(async ({ desktopCapturer, screen }) => {
      const [source] = await desktopCapturer.getSources({
        types: ['screen'],
        thumbnailSize: screen.getPrimaryDisplay().size,
      })
      return source?.thumbnail.toPNG().toString('base64') ?? ''
    }),
    'base64',
  )

const pictures = process.env['GALLEY_PICTURES'] ?? null

/** Keeps a picture of the screen in the folder of GALLEY_PICTURES, if there is one. */
export async function keepPicture(app: ElectronApplication, name: string): Promise<void> {
  if (pictures !== null) await writeFile(join(pictures, `${name}.png`), await pictureOfScreen(app))
}
