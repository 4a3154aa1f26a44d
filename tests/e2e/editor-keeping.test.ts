import { expect, test } from 'vitest'

import { expectAccessible } from './support/axe.ts'
import { anEditor, aPng, give } from './support/editor.ts'

test('a save that would replace one of another tab asks first, and reports what it did', async () => {
  const { page, open, show, save, expectNoComplaints, words } = await anEditor()
  const session = await open('stories/two-tabs')
  await show(session.url)
  await page.keyboard.type('Mine')
  await save('Saved. The site responded: Saved successfully.')
  // The other tab.
  await session.save('{"html":"","files":{},"state":{"title":"Theirs"}}')

  await page.keyboard.type(' again')
  await expect.poll(() => page.getByText('Unsaved changes', { exact: true }).isVisible()).toBe(true)
  expect(await page.getByText('Saved. The site responded').isVisible()).toBe(false)
  await page.keyboard.press('Control+s')
  const dialog = page.getByRole('dialog', { name: 'This page was saved elsewhere' })
  await dialog.waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Don’t save' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await session.state()).toMatchObject({ title: 'Theirs' })
  await expect.poll(() => words()).toContain('Mine again')

  await page.keyboard.press('Control+s')
  await dialog.getByRole('button', { name: 'Save anyway' }).click()
  await page.getByText('Saved. The site responded: Saved successfully.').waitFor()
  expect(await session.state()).toMatchObject({ title: 'Mine again' })
  // The next save replaces this editor's own version, and does not ask.
  await page.keyboard.type('!')
  await save('Saved. The site responded: Saved successfully.')
  expect(await session.state()).toMatchObject({ title: 'Mine again!' })
  expectNoComplaints()
})

test('unsaved changes and their files survive a reload, and the draft is deleted once they are saved', async () => {
  const { page, open, show, save, expectNoComplaints, words } = await anEditor()
  const session = await open('stories/reload')
  await show(session.url)
  await page.keyboard.type('A draft')
  await page.keyboard.press('Enter')
  await give(page, '.ProseMirror', 'paste', [aPng])
  await page.locator('.ProseMirror figure img').waitFor()
  const drafted = () =>
    page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          const opening = indexedDB.open('editor', 1)
          opening.onsuccess = () => {
            const all = opening.result.transaction('drafts').objectStore('drafts').getAll()
            all.onsuccess = () => resolve(JSON.stringify(all.result))
          }
        }),
    )
  await expect.poll(drafted).toContain('"type":"image"')

  await show(session.url)
  await page.getByText('Your unsaved changes were restored.').waitFor()
  await expect.poll(() => words()).toContain('A draft')
  await expect.poll(() => page.getByText('Unsaved changes', { exact: true }).isVisible()).toBe(true)
  await expect
    .poll(() => page.locator('.ProseMirror figure img').evaluate((each: HTMLImageElement) => each.naturalWidth))
    .toBeGreaterThan(0)
  await save('Saved. The site responded: Saved successfully.')
  expect(await session.text()).toContain('"title":"A draft"')
  expect(await session.text()).toMatch(/"clientUrl":"http[^"]*Boats-nets\.png"/)

  await expect.poll(drafted).toBe('[]')
  await show(session.url)
  await expect.poll(() => page.getByText('Your unsaved changes were restored.').isVisible()).toBe(false)
  await expect.poll(() => page.getByText('All changes saved').isVisible()).toBe(true)
  expectNoComplaints()
})

test('a pasted table stays a table, and Ctrl+End moves the cursor out of a selected picture', async () => {
  const { page, open, show, save, expectNoComplaints } = await anEditor()
  const session = await open('stories/table')
  await show(session.url)
  await page.keyboard.type('Tides')
  await page.keyboard.press('Enter')
  await page.evaluate(() => {
    const transfer = new DataTransfer()
    transfer.setData(
      'text/html',
      '<table><thead><tr><th>Day</th><th colspan="2">High</th></tr></thead><tbody><tr><td>Mon</td><td>04:10</td><td><b>16:40</b></td></tr></tbody></table>',
    )
    transfer.setData('text/plain', 'Day\tHigh\nMon\t04:10\t16:40')
    document
      .querySelector('.ProseMirror')
      ?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true }))
  })
  await page.getByRole('cell', { name: '04:10' }).waitFor()
  await save('Saved. The site responded: Saved successfully.')
  const cell = (text: unknown) => ({ type: 'tableCell', blocks: [{ type: 'paragraph', text }] })
  expect((await session.state())['blocks']).toEqual([
    {
      type: 'table',
      blocks: [
        {
          type: 'tableRow',
          blocks: [
            { ...cell('Day'), role: 'header' },
            { ...cell('High'), role: 'header', colspan: 2 },
          ],
        },
        { type: 'tableRow', blocks: [cell('Mon'), cell('04:10'), cell([{ text: '16:40', bold: true }])] },
      ],
    },
  ])
  await expectAccessible(page)

  await page.keyboard.press('Control+End')
  await give(page, '.ProseMirror', 'paste', [aPng])
  const picture = page.locator('.ProseMirror figure')
  await picture.waitFor()
  await picture.click()
  await page.locator('.ProseMirror-selectednode').waitFor()
  await page.keyboard.press('Control+End')
  await expect.poll(() => page.locator('.ProseMirror-selectednode').count()).toBe(0)
  await page.keyboard.type('The end')
  await expect.poll(() => page.locator('.ProseMirror > :last-child').textContent()).toBe('The end')
  expectNoComplaints()
})
