import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

import { canMount, mountSmallDisk } from '../library/log/small-disk.ts'
import { damageIndex } from '../support/damage-index.ts'
import { addSite } from './support/add-site.ts'
import { aFolder, aFreePort, expectListener, goTo, goToChecks, inGrid, startApp } from './support/app.ts'
import { watchNotices } from './support/notice.ts'
import { headings, openReview, pagesUnderReview } from './support/review.ts'
import { aPage, startEmulator } from './support/service.ts'

// The app reopens its library automatically if that is enough to store saves again.

const secret = 'secret of the quay'
const environment = { GALLEY_SECRETS: 'env', GALLEY_SECRET_QUAY: secret }

/** A library with one site in this folder. */
async function aSite(library: string) {
  const port = await aFreePort()
  const emulator = await startEmulator({ secret })
  const callbackUrl = `http://127.0.0.1:${port}/callback/quay`
  await addSite(library, environment, emulator, { id: 'quay', name: 'The Quay', callbackUrl })
  const { fingerprint } = await emulator.openPastGalley('stories/quay', callbackUrl)
  return { port, save: (text: string) => emulator.save(fingerprint, aPage(text)) }
}

test.skipIf(!canMount())('after a full disk has room again', async () => {
  const disk = mountSmallDisk(48)
  if (!disk) throw new Error('The disk could not be mounted')
  onTestFinished(() => disk.unmount())
  const library = join(disk.folder, 'library')
  const { port, save } = await aSite(library)
  disk.fill(0)
  const { page, close } = await startApp({ library, port, environment })
  await expectListener(page, 'Not listening')
  await goToChecks(page)
  const line = page.getByRole('listitem', { name: 'Library', exact: true })
  await line.getByText('Read-only', { exact: true }).waitFor()

  await rm(join(disk.folder, 'ballast'))
  await expectListener(page, 'Listening')
  await line.getByText('Ready', { exact: true }).waitFor()
  expect(await save('One')).toMatchObject({ result: 'merged' })
  await goTo(page, 'Materials')
  await inGrid(page, 'Materials').first().waitFor()
  await close()
})

test('after damage to the index, all acknowledged saves are there', async () => {
  const library = join(await aFolder(), 'library')
  const { port, save } = await aSite(library)
  const { app, page, nativeWindow, close } = await startApp({ library, port, environment })
  await expectListener(page, 'Listening')
  expect(await save('One')).toMatchObject({ result: 'merged' })
  const place = { site: 'quay', materialId: 'stories/quay' }
  const [first] = await page.evaluate(async (place) => {
    const { rows } = await window.galley.call('queryVersions', { ...place, offset: 0, limit: 1 })
    return rows
  }, place)
  const shownVersion = { ...place, versionId: first?.versionId ?? '' }
  const review = await openReview(app, page, shownVersion)
  await expect.poll(pagesUnderReview(app)).toHaveLength(1)
  const notices = await watchNotices(app)
  const isVisible = () => nativeWindow.evaluate((shown) => shown.isVisible())
  await nativeWindow.evaluate((shown) => shown.close())
  await expect.poll(isVisible).toBe(false)
  // The first damage that is met reopens the library at once.
  const reviewClosed = review.waitForEvent('close')
  await damageIndex(library)
  expect(await save('Two')).not.toMatchObject({ result: 'merged' })
  await expect.poll(async () => (await save('Three')).result).toBe('merged')
  // This window could not read the reopened library; a new one can.
  await reviewClosed
  await openReview(app, page, shownVersion)
  await expect.poll(() => headings(pagesUnderReview(app))).toEqual(['One'])
  await expectListener(page, 'Listening')
  // A notification from before the library was reopened.
  await notices.click()
  await expect.poll(isVisible).toBe(true)
  await inGrid(page, 'Materials').first().click()
  await page.getByRole('grid', { name: 'Versions' }).locator('[data-row]').nth(1).waitFor()
  await goToChecks(page)
  await page.getByRole('listitem', { name: 'Library', exact: true }).getByText('Ready', { exact: true }).waitFor()
  await close()
})
