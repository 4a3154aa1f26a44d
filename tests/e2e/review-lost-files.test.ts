import { createHash } from 'node:crypto'
import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'

import { aFolder, aFreePort, startApp } from './support/app.ts'
import { expectAccessible, goodPractice } from './support/axe.ts'
import { pageIsSeen } from './support/desk.ts'
import { closeReviews } from './support/review-windows.ts'
import { aPicture, chooseView, headings, libraryOf, openReview, pagesUnderReview } from './support/review.ts'

test('files that the disk has lost are reported, with a way to repair them', async () => {
  const port = await aFreePort()
  const library = join(await aFolder(), 'library')
  // Large enough for a separate file.
  const hero = Buffer.concat([aPicture, Buffer.alloc(100_000, 7)])
  const { environment, versions } = await libraryOf(library, port, {
    story: [
      { html: '<h1>First</h1>' },
      { html: '<h1>Second</h1><img src="dummy-hero.png"><img src="dummy-never.png">', files: { 'hero.png': hero } },
    ],
  })
  const [first = '', second = ''] = versions['story'] ?? []
  const { app, page, close } = await startApp({ library, port, environment })
  const shown = pagesUnderReview(app)
  // Pages that were read stay loaded in their window, so each part has one of its own.
  const review = async (versionId: string): Promise<Page> => {
    await closeReviews(app)
    return await openReview(app, page, { materialId: 'story', versionId })
  }

  // A page with a broken image is shown all the same.
  const broken = await review(second)
  await expect.poll(async () => (await shown()).map(({ pictures }) => pictures)).toStrictEqual([[1, 0]])
  await broken.getByRole('status').getByText('1 file isn’t shown: never.png.').waitFor()
  await expectAccessible(broken, 'a page with a broken image', goodPractice)
  const sha256 = createHash('sha256').update(hero).digest('hex')
  const place = (await readdir(library, { recursive: true })).find((path) => path.endsWith(sha256)) ?? ''
  await rm(join(library, place))
  const lost = await review(second)
  await lost.getByRole('status').getByText('1 media file of this page can’t be read from the disk').waitFor()
  await expect.poll(async () => (await shown()).map(({ pictures }) => pictures)).toStrictEqual([[0, 0]])

  // Without its own file there is no page: the message describes the effect and what to do.
  await rename(join(library, 'files'), join(library, 'elsewhere'))
  const frame = await review(first)
  const alert = frame.getByRole('alert')
  await alert.getByText('The page file is missing or unreadable.').waitFor()
  await expect.poll(async () => (await shown()).length, { message: 'no page lies above the words' }).toBe(0)
  await expectAccessible(frame, 'a page that is lost', goodPractice)
  await alert.getByRole('button', { name: 'Open Delivery' }).click()
  await page.getByRole('heading', { name: 'Delivery', level: 1 }).waitFor()
  await rename(join(library, 'elsewhere'), join(library, 'files'))
  await alert.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => headings(shown)).toStrictEqual(['First'])

  // The same in the comparison of sources.
  await frame.keyboard.press('p')
  await expect.poll(() => headings(shown)).toStrictEqual(['Second'])
  await pageIsSeen(frame)
  await rename(join(library, 'files'), join(library, 'elsewhere'))
  await chooseView(frame, 'HTML')
  await alert.getByText('The page file is missing or unreadable.').waitFor()
  await rename(join(library, 'elsewhere'), join(library, 'files'))
  await alert.getByRole('button', { name: 'Try again' }).click()
  await frame.locator('.cm-changedLine').first().waitFor()
  await close()
})
