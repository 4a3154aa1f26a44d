import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ElectronApplication, Page } from 'playwright'
import { expect, test } from 'vitest'

import { readThumbnailUrl } from '../../src/ipc/thumbnail-url.ts'
import { decodePng } from '../../src/main/review/png.ts'
import { galley } from '../support/galley-process.ts'
import { aFolder, aFreePort, projectRoot, startApp } from './support/app.ts'
import { aBrowserPage } from './support/browser-window.ts'
import { openDesk, pageIsSeen } from './support/desk.ts'
import { aHost } from './support/host.ts'
import { colours, filesOf, forms } from './support/review-forms.ts'
import { libraryOf } from './support/review.ts'

/** The part of a page that is photographed. A long page continues below it. */
const area = { x: 0, y: 0, width: 900, height: 700, scale: 1 }
const screen = { width: area.width, height: area.height, deviceScaleFactor: 1, mobile: false }

/** Only these forms, separated by commas, while one is worked on. */
const chosen = process.env['FORMS']?.split(',')
/** Where the photographs of forms that are not as expected are. */
const photographs = join(projectRoot, '.cache', 'review-forms')

/** A photograph of the page under review, in base64, and how many web fonts it has loaded. */
const photographReview = (app: ElectronApplication) =>
  app.evaluate(
    async ({ BrowserWindow }, { area, screen }) => {
      // The one on top: others are loaded for later.
      const contents = BrowserWindow.getAllWindows()
        .flatMap((window) => window.contentView.children as Electron.WebContentsView[])
        .map(({ webContents }) => webContents)
        .findLast((each) => each?.getURL().startsWith('galley-review:'))
      if (!contents || contents.isLoading()) return { photo: '', fonts: 0 }
      // A photograph that was given up still has it.
      if (contents.debugger.isAttached()) contents.debugger.detach()
      // Only while it is needed: with a debugger, a frame in a process of its own may never be drawn.
      contents.debugger.attach()
      await contents.debugger.sendCommand('Emulation.setDeviceMetricsOverride', screen)
      const taken = contents.debugger.sendCommand('Page.captureScreenshot', { format: 'png', clip: area })
      // Given up if nothing is drawn for it; the next one is.
      const nothing = new Promise<{ readonly data: string }>((give) => setTimeout(() => give({ data: '' }), 10_000))
      const { data } = (await Promise.race([taken, nothing])) as { readonly data: string }
      if (data === '') taken.catch(() => undefined)
      contents.debugger.detach()
      const code = `[...document.fonts].filter((font) => font.status === 'loaded').length`
      return { photo: data, fonts: Number(await contents.executeJavaScriptInIsolatedWorld(7, [{ code }])) }
    },
    { area, screen },
  )

/** Photographs of exported pages. */
async function exportCamera(page: Page) {
  const devTools = await page.context().newCDPSession(page)
  return async (url: string | null): Promise<string> => {
    if (url !== null) await page.goto(url)
    await devTools.send('Emulation.setDeviceMetricsOverride', screen)
    return (await devTools.send('Page.captureScreenshot', { format: 'png', clip: area })).data
  }
}

const nameOf = new Map(
  Object.entries(colours).map(([name, [red, green, blue]]) => [red * 65_536 + green * 256 + blue, name]),
)
const pixelsOf = (photo: string): Uint8Array => decodePng(Buffer.from(photo, 'base64')).data

/** How many pixels differ by more than antialiasing may, and how many of the first photograph have each colour. */
function compared(one: string, other: string) {
  const a = pixelsOf(one)
  const b = one === other ? a : pixelsOf(other)
  const count: Record<string, number> = {}
  let different = 0
  if (a.length !== b.length) return { different: -1, count }
  for (let at = 0; at < a.length; at += 4) {
    const [red = 0, green = 0, blue = 0] = [a[at], a[at + 1], a[at + 2]]
    const by = [red - (b[at] ?? 0), green - (b[at + 1] ?? 0), blue - (b[at + 2] ?? 0)]
    if (by.some((each) => Math.abs(each) > 2)) different += 1
    const name = nameOf.get(red * 65_536 + green * 256 + blue)
    if (name !== undefined) count[name] = (count[name] ?? 0) + 1
  }
  return { different, count }
}

test('each form of reference and page looks in a review as in its export, and what is not shown is named', async () => {
  const [port, folder] = [await aFreePort(), await aFolder()]
  const library = join(folder, 'library')
  const names = Object.keys(forms).filter((name) => chosen?.includes(name) ?? true)
  const saved = names.map((name) => {
    const form = forms[name]
    if (form === undefined) throw new Error(name)
    return { name, page: { html: form.html, files: filesOf(form) } }
  })
  const { environment } = await libraryOf(
    library,
    port,
    Object.fromEntries(saved.map(({ name, page }) => [name, [page]])),
  )
  const run = (...args: string[]) => galley([...args, '--json', '--library', library], environment)
  const site = join(folder, 'site')
  const themed = await run('site', 'publishing', 'press', '--theme', 'plain', '--theme-setting', 'bar=false')
  expect(themed.code, themed.stderr).toBe(0)
  // Some forms name files that do not exist.
  expect((await run('export', 'press', '--out', site)).code).toBe(0)
  const manifest = JSON.parse(await readFile(join(site, 'galley-bundle.json'), 'utf8')) as {
    readonly pages: readonly { readonly material_id: string; readonly path: string }[]
  }
  const addresses = Object.fromEntries(manifest.pages.map(({ material_id: id, path }) => [id, encodeURI(path)]))
  const [url, browser] = [await aHost(site), await aBrowserPage()]
  const photographExport = await exportCamera(browser)

  const { app, page, nativeWindow, close } = await startApp({ library, port, environment })
  // Some forms choose by the width that the page has when it loads: that of its photograph, at least.
  await nativeWindow.evaluate((shown) => shown.setContentSize(1500, 800))
  // New pages, without marks.
  await openDesk(page)
  const current = page.getByRole('list', { name: 'Pages that wait' }).locator('[aria-current] img')
  const wrong: string[] = []
  for (let at = 1; at <= saved.length; at += 1) {
    if (at > 1) await page.keyboard.press('n')
    await page.getByText(`Page ${at} of ${saved.length}`).waitFor()
    await pageIsSeen(page)
    const name = readThumbnailUrl((await current.getAttribute('src')) ?? '')?.materialId ?? ''
    const form = forms[name]
    if (form === undefined) throw new Error(name)
    await photographExport(`${url}${addresses[name] ?? ''}`)
    const taken = { review: '', export: '', wrong: 'still loads' }
    /** What is wrong with this form now; pictures and fonts may still load. */
    const look = async (): Promise<string> => {
      const { photo, fonts } = await photographReview(app)
      if (photo === '') return 'still loads'
      Object.assign(taken, { review: photo, export: await photographExport(null) })
      const { different, count } = compared(photo, taken.export)
      const said = (await page.locator('[data-pane=page] :is([role=status] summary, p[role=status])').allTextContents())
        .join(' ')
        .trim()
      taken.wrong = [
        ...((form.differs ?? form.mayDiffer) === undefined && different !== 0 ? [`${different} pixels differ`] : []),
        ...(form.differs !== undefined && different === 0 ? ['does not differ'] : []),
        ...(form.shows !== undefined && (count[form.shows] ?? 0) < 20 ? [`shows no ${form.shows}`] : []),
        ...(form.font && fonts === 0 ? ['loads no font'] : []),
        ...(said === (form.says ?? '') ? [] : [`says “${said}”`]),
      ].join(', ')
      return taken.wrong
    }
    await expect
      .poll(look)
      .toBe('')
      .catch(async () => {
        wrong.push(`${name}: ${taken.wrong}`)
        await mkdir(photographs, { recursive: true })
        for (const side of ['review', 'export'] as const)
          await writeFile(join(photographs, `${name}-${side}.png`), Buffer.from(taken[side], 'base64'))
      })
  }
  expect(wrong).toStrictEqual([])
  if (!chosen) expect(saved.length).toBeGreaterThan(60)
  await close()
})
