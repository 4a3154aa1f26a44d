import type { Locator } from 'playwright'
import { expect, test } from 'vitest'

import { resize } from './screens/visit.ts'
import { goTo, inGrid } from './support/app.ts'
import { openReview } from './support/review.ts'
import { aPage } from './support/service.ts'
import { showSection } from './support/settings.ts'
import { startSiteWindow } from './support/site-window.ts'

/** Whether the text of this element begins within its box, and where in it: 0 is the left edge, 1 the right one. */
const startOf = (line: Locator) =>
  line.evaluate((element) => {
    const words = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode()
    if (words === null) throw new Error('There is no text')
    const range = document.createRange()
    range.setStart(words, 0)
    range.setEnd(words, 1)
    const [letter, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()]
    return {
      isShown: letter.left >= box.left - 1 && letter.right <= box.right + 1,
      isRight: letter.right > box.left + 20,
    }
  })

const isCut = (element: Locator) => element.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)

test('words of people are readable, whatever their direction and length', async () => {
  const siteName = 'The Harbour Weekly and Evening Post for the whole of the northern coast and its islands'
  const started = await startSiteWindow(siteName)
  const { app, page, save, versions, close } = started
  // The ellipsis comes where the title ends, which is at the left.
  const arabic = 'مرحبا بكم في المرفأ القديم: دليل نهاية الأسبوع لمن يحب البحر والقوارب والسمك الطازج'
  expect(await save('stories/arabic', aPage(arabic))).toMatchObject({ result: 'merged' })
  const row = inGrid(page, 'Materials').filter({ hasText: 'stories/arabic' })
  await row.click()
  const begins = { isShown: true, isRight: true }
  await expect.poll(() => startOf(row.getByTitle(arabic))).toStrictEqual(begins)
  await expect.poll(() => startOf(page.getByRole('heading', { name: arabic }))).toStrictEqual(begins)

  // A long name leaves room for the listener, and for what tells production from development.
  await page.getByRole('button', { name: /^Site:/ }).click()
  expect(await isCut(page.getByRole('menuitemcheckbox').getByText(siteName))).toBe(true)
  await page.getByRole('menuitemcheckbox').getByText('PROD', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.evaluate(() => window.galley.call('changeSettings', { language: 'ru' }))
  const listener = page.getByRole('status', { name: 'Приём сохранений' })
  for (const width of [760, 820, 900, 1000, 1100]) {
    await resize(started, [width, 700])
    expect(await isCut(listener.getByText('Принимает')), `at ${width}`).toBe(false)
  }
  await page.evaluate(() => window.galley.call('changeSettings', { language: 'en' }))

  // The chosen section is set in bold, and keeps its place.
  await resize(started, [1280, 800])
  await goTo(page, 'Settings')
  await showSection(page, 'Startup and notifications')
  const section = page.getByRole('button', { name: 'Startup and notifications' })
  const { height } = (await section.boundingBox()) ?? {}
  expect(height).toBe(32)
  expect(await section.evaluate((element) => element.scrollHeight <= element.clientHeight)).toBe(true)

  // A review has room for the title of its material.
  const [version] = await versions('stories/arabic')
  const review = await openReview(app, page, { materialId: 'stories/arabic', versionId: version?.versionId ?? '' })
  const nativeReview = await app.browserWindow(review)
  for (const width of [1280, 820]) {
    await nativeReview.evaluate((shown, width) => shown.setContentSize(width, 700), width)
    await expect.poll(() => review.evaluate(() => innerWidth)).toBe(width)
    expect(await isCut(review.getByRole('heading', { level: 1 })), `at ${width}`).toBe(false)
  }
  await close()
})
