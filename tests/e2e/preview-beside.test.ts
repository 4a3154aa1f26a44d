import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ElectronApplication, Page } from 'playwright'
import { expect, test } from 'vitest'

import { showDesign } from './screens/design.ts'
import { aFolder, goToTab, inGrid } from './support/app.ts'
import { aCanary } from './support/canary.ts'
import { answerDialogs, answerQuestions, openDialog } from './support/dialogs.ts'
import { startHarbourWeekly } from './support/harbour-weekly.ts'

/** What the preview in the window shows and where it is, read from main; null: it is not in the window. */
const previewIn = (app: ElectronApplication) =>
  app.evaluate(async ({ BrowserWindow }) => {
    const views = BrowserWindow.getAllWindows().flatMap(
      (window) => window.contentView.children as Electron.WebContentsView[],
    )
    const view = views.find(({ webContents }) => webContents?.getURL().startsWith('http://127.0.0.1'))
    if (view === undefined) return null
    const code = `({ html: document.documentElement.outerHTML, text: document.body.innerText, y: scrollY,
      loaded: [...document.images].every((image) => image.complete), title: document.title })`
    const looked = view.webContents.executeJavaScriptInIsolatedWorld(7, [{ code }])
    const over = new Promise<null>((resolve) => view.webContents.once('did-start-loading', () => resolve(null)))
    const look = (await Promise.race([looked, over])) as Record<'html' | 'text' | 'title', string> | null
    return look && { ...look, url: view.webContents.getURL(), bounds: view.getBounds() }
  })

const clickIn = (app: ElectronApplication, selector: string): Promise<void> =>
  app.evaluate(async ({ webContents }, selector) => {
    const shown = webContents.getAllWebContents().find((contents) => contents.getURL().startsWith('http://127.0.0.1'))
    const code = `document.querySelector(${JSON.stringify(selector)}).click()`
    // The click may end the page before it answers.
    void shown?.executeJavaScriptInIsolatedWorld(7, [{ code }])
  }, selector)

const open = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Show preview beside the form' }).click()
  await page.getByRole('region', { name: 'Preview', exact: true }).waitFor()
}

test('the preview beside the form: entered by keyboard, follows what is saved and chosen; what a page holds reaches nobody', async () => {
  const { app, page, close } = await startHarbourWeekly()
  await showDesign(page, 'Site')
  await open(page)
  const html = async (): Promise<string> => (await previewIn(app))?.html ?? ''
  await expect.poll(html).toContain('A weekend by the harbour')
  const place = page.getByRole('button', { name: /^Site preview/ })
  const misplaced = async () => {
    const { x = 0, y = 0, width = 0, height = 0 } = (await place.boundingBox()) ?? {}
    const bounds = (await previewIn(app))?.bounds
    const room = { x: Math.round(x), y: Math.round(y), width: Math.floor(width), height: Math.floor(height) }
    return JSON.stringify(bounds) === JSON.stringify(room) ? null : { bounds, room }
  }
  await expect.poll(misplaced).toBe(null)
  await page.getByLabel('Footer').fill('Seen beside the form')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(html).toContain('Seen beside the form')

  // The keyboard enters and leaves it, and the keys of the window work from inside.
  const isInside = () =>
    app.evaluate(
      ({ webContents }) => webContents.getFocusedWebContents()?.getURL().startsWith('http://127.0.0.1') === true,
    )
  const press = (keyCode: string, ...modifiers: ('control' | 'shift')[]) =>
    app.evaluate(
      ({ webContents }, [keyCode, modifiers]) =>
        webContents.getFocusedWebContents()?.sendInputEvent({ type: 'keyDown', keyCode, modifiers }),
      [keyCode, modifiers] as const,
    )
  await place.focus()
  await page.keyboard.press('Enter')
  await expect.poll(isInside).toBe(true)
  await press('Tab')
  expect(await isInside()).toBe(true)
  await press('F6')
  await expect.poll(isInside).toBe(false)
  await place.focus()
  await page.keyboard.press('Enter')
  await expect.poll(isInside).toBe(true)
  await press('k', 'control')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.locator(openDialog).waitFor({ state: 'detached' })

  // Active content of a page runs nothing and reaches nobody.
  const canary = await aCanary()
  const hostile = `<script>document.title='ran';fetch('${canary.url}/fetch')</script><link rel="stylesheet" href="${canary.url}/style.css">
      <img src="${canary.url}/image.png" onerror="document.title='handler ran'"><iframe src="${canary.url}/frame"></iframe>
      <iframe src="app://galley/renderer/index.html"></iframe><img src="file:///etc/hostname" id="file">
      <meta http-equiv="refresh" content="1;url=${canary.url}/refresh"><a id="out" href="${canary.url}/link">out</a>`
  await answerQuestions(app, 'first button')
  await page.evaluate(
    (bodySnippet) => window.galley.call('saveSitePublishing', { site: 'harbour', changes: { bodySnippet } }),
    hostile,
  )
  await expect.poll(html).toContain('id="out"')
  // A click on an external link does nothing.
  await clickIn(app, '#out')
  // The meta refresh would have run before this later change is drawn.
  await page.getByLabel('Footer').fill('Later')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(html).toContain('Later')
  const shown = await previewIn(app)
  expect(shown?.title).not.toMatch(/ran/)
  expect(canary.connections()).toBe(0)
  const { url } = shown ?? { url: '' }
  expect(new URL(url).pathname).toBe('/')

  // A dialog or a menu of the window is never under it.
  await page.keyboard.press('Control+k')
  await expect.poll(() => previewIn(app)).toBe(null)
  await page.keyboard.press('Escape')
  await expect.poll(html).toContain('Later')

  // A link to another page opens it in the preview.
  await clickIn(app, 'a[href*="lighthouse"]')
  await expect.poll(async () => (await previewIn(app))?.url).toMatch(/lighthouse[^/]*\/(?:index\.html)?$/)

  // Switches the theme, and then stores changed files of its folder.
  const folder = join(await aFolder(), 'quay')
  await mkdir(folder)
  const template = join(folder, 'page.html')
  await writeFile(template, '<!doctype html>\n<title>Quay</title>\n<main>{{ content }}</main>\n')
  await answerDialogs(app, folder)
  await showDesign(page, 'Theme')
  await page.getByRole('button', { name: 'Choose a folder…' }).click()
  await page.getByRole('button', { name: 'Use quay' }).click()
  await page.getByRole('listitem', { name: 'Own theme' }).getByText('In use').waitFor()

  await goToTab(page, 'Pages')
  const select = (title: string) => inGrid(page, 'Pages').filter({ hasText: title }).getByText(title).click()
  await select('At nine, the market')
  await expect.poll(html).toContain('<title>Quay</title>')
  await expect.poll(async () => (await previewIn(app))?.url).toMatch(/\/at-nine-the-market\/$/)
  // Back at once, while the other page is still loading.
  await page.evaluate(async () => {
    const show = (address: string) => window.galley.call('showPreview', { site: 'harbour', address })
    await Promise.all([show(''), show('at-nine-the-market')])
  })
  const isLoading = () =>
    app.evaluate(({ webContents }) => webContents.getAllWebContents().some((each) => each.isLoading()))
  await expect.poll(isLoading).toBe(false)
  expect((await previewIn(app))?.url).toMatch(/\/at-nine-the-market\/$/)
  await writeFile(template, '<!doctype html>\n<title>Quay, edited</title>\n<main>{{ content }}</main>\n')
  await showDesign(page, 'Theme')
  await page.getByRole('button', { name: 'Use quay' }).click()
  await goToTab(page, 'Pages')
  await select('At nine, the market')
  await expect.poll(html).toContain('Quay, edited')

  // A page that will not be published has no preview.
  await page.keyboard.press('Control+Shift+u')
  await page.getByText('This page won’t be published').waitFor()
  await expect.poll(() => previewIn(app)).toBe(null)

  await page.getByRole('button', { name: 'Hide preview' }).last().click()
  await page.getByRole('region', { name: 'Preview', exact: true }).waitFor({ state: 'detached' })
  const state = await page.evaluate(() => window.galley.call('previewState', { site: 'harbour' }))
  expect(state, 'nobody looks at it any more').toBe(null)
  await close()
})
