import { join } from 'node:path'
import type { ElectronApplication } from 'playwright'
import { expect, test } from 'vitest'

import { aFolder, aFreePort, expectListener, startApp } from './support/app.ts'
import { headings, libraryOf, openReview, pagesUnderReview } from './support/review.ts'

/** Holds back the first page that is prepared from now on, until it is released. */
async function holdNextPage(app: ElectronApplication) {
  await app.evaluate(() => {
    const { Worker } = process.getBuiltinModule('node:worker_threads')
    const send = Worker.prototype.postMessage
    const page = { release: null as (() => void) | null }
    Object.assign(globalThis, { heldPage: page })
    Worker.prototype.postMessage = function (message: { readonly name?: string }, ...others) {
      const give = (): void => send.call(this, message, ...others)
      if (message.name !== 'reviewPage' || page.release !== null) return give()
      page.release = give
    }
  })
  type Held = { release: (() => void) | null }
  return {
    isHeld: () => app.evaluate(() => (Reflect.get(globalThis, 'heldPage') as Held).release !== null),
    release: () => app.evaluate(() => (Reflect.get(globalThis, 'heldPage') as Held).release?.()),
  }
}

/** The responses to stored pages that request their own URL again. */
const askAgain = (app: ElectronApplication) =>
  app.evaluate(({ webContents }) => {
    const views = webContents.getAllWebContents().filter((each) => each.getURL().startsWith('galley-review:'))
    return Promise.all(
      views.map((view) =>
        view.session.fetch(view.getURL()).then(
          ({ status }) => status,
          () => 'refused',
        ),
      ),
    )
  })

test('a review by its window: closed early, zoomed, and beside texts', { timeout: 90_000 }, async () => {
  const port = await aFreePort()
  const library = join(await aFolder(), 'library')
  const { environment, versions } = await libraryOf(library, port, {
    story: [{ html: '<h1>First</h1>' }, { html: '<h1>Second</h1>' }],
  })
  const [first = '', second = ''] = versions['story'] ?? []
  const { app, page, close } = await startApp({ library, port, environment })
  await expectListener(page, 'Listening')
  const shown = pagesUnderReview(app)

  // A page that is ready after its window is closed does not affect the next window, which uses the same sessions.
  const held = await holdNextPage(app)
  const early = await openReview(app, page, { materialId: 'story', versionId: second })
  await expect.poll(held.isHeld).toBe(true)
  const closed = early.waitForEvent('close')
  // The window is closed before the key is released.
  await early.keyboard.press('Control+w').catch(() => null)
  await closed
  const frame = await openReview(app, page, { materialId: 'story', versionId: second, compareWith: first })
  await expect.poll(() => headings(shown)).toStrictEqual(['First', 'Second'])
  const made = app.evaluate(() => {
    const { Worker } = process.getBuiltinModule('node:worker_threads')
    const { emit } = Worker.prototype
    return new Promise<void>((resolve) => {
      Worker.prototype.emit = function (event: string | symbol, ...values: unknown[]) {
        const isHeard = emit.call(this, event, ...values)
        // One turn of the event loop later, the waiting caller has the page.
        if (event === 'message') setImmediate(resolve)
        return isHeard
      }
    })
  })
  await held.release()
  await made
  expect(await askAgain(app)).toStrictEqual([200, 200])

  // A review window has no menu, so these keys work in the frame and in its pages.
  const press = (within: string, keyCode: string) =>
    app.evaluate(
      ({ webContents }, { within, keyCode }) => {
        const all = webContents.getAllWebContents()
        const contents = all.find((each) => !each.isOffscreen() && each.getURL().includes(within))
        for (const type of ['keyDown', 'keyUp'] as const)
          contents?.sendInputEvent({ type, keyCode, modifiers: ['control'] })
      },
      { within, keyCode },
    )
  const zoom = () =>
    app.evaluate(({ webContents }) => {
      const frame = webContents.getAllWebContents().find((each) => each.getURL().includes('/review/index.html'))
      return frame?.getZoomLevel()
    })
  for (const [within, keyCode, level] of [
    ['/review/index.html', '=', 0.5],
    ['galley-review:', '=', 1],
    ['galley-review:', '-', 0.5],
    ['/review/index.html', '0', 0],
  ] as const) {
    await press(within, keyCode)
    await expect.poll(zoom, { message: `${keyCode} in ${within}` }).toBe(level)
  }

  // In the text comparison, there is no page that could take the keyboard.
  await frame.getByRole('tab', { name: 'Text', exact: true }).click()
  await frame.getByRole('status').getByText('1 change').waitFor()
  await app.evaluate(({ webContents }) => {
    const asked: string[] = []
    Object.assign(globalThis, { askedToFocus: asked })
    for (const view of webContents.getAllWebContents())
      if (view.getURL().startsWith('galley-review:')) view.focus = () => void asked.push(view.getURL())
  })
  const askedToFocus = () => app.evaluate(() => Reflect.get(globalThis, 'askedToFocus') as string[])
  await frame.keyboard.press('F6')
  // Answered after the earlier requests.
  await frame.evaluate(() => window.galley.call('readSettings', undefined))
  expect(await askedToFocus()).toStrictEqual([])
  await frame.getByRole('tab', { name: 'Pages' }).click()
  await frame.getByRole('tab', { name: 'Pages', selected: true }).waitFor()
  await frame.keyboard.press('F6')
  await expect.poll(askedToFocus).toHaveLength(1)
  await close()
})
