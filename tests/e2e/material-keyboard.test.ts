import { join } from 'node:path'
import { expect, test } from 'vitest'

import { aFolder } from './support/app.ts'
import { answerDialogs } from './support/dialogs.ts'
import { chooseInMenu, paneTo, tabTo } from './support/keyboard.ts'
import { aPage } from './support/service.ts'
import { expectReview, startThreeVersions } from './support/three-versions.ts'

test('a material by keyboard alone', { timeout: 120_000 }, async () => {
  const started = await startThreeVersions()
  const { app, page, timeline, second, first, version, clipboard, save, close } = started
  const press = (key: string) => page.keyboard.press(key)
  const panel = page.getByRole('tabpanel')
  const grid = page.getByRole('grid', { name: 'Versions' })
  const active = () => grid.locator('[data-active]').textContent()

  // Moves through the versions and sets verdicts with single letters.
  await tabTo(page, 'Versions')
  await press('End')
  await expect.poll(active).toContain('first@press.example')
  await press('ArrowUp')
  await expect.poll(active).toContain('second@press.example')
  await panel.getByText(second.versionId).waitFor()
  await press('p')
  await expect.poll(async () => (await version(second.versionId))?.pinned).toBe(true)
  await timeline.nth(1).getByRole('img', { name: 'Pinned: kept when old versions are deleted' }).waitFor()
  await press('a')
  await timeline.nth(1).getByText('Approved').waitFor()
  await press('r')
  await page.getByRole('dialog', { name: 'Request changes to this version' }).waitFor()
  await page.keyboard.type('The fares are old')
  // Escape does not discard what was typed; Ctrl+Enter sends it from the field.
  await press('Escape')
  await page.getByRole('alert').getByText('Discard changes?').waitFor()
  await press('Escape')
  await page.getByRole('alert').waitFor({ state: 'detached' })
  await page.getByRole('textbox', { name: /^What needs to change/ }).focus()
  await press('Control+Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await timeline.nth(1).getByText('Changes requested').waitFor()
  expect((await version(second.versionId))?.verdict).toMatchObject({ kind: 'rejected', note: 'The fares are old' })
  const verdict = async () => (await version(second.versionId))?.verdict
  await press('Shift+F10')
  await chooseInMenu(page, 'Clear decision')
  await expect.poll(verdict).toBe(null)
  await page.getByText('Decision cleared').first().waitFor()
  await paneTo(page, 'Notifications')
  await tabTo(page, 'Undo')
  await press('Enter')
  await expect.poll(verdict).toMatchObject({ kind: 'rejected', note: 'The fares are old' })
  await paneTo(page, 'Versions')
  await press('r')
  await page.getByRole('dialog', { name: 'Request changes to this version' }).waitFor()
  await press('Control+a')
  await page.keyboard.type('The fares are wrong')
  await press('Control+Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(verdict).toMatchObject({ kind: 'rejected', note: 'The fares are wrong' })
  await panel.getByText('The fares are wrong').waitFor()

  // A save of another editor appears above; the selection stays.
  expect(await save('stories/ferry', { ...aPage('Fourth ferry'), user_email: 'fourth@press.example' })).toMatchObject({
    result: 'merged',
  })
  await expect.poll(() => timeline.count()).toBe(4)
  expect(await active()).toContain('second@press.example')
  expect(await grid.locator('[data-active]').getAttribute('aria-rowindex')).toBe('4')
  expect(await grid.getAttribute('aria-rowcount')).toBe('5')

  // Reviews a version with the space bar, compares it with the previous one with a letter, and two selected ones with
  // the same letter.
  await expectReview(app, () => press('Space'), ['Second ferry'])
  await expectReview(app, () => press('c'), ['First ferry', 'Second ferry'])
  await press('Shift+ArrowUp')
  await page.getByRole('button', { name: 'Compare selected versions' }).waitFor()
  await expectReview(app, () => press('c'), ['Second ferry', 'Third ferry'])
  await press('Escape')
  await press('End')
  await expect.poll(active).toContain('first@press.example')

  // Moves through the parts of the version: a note, the files, the state, the callback and back.
  await press('Enter')
  await tabTo(page, 'Note')
  await page.keyboard.type('Typed')
  await tabTo(page, 'Tags')
  await page.keyboard.type('keys')
  await press('Enter')
  await expect.poll(() => version(first.versionId)).toMatchObject({ note: 'Typed', tags: ['keys'] })
  await press('F6')
  await press('Shift+F6')
  await tabTo(page, 'Summary')
  await press('ArrowRight')
  await tabTo(page, 'Copy address of hero.png')
  await press('Enter')
  await expect.poll(clipboard).toMatch(/hero\.png$/)
  await press('F6')
  await press('Shift+F6')
  await tabTo(page, 'Media')
  await press('ArrowRight')
  await press('ArrowRight')
  await tabTo(page, /^Show more \(300/)
  await press('Enter')
  await tabTo(page, 'Show less')
  await tabTo(page, 'list250 items')
  await press('ArrowRight')
  await panel.getByRole('list', { name: 'list' }).waitFor()
  await press('ArrowLeft')
  await panel.getByRole('list', { name: 'list' }).waitFor({ state: 'detached' })
  await press('F6')
  await press('Shift+F6')
  await tabTo(page, 'State')
  await press('Home')
  await tabTo(page, 'Show callback')
  await press('Enter')
  await page.getByRole('region', { name: 'What happened and what to do' }).waitFor()
  await press('Alt+ArrowLeft')
  await grid.waitFor()
  await panel.getByText(first.versionId).waitFor()

  // Exports this version from the menu of its row.
  await paneTo(page, 'Versions')
  await expect.poll(active).toContain('first@press.example')
  await answerDialogs(app, join(await aFolder(), 'site'))
  await press('Shift+F10')
  await chooseInMenu(page, 'Export…')
  const dialog = page.getByRole('dialog')
  await tabTo(page, 'Choose…')
  await press('Enter')
  await expect.poll(() => dialog.getByLabel('Destination').inputValue()).toMatch(/site$/)
  await tabTo(page, 'Show plan')
  await press('Enter')
  await tabTo(page, 'Export')
  await press('Enter')
  await page.getByRole('dialog', { name: 'Exported' }).waitFor()
  const {
    rows: [exported],
  } = await page.evaluate(() => window.galley.call('listExports', { site: 'press', offset: 0, limit: 10 }))
  expect(exported?.request.pins).toStrictEqual([{ materialId: 'stories/ferry', versionId: first.versionId }])
  await close()
})
