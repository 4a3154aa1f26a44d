import { join } from 'node:path'
import type { ElectronApplication } from 'playwright'
import { expect, test } from 'vitest'

import { aFolder, aFreePort, expectListener, startApp } from './support/app.ts'
import { expectAccessible, goodPractice } from './support/axe.ts'
import { aPicture, headings, isReview, libraryOf, openReview, pagesUnderReview } from './support/review.ts'

const gigabyte = 1024 ** 3

/** Runs a function on the visible stored page. */
const disturb = (app: ElectronApplication, how: 'crash' | 'hang'): Promise<void> =>
  app.evaluate(({ BrowserWindow }, how) => {
    // Not the window that renders a thumbnail, which also shows stored pages.
    const views = BrowserWindow.getAllWindows().flatMap(
      (window) => window.contentView.children as Electron.WebContentsView[],
    )
    const page = views
      .map(({ webContents }) => webContents)
      .find((contents) => contents?.getURL().startsWith('galley-review:'))
    if (how === 'crash') page?.forcefullyCrashRenderer()
    // Chromium's event after 30 seconds without a response to a key or a click.
    else page?.emit('unresponsive')
  }, how)

/** The memory of the largest process that draws pages, in bytes. */
const largestPage = (app: ElectronApplication) => () =>
  app.evaluate(({ app }) =>
    Math.max(...app.getAppMetrics().map(({ type, memory }) => (type === 'Tab' ? memory.workingSetSize * 1024 : 0))),
  )

test('a page whose process ends, or that no longer responds, says so and can be reloaded without images', async () => {
  const port = await aFreePort()
  const library = join(await aFolder(), 'library')
  const html = '<h1>Story</h1><img src="dummy-hero.png" alt="">'
  const { environment, versions } = await libraryOf(library, port, {
    story: [{ html, files: { 'hero.png': aPicture } }],
  })
  const { app, page, close } = await startApp({ library, port, environment })
  await expectListener(page, 'Listening')
  const frame = await openReview(app, page, { materialId: 'story', versionId: versions['story']?.[0] ?? '' })
  const shown = pagesUnderReview(app)
  const pictures = async () => (await shown()).map(({ pictures }) => pictures)
  await expect.poll(pictures).toEqual([[1]])

  await disturb(app, 'crash')
  await frame.getByText('The page crashed').waitFor()
  await expectAccessible(frame, 'a page that ended', goodPractice)
  await frame.getByRole('button', { name: 'Reload', exact: true }).click()
  await expect.poll(pictures).toEqual([[1]])

  await disturb(app, 'hang')
  await frame.getByText('The page stopped responding').waitFor()
  await frame.getByText('The stored version isn’t affected').waitFor()
  await frame.getByRole('button', { name: 'Reload without images' }).click()
  await frame.getByText('This page is shown without its images and videos.').waitFor()
  await expect.poll(() => headings(shown)).toEqual(['Story'])
  expect(await pictures()).toEqual([[0]])

  // The pictures return with the next page that is loaded.
  await disturb(app, 'hang')
  await frame.getByRole('button', { name: 'Reload', exact: true }).click()
  await expect.poll(pictures).toEqual([[1]])
  await expect.poll(() => frame.getByText('This page is shown without').count()).toBe(0)
  await disturb(app, 'crash')
  await frame.getByText('The page crashed').waitFor()
  await frame.keyboard.press('Control+w').catch(() => undefined)
  await expect.poll(() => app.windows().some((window) => isReview(window))).toBe(false)
  await close()
})

// A page that reaches a gigabyte keeps a processor busy for seconds, and much longer beside others: no wait has a limit of
// its own.
test('a page that needs more than a gigabyte is stopped, and nothing else is', async () => {
  const port = await aFreePort()
  const library = join(await aFolder(), 'library')
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg">${'<text>x</text>'.repeat(1_200_000)}</svg>`
  const { environment, versions } = await libraryOf(library, port, {
    story: [{ html: '<h1>Small</h1>' }, { html: `<h1>Huge</h1>${'<p>x'.repeat(1_600_000)}` }],
    // Of its own: beside another version, that one would be loaded and compared too.
    framed: [
      {
        html: '<h1>Framed</h1><iframe sandbox src="dummy-d.svg"></iframe>',
        files: { 'd.svg': Buffer.from(drawing) },
      },
    ],
  })
  const [small = '', huge = ''] = versions['story'] ?? []
  const { app, page, close } = await startApp({ library, port, environment })
  await expectListener(page, 'Listening')
  const frame = await openReview(app, page, { materialId: 'story', versionId: small, compareWith: huge })
  await frame.getByText('The page used too much memory').waitFor({ timeout: 0 })
  await frame.keyboard.press('n')
  await expect.poll(() => headings(pagesUnderReview(app))).toEqual(['Small'])
  const other = frame.getByRole('combobox', { name: 'Compared with' })
  await other.click()
  await frame.getByRole('option', { name: 'No version' }).click()
  await expect.poll(() => other.textContent()).toContain('No version')
  await expect.poll(() => headings(pagesUnderReview(app))).toEqual(['Small'])
  // A frame may be in a process of its own.
  const framed = await openReview(app, page, { materialId: 'framed', versionId: versions['framed']?.[0] ?? '' })
  await framed.getByText('The page used too much memory').waitFor({ timeout: 0 })
  // The thumbnail of the page in the list of materials is stopped in the same way.
  await expect.poll(largestPage(app), { timeout: 600_000 }).toBeLessThan(gigabyte)
  await close()
})
