import { join } from 'node:path'
import type { ElectronApplication } from 'playwright'
import { expect, test } from 'vitest'

import { aFolder, aFreePort, expectListener, startApp } from './support/app.ts'
import { libraryOf, openReview } from './support/review.ts'

/** From now on, answers questions about windows this way, and counts them. */
const answerBy = (app: ElectronApplication, way: number): Promise<void> =>
  app.evaluate(({ dialog }, way) => {
    const asked: string[] = []
    Object.assign(globalThis, { asked })
    dialog.showMessageBox = (({ message }: { message: string }) => {
      asked.push(message)
      return Promise.resolve({ response: way, checkboxChecked: false })
    }) as typeof dialog.showMessageBox
  }, way)
const askedNow = (app: ElectronApplication) => () => app.evaluate(() => Reflect.get(globalThis, 'asked') as string[])

/** The windows of the app from main, since Playwright drops a page whose process crashed. */
const look = (app: ElectronApplication, part: RegExp) => () =>
  app.evaluate(async ({ BrowserWindow }, part) => {
    const window = BrowserWindow.getAllWindows().find(({ webContents }) => new RegExp(part).test(webContents.getURL()))
    if (window === undefined) return 'closed'
    if (window.webContents.isCrashed()) return window.isVisible() ? 'gone' : 'gone, hidden'
    const { setTimeout: delay } = process.getBuiltinModule('node:timers/promises')
    const read = window.webContents.executeJavaScript('document.querySelector("h1")?.textContent') as Promise<unknown>
    // Electron never settles a script whose page is closed in the meantime.
    const title = await Promise.race([read, delay(300, 'nothing')])
    return `${window.isVisible() ? 'shows' : 'hides'} ${String(title).replace(/\d+$/, '')}`
  }, part.source)

const end = (app: ElectronApplication, part: RegExp): Promise<void> =>
  app.evaluate(({ BrowserWindow }, part) => {
    const all = BrowserWindow.getAllWindows()
    all.find(({ webContents }) => new RegExp(part).test(webContents.getURL()))?.webContents.forcefullyCrashRenderer()
  }, part.source)

/** The ends of the addresses of both windows' pages. */
const shell = /index\.html$/
const frame = /index\.html\?review=/

test('a window whose page crashed is reloaded or closed, as chosen', async () => {
  const port = await aFreePort()
  const library = join(await aFolder(), 'library')
  const { environment, versions } = await libraryOf(library, port, { story: [{ html: '<h1>Story</h1>' }] })
  const { app, page, nativeWindow, close } = await startApp({ library, port, environment })
  await expectListener(page, 'Listening')
  await openReview(app, page, { materialId: 'story', versionId: versions['story']?.[0] ?? '' })
  await expect.poll(look(app, frame)).toBe('shows Story')

  await answerBy(app, 0)
  await end(app, frame)
  await expect.poll(askedNow(app)).toEqual(['The window crashed'])
  await expect.poll(look(app, frame), { message: 'the review, loaded again' }).toBe('shows Story')
  await end(app, shell)
  await expect.poll(look(app, shell), { message: 'the window, loaded again' }).toBe('shows Materials')
  expect(await askedNow(app)()).toHaveLength(2)

  // A closed window is only hidden while the listener runs: no further question is asked, and it reopens intact.
  await answerBy(app, 1)
  await end(app, frame)
  await expect.poll(look(app, frame)).toBe('closed')
  await end(app, shell)
  await expect.poll(look(app, shell)).toBe('gone, hidden')
  expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200)
  await app.evaluate(({ app }) => void app.emit('activate'))
  await expect.poll(look(app, shell)).toBe('shows Materials')
  await nativeWindow.evaluate((shown) => shown.hide())
  await end(app, shell)
  await expect.poll(look(app, shell)).toBe('gone, hidden')
  expect(await askedNow(app)()).toHaveLength(2)
  await app.evaluate(({ app }) => void app.emit('activate'))
  await expect.poll(look(app, shell)).toBe('shows Materials')

  // A hanging page: waits for it once, and ends it once.
  const hang = () => nativeWindow.evaluate((shown) => void shown.emit('unresponsive'))
  await hang()
  await expect.poll(askedNow(app)).toHaveLength(3)
  expect(await look(app, shell)()).toBe('shows Materials')
  await answerBy(app, 0)
  await hang()
  await expect.poll(askedNow(app)).toEqual(['The window isn’t responding'])
  await expect.poll(look(app, shell)).toBe('shows Materials')
  expect(await askedNow(app)(), 'its end was wished').toHaveLength(1)
  await close()
})
