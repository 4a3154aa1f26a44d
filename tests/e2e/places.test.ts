import { expect, test } from 'vitest'

import { inGrid } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { tabOnto } from './support/keyboard.ts'
import { choose, showSection } from './support/settings.ts'
import { startCallbacks } from './support/two-sites.ts'

const longTitle = 'A ferry that crossed the harbour for the last time in winter'

test('places by keyboard alone: Review first, titles whole, a section again is its list, what is for developers on request', async () => {
  const { page, nativeWindow, close } = await startCallbacks({ isForDevelopers: false })
  const press = (key: string) => page.keyboard.press(key)
  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
  expect(longTitle).toHaveLength(60)
  await page.evaluate(
    (title) =>
      window.galley.call('setFields', {
        record: 'material',
        site: 'harbour',
        of: [{ materialId: 'stories/quay' }],
        set: { title, slug: 'quay' },
      }),
    longTitle,
  )
  await nativeWindow.evaluate((shown) => shown.setContentSize(1280, 800))

  // Review has the page, whose version nobody approved, and opens it by Enter.
  await press('Control+1')
  await heading('Review')
  const sections = page.getByRole('navigation', { name: 'Sections' })
  await expect.poll(() => sections.getByRole('button').first().textContent()).toBe('Review1')
  await expectAccessible(page)

  // In a narrow list beside the inspector, a title of 60 characters is whole, and no column is empty.
  await press('Control+2')
  await heading('Materials')
  const rows = inGrid(page, 'Materials')
  await rows.first().waitFor()
  const isCut = () =>
    rows
      .getByText(longTitle)
      .first()
      .evaluate((text) => text.scrollWidth > text.clientWidth + 1 || text.scrollHeight > text.clientHeight + 1)
  await expect.poll(isCut).toBe(false)
  const heads = page.getByRole('columnheader')
  await expect.poll(() => heads.allTextContents()).not.toContain('Tags')

  // Enter leads from the search into what it found; the same section again leads from a material to its list.
  await press('Control+f')
  await page.keyboard.type('ferry')
  await press('Enter')
  const grid = page.getByRole('grid', { name: 'Materials' })
  await expect.poll(() => grid.evaluate((element) => element === document.activeElement)).toBe(true)
  await expect.poll(() => rows.first().getAttribute('aria-selected')).toBe('true')
  await press('Enter')
  await heading(longTitle)
  await expectAccessible(page)
  for (let times = 0; times < 3; times += 1) await press('Control+2')
  await heading('Materials')
  await press('Alt+ArrowLeft')
  await heading('Review')

  // An editor sees no sources and no hashes until the switch is on.
  await press('Alt+ArrowRight')
  await heading('Materials')
  const tabs = page.getByRole('tab')
  await expect.poll(() => tabs.allTextContents()).toStrictEqual(['Summary', 'Comments', 'Media'])
  expect(await page.getByRole('heading', { name: 'SHA-256' }).count()).toBe(0)
  await showSection(page, 'Appearance')
  await tabOnto(page.getByRole('switch', { name: 'Show details for developers' }))
  await press('Space')
  await expectAccessible(page)
  await press('Control+2')
  await expect
    .poll(() => tabs.allTextContents())
    .toStrictEqual(['Summary', 'Comments', 'Media', 'HTML', 'State', 'Metadata'])

  // Delivery: problems first, and the log below.
  await press('Control+5')
  await heading('Delivery')
  await inGrid(page, 'Callbacks').first().waitFor()
  await expect.poll(() => page.getByRole('columnheader', { name: 'Signature' }).count()).toBe(0)
  await expectAccessible(page)
  for (const width of [800, 1920]) {
    await nativeWindow.evaluate((shown, px) => shown.setContentSize(px, 900), width)
    await expectAccessible(page, `${width} px`)
  }
  await showSection(page, 'Appearance')
  await choose(page, 'Language', 'Русский')
  await page
    .getByRole('navigation', { name: 'Разделы' })
    .getByRole('button', { name: /^Доставка/ })
    .click()
  await page.getByRole('heading', { level: 1, name: 'Доставка' }).waitFor()
  await expectAccessible(page)
  await close()
})
