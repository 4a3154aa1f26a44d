import { appendFile, cp, readFile, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright'
import { describe, expect, onTestFinished, test } from 'vitest'

import { canMount, mountSmallDisk } from '../library/log/small-disk.ts'
import { entryAround, lineAround } from '../support/hostile-entries.ts'
import { aFolder, aFreePort, expectListener, goToChecks, inGrid, startApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { answerQuestions } from './support/dialogs.ts'
import { heldRelaunch } from './support/held-relaunch.ts'
import { libraryOf } from './support/review.ts'

/** A library with one site and one save that no process has open. */
async function aLibrary() {
  const port = await aFreePort()
  const library = join(await aFolder(), 'library')
  const { environment } = await libraryOf(library, port, { 'stories/quay': [{ html: '<h1>One</h1>' }] })
  return { library, port, environment }
}

const lineOf = (page: Page, name: string) => page.getByRole('listitem', { name, exact: true })
/** The buttons of a line but the one that asks the guide. */
const actionsOn = (line: Locator) => line.locator('button:not([title="What does this mean?"])')
const healthButton = (page: Page) =>
  page.getByRole('navigation', { name: 'Sections' }).getByRole('button', { name: /^Delivery/ })

test('an index that is ahead of its log: named, explained and mended on the Health screen', async () => {
  const { library, port, environment } = await aLibrary()
  const log = join(library, 'log', '00000000000000000001.jsonl')
  const bytes = await readFile(log)
  await truncate(log, bytes.lastIndexOf(0x0a, bytes.length - 2) + 1)

  const { app, page, close } = await startApp({ library, port, environment })
  await expectListener(page, 'Not listening')
  await inGrid(page, 'Materials').first().waitFor()
  await expect.poll(() => healthButton(page).textContent()).toContain('1 open problem')
  await page.getByRole('alert').getByRole('button', { name: 'Open Delivery' }).click()
  const line = lineOf(page, 'Library')
  await line.getByText('Log doesn’t match').waitFor()
  // Nothing could be deleted from it, so nothing offers to.
  await expect.poll(() => lineOf(page, 'Disk').getByRole('button').count()).toBe(0)
  await expect.poll(() => healthButton(page).locator('[data-tone]').getAttribute('data-tone')).toBe('danger')
  await line.getByText('The newest log entries are missing').waitFor()
  await line.getByText('Nothing was changed').waitFor()
  await lineOf(page, 'Listener').getByText('until the library is ready').waitFor()
  await expect.poll(() => actionsOn(lineOf(page, 'Listener')).count()).toBe(0)
  await expectAccessible(page)
  await page.setViewportSize({ width: 760, height: 620 })
  await expectAccessible(page, 'narrow')

  // Not confirmed: nothing happens.
  const cancelled = await answerQuestions(app, 'return key')
  await line.getByRole('button', { name: 'Keep log…' }).click()
  await expect.poll(cancelled).toMatchObject([{ message: 'Keep the log and rebuild the index?' }])

  const relaunched = await heldRelaunch(app)
  const asked = await answerQuestions(app, 'first button')
  await line.getByRole('button', { name: 'Keep index…' }).click()
  await relaunched()
  expect(await asked()).toMatchObject([{ message: 'Keep the index and write a new log?' }])
  await close()

  const again = await startApp({ library, port, environment })
  await expectListener(again.page, 'Listening')
  await inGrid(again.page, 'Materials').first().waitFor()
  await expect.poll(() => healthButton(again.page).textContent()).toBe('Delivery')
  await goToChecks(again.page)
  await lineOf(again.page, 'Library').getByText('A new log was written from the index').waitFor()
  await lineOf(again.page, 'Library').getByText('Ready', { exact: true }).waitFor()
  await again.close()
})

test('entries that no Galley can use are reported until they are dismissed', async () => {
  const { library, port, environment } = await aLibrary()
  const log = join(library, 'log', '00000000000000000001.jsonl')
  const last = (await readFile(log, 'utf8')).trimEnd().split('\n').at(-1) ?? ''
  const { sha256: hash, entry } = JSON.parse(last) as { sha256: string; entry: { position: number } }
  const { position } = entry
  await appendFile(log, lineAround(entryAround({ position, hash }, '[{"kind":"site_removed","site":7}]')).bytes)

  const { page, close } = await startApp({ library, port, environment })
  await expectListener(page, 'Listening')
  await goToChecks(page)
  const line = lineOf(page, 'Log')
  await line.getByText(`Log entry ${position + 1} was skipped`).waitFor()
  await line.getByText('Something other than Galley has written to the log.').waitFor()
  await expectAccessible(page)
  await line.getByRole('button', { name: 'Dismiss' }).click()
  await line.waitFor({ state: 'detached' })
  await close()
  const again = await startApp({ library, port, environment })
  await expectListener(again.page, 'Listening')
  await goToChecks(again.page)
  await lineOf(again.page, 'Library').getByText('Ready', { exact: true }).waitFor()
  await expect.poll(() => lineOf(again.page, 'Log').count()).toBe(0)
  await again.close()
})

describe.skipIf(!canMount())('a library on a full disk', () => {
  test('is read-only: stored content can be read, and a restart is offered', async () => {
    const { library, port, environment } = await aLibrary()
    const disk = mountSmallDisk(8)
    if (!disk) throw new Error('The disk could not be mounted')
    onTestFinished(() => disk.unmount())
    const full = join(disk.folder, 'library')
    await cp(library, full, { recursive: true })
    disk.fill(0)

    const { app, page, close } = await startApp({ library: full, port, environment })
    await expectListener(page, 'Not listening')
    await inGrid(page, 'Materials').first().waitFor()
    await expect.poll(() => healthButton(page).textContent()).toContain('2 open problems')
    await goToChecks(page)
    const line = lineOf(page, 'Library')
    await line.getByText('Read-only', { exact: true }).waitFor()
    await line.getByText('Nothing is lost').waitFor()
    await expect.poll(() => actionsOn(lineOf(page, 'Listener')).count()).toBe(0)
    await expectAccessible(page)
    const relaunched = await heldRelaunch(app)
    await line.getByRole('button', { name: 'Restart Galley' }).click()
    await relaunched()
    await close()
  })
})
