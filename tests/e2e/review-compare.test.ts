import { join } from 'node:path'
import { expect, test } from 'vitest'

import { aFolder, aFreePort, expectListener, inGrid, startApp } from './support/app.ts'
import { expectAccessible, goodPractice } from './support/axe.ts'
import { aPicture, libraryOf, openReview, pagesUnderReview } from './support/review.ts'

test('two versions are compared as text, source, state and media', { timeout: 90_000 }, async () => {
  const port = await aFreePort()
  const library = join(await aFolder(), 'library')
  const filler = Array.from({ length: 40 }, (_, at) => `<p>Line ${at} of the story.</p>`).join('')
  const { environment, versions } = await libraryOf(library, port, {
    story: [
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
    ],
  })
  const [first = '', second = ''] = versions['story'] ?? []
  const { app, page, close } = await startApp({ library, port, environment })
  await expectListener(page, 'Listening')
  const frame = await openReview(app, page, { materialId: 'story', versionId: second, compareWith: first })
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
  expect(await frame.getByText('Line 20 of the story').count(), 'equal parts are folded').toBe(0)
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
      const found = await window.galley.call('inspectVersion', { site: 'press', materialId: 'story', versionId: id })
      return found.ok ? found.value.version.verdict : found.failure
    }, id)
  const verdict = async () => ({ first: await verdictsOf(first), second: await verdictsOf(second) })
  await frame.keyboard.press('y')
  await frame.getByRole('status').getByText('Approved').waitFor()
  await expect.poll(verdict).toMatchObject({ first: null, second: { kind: 'approved', note: '' } })
  await frame.keyboard.press('n')
  await expect.poll(() => frame.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA')
  await expectAccessible(frame, 'reject', goodPractice)
  // While the reason is typed, letters are not shortcuts.
  await frame.keyboard.type('cut the last line')
  await frame.keyboard.press('Control+Enter')
  await frame.getByRole('status').getByText('Changes requested').waitFor()
  await expect.poll(verdict).toMatchObject({ first: null, second: { kind: 'rejected', note: 'cut the last line' } })
  await inGrid(page, 'Materials').filter({ hasText: 'Changes requested' }).waitFor()
  await frame.keyboard.press('n')
  expect(await frame.getByLabel('What needs to change? (optional)').inputValue()).toBe('cut the last line')
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
  await close()
})
