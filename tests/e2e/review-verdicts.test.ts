import type { Page } from 'playwright'
import { expect, test } from 'vitest'

import { goTo, inGrid } from './support/app.ts'
import { expectAccessible, goodPractice } from './support/axe.ts'
import { sharedReviews } from './support/review-windows.ts'
import type { SavedPage } from './support/review.ts'
import { aPicture, headings, openReview, pagesUnderReview } from './support/review.ts'

const filler = Array.from({ length: 40 }, (_, at) => `<p>Line ${at} of the story.</p>`).join('')
const drafts = ['First', 'Second', 'Third', 'Fourth'].map((heading) => ({ html: `<h1>${heading}</h1><p>Herring</p>` }))

const market: readonly SavedPage[] = [
  {
    html: `<h1>Market</h1><p>Herring: 9 marks</p>${filler}<p>The end.</p>`,
    state: { text: '9 marks', assets: {} },
    files: { 'same.png': aPicture, 'gone.png': aPicture, 'other.png': aPicture },
  },
  {
    html: `<h1>Market</h1><p>Herring: <b>12 marks</b></p>${filler}<p>The very end.</p>`,
    state: { text: '12 marks', assets: {} },
    files: { 'same.png': aPicture, 'new.png': aPicture, 'other.png': Buffer.concat([aPicture, aPicture]) },
  },
]

const reviews = sharedReviews(() => ({ market, verdicts: drafts, reasons: drafts }))

test('two versions are compared as text, source, state and media', { timeout: 90_000 }, async () => {
  const { app, page, versionsOf } = await reviews()
  const [first = '', second = ''] = versionsOf('market')
  const frame = await openReview(app, page, { materialId: 'market', versionId: second, compareWith: first })
  const shown = pagesUnderReview(app)
  await expect.poll(async () => (await shown()).length).toBe(2)

  const viewsAbove = () =>
    app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().reduce((sum, window) => sum + window.contentView.children.length, 0),
    )
  const views = await viewsAbove()
  await frame.getByRole('tab', { name: 'Text', exact: true }).click()
  await frame.getByRole('status').getByText('2 changes').waitFor()
  await frame.locator('.cm-merge-a .cm-changedLine').getByText('Herring: 9 marks').waitFor()
  await frame.locator('.cm-merge-b .cm-changedLine').getByText('Herring: 12 marks').waitFor()
  await frame.locator('.cm-collapsedLines').first().waitFor()
  await expect
    .poll(() => frame.getByText('Line 20 of the story').count(), { message: 'equal parts are folded' })
    .toBe(0)
  await expect.poll(viewsAbove, { message: 'no page lies above the texts' }).toBe(views - 2)
  await expectAccessible(frame, 'text', goodPractice)

  // Moves from change to change, and wraps around at the end.
  for (const [key, place] of [
    ['j', '1 of 2'],
    ['j', '2 of 2'],
    ['j', '1 of 2'],
    ['k', '2 of 2'],
  ] as const) {
    await frame.keyboard.press(key)
    await frame.getByRole('status').getByText(`Change ${place}`).waitFor()
  }
  await frame.getByRole('button', { name: 'Previous change' }).click()
  await frame.getByRole('status').getByText('Change 1 of 2').waitFor()

  await frame.keyboard.press('u')
  await frame.locator('.cm-deletedChunk').getByText('Herring: 9 marks').waitFor()
  await frame.locator('.cm-deletedChunk').getByText('The end.').waitFor()
  await frame.keyboard.press('u')

  await frame.getByRole('tab', { name: 'HTML' }).click()
  await frame.locator('.cm-merge-b .cm-changedLine').getByText('<b>12 marks</b>').waitFor()
  await frame.getByRole('tab', { name: 'Editor state' }).click()
  await frame.locator('.cm-merge-b .cm-changedLine').getByText('"text": "12 marks"').waitFor()

  await frame.getByRole('tab', { name: 'Media' }).click()
  const rows = frame.getByRole('row')
  await rows.nth(4).waitFor()
  const cells = await rows.evaluateAll((found) =>
    found.slice(1).map((row) => (row.textContent ?? '').replace(/\d.*/, '')),
  )
  expect(cells).toStrictEqual(['−Removedgone.png', '+Addednew.png', '≠Changedother.png', 'Unchangedsame.png'])
  await expectAccessible(frame, 'media', goodPractice)
  await frame.getByRole('tab', { name: 'Pages' }).click()
  await expect.poll(viewsAbove).toBe(views)

  // Two shortcuts set the verdict of the newer one, and the library's window is notified.
  const verdictsOf = (id: string) =>
    page.evaluate(async (id) => {
      const found = await window.galley.call('inspectVersion', { site: 'press', materialId: 'market', versionId: id })
      return found.ok ? found.value.version.verdict : found.failure
    }, id)
  const verdict = async () => ({ first: await verdictsOf(first), second: await verdictsOf(second) })
  await frame.keyboard.press('y')
  await frame.getByRole('status').getByText('Approved').waitFor()
  await expect.poll(verdict).toMatchObject({ first: null, second: { decision: 'approved', reason: '' } })
  await frame.keyboard.press('r')
  await expect.poll(() => frame.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA')
  await expectAccessible(frame, 'reject', goodPractice)
  // While the reason is typed, letters are not shortcuts.
  await frame.keyboard.type('cut the last line')
  await frame.keyboard.press('Control+Enter')
  await frame.getByRole('status').getByText('Changes requested').waitFor()
  await expect
    .poll(verdict)
    .toMatchObject({ first: null, second: { decision: 'changes_requested', reason: 'cut the last line' } })
  await inGrid(page, 'Materials').filter({ hasText: 'Market' }).filter({ hasText: 'Changes requested' }).waitFor()
  await frame.keyboard.press('r')
  await expect.poll(() => frame.getByLabel('What needs to change? (optional)').inputValue()).toBe('cut the last line')
  await frame.keyboard.press('Escape')
  await expect.poll(() => frame.getByLabel('What needs to change? (optional)').count()).toBe(0)

  // Switches the language at once, without any untranslated text.
  await page.evaluate(() => window.galley.call('changeSettings', { language: 'ru' }))
  await frame.getByRole('tab', { name: 'Текст' }).click()
  await frame.getByRole('status').getByText('2 изменения').waitFor()
  await frame.getByTitle('Следующее изменение (J)').waitFor()
  const russian = await frame.evaluate(() => {
    const named = [...document.querySelectorAll('[aria-label], [title]')].flatMap((element) => [
      element.getAttribute('aria-label') ?? '',
      element.getAttribute('title') ?? '',
    ])
    return [document.body.innerText, ...named].join(' ')
  })
  expect(russian.match(/\b(?:Compare|Version|Change|Before|After|Close|Text|Media|Pages|Width|column)\b/g)).toBeNull()
})

/** The second and the third of four drafts, side by side. */
async function aComparison(materialId: string) {
  const { app, page, versionsOf } = await reviews()
  const ids = versionsOf(materialId)
  const frame = await openReview(app, page, { materialId, versionId: ids[2] ?? '', compareWith: ids[1] ?? '' })
  const shown = pagesUnderReview(app)
  await expect.poll(() => headings(shown)).toStrictEqual(['Second', 'Third'])
  const above = (at: number) => frame.getByRole('region', { name: ids[at] ?? '' })
  const verdictOf = (at: number) =>
    page.evaluate(
      async (asked) => {
        const found = await window.galley.call('inspectVersion', asked)
        return found.ok ? found.value.version.verdict : found.failure
      },
      { site: 'press', materialId, versionId: ids[at] ?? '' },
    )
  return { app, page, ids, frame, shown, above, verdictOf }
}

/** The positions of the controls that every tab has. */
const places = (frame: Page) =>
  frame.evaluate(() =>
    [...document.querySelectorAll('h1, section button, section select, header button:last-of-type, [role="tab"]')].map(
      (control) => {
        const { x, y } = control.getBoundingClientRect()
        return `${control.getAttribute('aria-label') ?? control.textContent} at ${Math.round(x)}, ${Math.round(y)}`
      },
    ),
  )

test(
  'each selector and verdict is above its own page, and nothing moves from tab to tab',
  { timeout: 90_000 },
  async () => {
    const { frame, shown, above, verdictOf } = await aComparison('verdicts')
    const [left, right] = [above(1), above(2)]
    const leftOf = async (part: typeof left) => (await part.boundingBox())?.x ?? -1
    expect(await leftOf(left)).toBeLessThan(await leftOf(right))

    await left.getByRole('button', { name: 'Approve' }).click()
    await left.getByRole('status').getByText('Approved').waitFor()
    await expect.poll(() => verdictOf(2)).toBeNull()
    await expect.poll(() => verdictOf(1)).toMatchObject({ decision: 'approved' })

    const inTabs = new Map<string, readonly string[]>()
    for (const tab of ['Pages', 'Text', 'HTML', 'Editor state', 'Media']) {
      await frame.getByRole('tab', { name: tab, exact: true }).click()
      inTabs.set(tab, await places(frame))
    }
    const pages = inTabs.get('Pages') ?? []
    expect(pages.length).toBeGreaterThan(14)
    for (const [tab, found] of inTabs) expect(found, tab).toStrictEqual(pages)
    await frame.getByRole('tab', { name: 'Pages' }).click()

    // Each offers versions that keep the older one on the left.
    const choice = (part: typeof left) => part.getByRole('combobox', { name: 'Version' })
    await expect.poll(() => choice(left).locator('option').count()).toBe(2)
    await expect.poll(() => choice(right).locator('option').count()).toBe(2)
    // Saves by one person within a minute differ only in their numbers.
    await expect
      .poll(() => choice(left).locator('option').allTextContents())
      .toStrictEqual([expect.stringMatching(/^#2 · /), expect.stringMatching(/^#1 · /)])
    await choice(left).selectOption({ index: 1 })
    await expect.poll(() => headings(shown)).toStrictEqual(['First', 'Third'])
    await choice(right).selectOption({ index: 0 })
    await expect.poll(() => headings(shown)).toStrictEqual(['First', 'Fourth'])
    await above(0).getByRole('button', { name: 'Newer version' }).click()
    await above(1).getByRole('button', { name: 'Newer version' }).click()
    await expect.poll(() => headings(shown)).toStrictEqual(['Third', 'Fourth'])
    await expect
      .poll(() => above(2).getByRole('button', { name: 'Newer version' }).getAttribute('aria-disabled'))
      .toBe('true')
  },
)

test(
  'a rejection says why where people look, and leads on; keys judge the marked version',
  { timeout: 90_000 },
  async () => {
    const { app, page, ids, frame, above, verdictOf } = await aComparison('reasons')
    const marked = () => frame.locator('section[aria-current="true"]').getAttribute('aria-label')
    await expect.poll(() => marked()).toBe(ids[2])
    await frame.keyboard.press('x')
    await expect.poll(marked).toBe(ids[1])
    await frame.keyboard.press('r')
    await frame.keyboard.type('Name the quay.')
    await expectAccessible(frame, 'reject', goodPractice)
    await frame.keyboard.press('Control+Enter')
    const left = above(1)
    await left.getByRole('status').getByText('Name the quay.').waitFor()
    await expect.poll(() => verdictOf(1)).toMatchObject({ decision: 'changes_requested', reason: 'Name the quay.' })
    await expect.poll(() => verdictOf(2)).toBeNull()
    await expectAccessible(frame, 'rejected', goodPractice)

    // The same key opens the reason for editing; the button as well. Clearing is a command of its own, with Undo.
    await frame.keyboard.press('r')
    const reason = left.getByRole('textbox', { name: 'What needs to change?' })
    await expect.poll(() => reason.inputValue()).toBe('Name the quay.')
    await frame.keyboard.press('Escape')
    await left.getByRole('button', { name: 'Request changes' }).click()
    await reason.waitFor()
    await frame.keyboard.press('Escape')
    await expect.poll(() => verdictOf(1)).toMatchObject({ decision: 'changes_requested', reason: 'Name the quay.' })
    await left.getByRole('button', { name: 'Clear decision' }).click()
    await left.getByRole('status').getByText('Decision cleared.').waitFor()
    await expect.poll(() => verdictOf(1)).toBeNull()
    await left.getByRole('button', { name: 'Undo' }).click()
    await left.getByRole('status').getByText('Name the quay.').waitFor()
    await left.getByRole('button', { name: 'Approve' }).click()
    await left.getByRole('status').getByText('Approved').waitFor()
    await left.getByRole('button', { name: 'Approve' }).click()
    await expect.poll(() => verdictOf(1)).toMatchObject({ decision: 'approved' })
    await left.getByRole('button', { name: 'Undo' }).click()
    await left.getByRole('status').getByText('Name the quay.').waitFor()
    await expect.poll(() => verdictOf(1)).toMatchObject({ decision: 'changes_requested', reason: 'Name the quay.' })

    await left.getByRole('button', { name: 'Copy for author' }).click()
    await left.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await app.evaluate(({ clipboard }) => clipboard.readText())
    expect(copied).toMatch(/^Changes requested: “First”, version #2 saved .+\.\n\nName the quay\.$/)

    const titles = () =>
      app.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()
          .map((each) => each.getTitle())
          .toSorted(),
      )
    await expect.poll(titles, { message: 'main names the window' }).toContain('First · Galley')

    await left.getByRole('button', { name: 'Open in editor' }).click()
    await page.getByText('Opened in your browser.').waitFor()
    await page.getByRole('heading', { level: 1, name: 'First' }).waitFor()
    const row = inGrid(page, 'Versions').filter({ hasText: 'Changes requested' })
    await row.getByText('Name the quay.').waitFor()
    await goTo(page, 'Materials')
  },
)
