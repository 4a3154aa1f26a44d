import { expect, test } from 'vitest'

import { goTo, inGrid } from './support/app.ts'
import { expectAccessible, goodPractice } from './support/axe.ts'
import { pageIsSeen } from './support/desk.ts'
import { sharedReviews } from './support/review-windows.ts'
import type { SavedPage } from './support/review.ts'
import { aPicture, chooseView, headings, openReview, pagesUnderReview, versionRead } from './support/review.ts'

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

const reviews = sharedReviews(() => ({ market, reasons: drafts }))

test('two versions are compared as page, text, source, state and media', async () => {
  const { app, page, versionsOf } = await reviews()
  const [first = '', second = ''] = versionsOf('market')
  const frame = await openReview(app, page, { materialId: 'market', versionId: second, compareWith: first })
  const shown = pagesUnderReview(app)
  await pageIsSeen(frame)
  const changes = frame.locator('[data-pane=inspector] ol button')
  await changes.filter({ hasText: 'very' }).waitFor()
  await changes.filter({ hasText: '12' }).first().waitFor()
  await frame.getByRole('tab', { name: 'Text', exact: true }).click()
  await frame.locator('[data-prose] ins').getByText('12').waitFor()
  await expectAccessible(frame, 'text', goodPractice)

  await chooseView(frame, 'HTML')
  await frame.getByRole('status').getByText('2 changes').waitFor()
  await frame.locator('.cm-merge-a .cm-changedLine').getByText('Herring: 9 marks').waitFor()
  await frame.locator('.cm-merge-b .cm-changedLine').getByText('<b>12 marks</b>').waitFor()
  await frame.locator('.cm-collapsedLines').first().waitFor()
  await expect
    .poll(() => frame.getByText('Line 20 of the story').count(), { message: 'equal parts are folded' })
    // The text beside them is not.
    .toBe(1)
  await expect.poll(shown, { message: 'no page lies above the texts' }).toHaveLength(0)
  await expectAccessible(frame, 'source', goodPractice)

  // Moves from change to change, and wraps around at the end.
  const status = frame.locator('main').getByRole('status')
  for (const [key, place] of [
    ['j', '1 of 2'],
    ['j', '2 of 2'],
    ['j', '1 of 2'],
    ['k', '2 of 2'],
  ] as const) {
    await frame.keyboard.press(key)
    await status.getByText(`Change ${place}`).waitFor()
  }
  await frame.getByRole('button', { name: 'Previous change' }).click()
  await status.getByText('Change 1 of 2').waitFor()
  await frame.getByRole('button', { name: 'Unified' }).click()
  await frame.locator('.cm-deletedChunk').getByText('Herring: 9 marks').waitFor()
  await frame.locator('.cm-deletedChunk').getByText('The end.').waitFor()

  await chooseView(frame, 'Editor state')
  await frame.locator('.cm-merge-b .cm-changedLine').getByText('"text": "12 marks"').waitFor()
  await chooseView(frame, 'Metadata')
  await frame.getByText('"text": "12 marks"').first().waitFor({ state: 'detached' })
  await frame.getByText('No differences.').or(frame.locator('.cm-merge-b .cm-changedLine').first()).waitFor()
  await frame.getByRole('tab', { name: 'Media' }).click()
  await frame.getByText('gone.png').first().waitFor()
  await expectAccessible(frame, 'media', goodPractice)
  await frame.keyboard.press('1')
  await expect.poll(() => headings(shown)).toStrictEqual(['Market'])

  // Who is not a developer is not offered them.
  await page.evaluate(() => window.galley.call('changeSettings', { isForDevelopers: false }))
  await frame.getByRole('button', { name: 'Width, theme and sources' }).click()
  await expect.poll(() => frame.getByRole('menuitemcheckbox').count()).toBe(5)
  await frame.keyboard.press('Escape')
  await page.evaluate(() => window.galley.call('changeSettings', { isForDevelopers: true }))

  // Switches the language at once, without any untranslated text.
  await page.evaluate(() => window.galley.call('changeSettings', { language: 'ru' }))
  await frame.getByRole('tab', { name: 'Изменения' }).click()
  await chooseView(frame, 'HTML', 'Ширина, тема и исходные данные')
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

test('a decision stays with its version, says why where people look, and leads on', async () => {
  const { app, page, save, versionsOf } = await reviews()
  const ids = versionsOf('reasons')
  const frame = await openReview(app, page, { materialId: 'reasons', versionId: ids[1] ?? '' })
  const shown = pagesUnderReview(app)
  const verdictOf = (at: number) =>
    page.evaluate(
      async (asked) => {
        const found = await window.galley.call('inspectVersion', asked)
        return found.ok ? found.value.version.verdict : found.failure
      },
      { site: 'press', materialId: 'reasons', versionId: ids[at] ?? '' },
    )
  await expect.poll(() => headings(shown)).toStrictEqual(['Second'])
  await pageIsSeen(frame)
  // Nothing says that a newer version arrived: it was there.
  expect(await frame.getByText(/has arrived/).count()).toBe(0)
  await frame.keyboard.press('r')
  // While the reason is typed, letters are not shortcuts.
  const reason = frame.getByLabel('What needs to change?')
  await expect.poll(() => reason.evaluate((field) => field === document.activeElement)).toBe(true)
  await frame.keyboard.type('Name the quay, ny.')
  await expectAccessible(frame, 'reject', goodPractice)
  await frame.keyboard.press('Control+Enter')
  await versionRead(frame).getByText('Ida Berg requested: Name the quay, ny.').waitFor()
  await expect.poll(() => verdictOf(1)).toMatchObject({ decision: 'changes_requested', reason: 'Name the quay, ny.' })
  await expect.poll(() => verdictOf(2)).toBeNull()
  await expect.poll(() => headings(shown), { message: 'the same version' }).toStrictEqual(['Second'])
  await expectAccessible(frame, 'rejected', goodPractice)

  // What is copied has the reason, and the editor opens in the main window.
  await frame.getByRole('button', { name: 'Copy for author' }).click()
  await expect
    .poll(() => app.evaluate(({ clipboard }) => clipboard.readText()))
    .toMatch(
      /^Changes requested: “First”, version #2 saved .+\.\n\nName the quay, ny\.\s+See in Galley: galley:\/\/show\/press\/reasons\/\S+$/,
    )
  await frame.getByRole('button', { name: 'Open in editor' }).click()
  await page.getByText('Opened in your browser.').waitFor()
  await page.getByRole('heading', { level: 1, name: 'First' }).waitFor()
  const row = inGrid(page, 'Versions').filter({ hasText: 'Changes requested' })
  await row.getByText('Name the quay, ny.').waitFor()
  await goTo(page, 'Materials')

  // The same key opens the reason for editing; undo brings back what was before.
  await frame.bringToFront()
  await frame.keyboard.press('r')
  await expect.poll(() => reason.inputValue()).toBe('Name the quay, ny.')
  await frame.keyboard.press('Escape')
  await reason.waitFor({ state: 'detached' })
  // Of an older version, Galley asks.
  await frame.keyboard.press('y')
  await frame.getByText('Approve version 2 although version 4 has arrived?').waitFor()
  await frame.getByRole('button', { name: 'Approve version 2' }).click()
  await versionRead(frame).getByText('Approved by Ida Berg').waitFor()
  await expect.poll(() => verdictOf(1)).toMatchObject({ decision: 'approved' })
  await frame.keyboard.press('z')
  await versionRead(frame).getByText('Ida Berg requested: Name the quay, ny.').waitFor()
  await expect.poll(() => verdictOf(1)).toMatchObject({ decision: 'changes_requested', reason: 'Name the quay, ny.' })
  await frame.keyboard.press('z')
  await expect.poll(() => verdictOf(1)).toBeNull()

  // A comment is kept with its place.
  await pageIsSeen(frame)
  await frame.keyboard.press('j')
  await frame.keyboard.press('c')
  await frame.getByRole('textbox', { name: 'Comment' }).fill('Which one?')
  await frame.keyboard.press('Control+Enter')
  await frame.getByRole('article', { name: 'Comment on “First”' }).getByText('Which one?').waitFor()

  // A newer version that arrives is told, and moves nothing.
  await save('reasons', { html: '<h1>Fifth</h1>' })
  await frame.getByText('Version 5 has arrived. You are still looking at version 2.').waitFor()
  await frame.getByText('4 of 5 versions').waitFor()
  expect(await headings(shown)).toStrictEqual(['Second'])
  await frame.getByRole('button', { name: 'Show version 5' }).click()
  await expect.poll(() => headings(shown)).toStrictEqual(['Fifth'])
  await versionRead(frame).getByText('Version 5 · current').waitFor()
  expect(await frame.getByText(/has arrived/).count()).toBe(0)
})
