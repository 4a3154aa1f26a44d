import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'

import { aFolder, aFreePort, expectListener, startApp } from './support/app.ts'
import { libraryOf, openReview, pagesUnderReview } from './support/review.ts'

/** Two faults of a page, of which one is a promise that nobody awaits. */
const fail = (page: Page): Promise<void> =>
  page.evaluate(() => {
    window.dispatchEvent(new ErrorEvent('error', { error: new RangeError('secret of anna@example.test') }))
    void Promise.reject(new SyntaxError('secret of anna@example.test'))
  })

test('faults of window, review and main are logged without their messages; developer tools reach no stored page', async () => {
  const port = await aFreePort()
  const library = join(await aFolder(), 'library')
  const { environment, versions } = await libraryOf(library, port, { story: [{ html: '<h1>Story</h1>' }] })
  const { app, page, close } = await startApp({
    library,
    port,
    environment: { ...environment, GALLEY_DEVTOOLS: '1' },
  })
  await expectListener(page, 'Listening')
  const lines = async (): Promise<string> => readFile(join(library, 'logs', 'app.log'), 'utf8').catch(() => '')
  const frame = await openReview(app, page, { materialId: 'story', versionId: versions['story']?.[0] ?? '' })
  await expect.poll(async () => (await pagesUnderReview(app)()).map(({ text }) => text)).toEqual(['Story'])
  for (const [shown, name] of [
    [page, 'the window'],
    [frame, 'a review window'],
  ] as const) {
    await fail(shown)
    await expect.poll(lines).toContain(`an error in ${name}, caught by its promise: SyntaxError`)
    await expect.poll(lines).toContain(`an error in ${name}, caught by its window: RangeError`)
  }
  expect(await lines()).not.toContain('anna')
  await page.evaluate(() => window.galley.call('copyDiagnostics', undefined))
  const copied = await app.evaluate(({ clipboard }) => clipboard.readText())
  expect(copied).toMatch(/^Galley \d[^]*Electron \d[^]*Library whole[^]*caught by its promise: SyntaxError/)

  const withTools = () =>
    app.evaluate(({ webContents }) => {
      const all = webContents.getAllWebContents().filter((each) => !each.getURL().startsWith('devtools:'))
      for (const each of all) if (each.getURL().startsWith('galley-review:')) each.openDevTools({ mode: 'detach' })
      return all.flatMap((each) =>
        each.isDevToolsOpened() ? [/index\.html\?review=|galley-review|index/.exec(each.getURL())?.[0]] : [],
      )
    })
  await expect.poll(async () => new Set(await withTools())).toEqual(new Set(['index', 'index.html?review=']))

  // A fault of main is in no box, and saves go on arriving.
  const { stderr } = app.process()
  if (stderr === null) throw new Error('Nobody hears what the app says')
  const said: string[] = []
  createInterface(stderr).on('line', (line) => said.push(line))
  await app.evaluate(({ dialog }) => {
    dialog.showErrorBox = (_title, content) => void process.stderr.write(`error box: ${content}\n`)
    setTimeout(() => {
      throw new RangeError('secret of /home/anna')
    })
    void Promise.reject(new SyntaxError('secret of /home/anna'))
  })
  const faults = () => said.filter((line) => /error/i.test(line)).toSorted()
  await expect
    .poll(faults)
    .toEqual([
      expect.stringMatching(/^an error in Galley: RangeError/),
      expect.stringMatching(/^an error in Galley: SyntaxError/),
    ])
  expect(said.join()).not.toContain('anna')
  expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200)
  await close()
})
