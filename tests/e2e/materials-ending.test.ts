import { expect, test } from 'vitest'

import { inGrid } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { answerQuestions } from './support/dialogs.ts'
import { startFourMaterials } from './support/four-materials.ts'
import { aPage } from './support/service.ts'

test('materials keep earlier media, are archived and come back, and are deleted once a person has agreed', async () => {
  const { app, page, rows, row, save, versions, command, close } = await startFourMaterials()
  // Media that an earlier save brought are shown with the page that names them.
  const [newest] = await versions('harbour/quay')
  const media = await page.evaluate((version) => window.galley.call('versionMedia', version), {
    site: 'press',
    materialId: 'harbour/quay',
    before: null,
    after: newest?.versionId ?? '',
  })
  const url = media.ok ? media.value[0]?.after?.url : ''
  const html = `<article><h1>The old quay</h1><img src="${url}" alt=""></article>`
  const kept = {
    html,
    state: { assets: { 'hero.png': { clientUrl: url } } },
    files: {},
    user_email: 'anna@press.example',
  }
  expect(await save('harbour/quay', kept)).toMatchObject({ result: 'merged' })
  await row('harbour/quay').dblclick()
  await expect.poll(() => inGrid(page, 'Versions').count()).toBe(2)
  // Three saves of the same minute have different numbers.
  await expect.poll(() => inGrid(page, 'Versions').first().textContent()).toMatch(/^#2/)
  await inGrid(page, 'Versions').first().click()
  await page.getByRole('tab', { name: /^Media/ }).click()
  await page.getByText('From an earlier save').waitFor()
  await page.getByRole('button', { name: 'Materials', exact: true }).last().click()
  await expect.poll(() => rows.count()).toBe(4)
  const toast = (text: string) => page.getByText(text)

  // Archives one from its menu, and undoes that in the message.
  await row('city/trams').click({ button: 'right' })
  await page.getByRole('menuitem', { name: /^Archive/ }).click()
  await toast('1 material archived').waitFor()
  await expect.poll(() => rows.count()).toBe(3)
  await page.getByRole('button', { name: 'Undo' }).click()
  await toast('1 material unarchived').waitFor()
  await expect.poll(() => rows.count()).toBe(4)

  // Archives two by key. They have their own filter, and their saves are still stored.
  await row('city/trams').click()
  await row('harbour/market').click({ modifiers: ['Control'] })
  await page.keyboard.press('Control+Shift+A')
  await expect.poll(() => rows.count()).toBe(2)
  expect(await save('city/trams', aPage('Slower trams'))).toMatchObject({ result: 'merged' })
  const filters = page.getByRole('group', { name: 'Filters' })
  await filters.getByRole('button', { name: 'Archive' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Archived (2)' }).click()
  await page.keyboard.press('Escape')
  await expect.poll(() => rows.count()).toBe(2)
  await expect.poll(() => row('city/trams').textContent()).toContain('Saved again')
  await expect.poll(() => row('harbour/market').textContent()).toContain('Archived')
  await row('harbour/market').click()
  await page.getByText('This material is archived. Lists and exports leave it out').waitFor()
  expect(await command('materials', 'press')).toHaveLength(2)
  await expectAccessible(page)

  // Deleting lists what it removes, asks in a system dialog, and does nothing without confirmation.
  await page.keyboard.press('Delete')
  const dialog = page.getByRole('dialog', { name: 'Delete 1 material' })
  await dialog.getByText('Market at nine', { exact: true }).waitFor()
  await dialog.getByText('This deletes 1 version and frees').waitFor()
  await dialog.getByText('There is no backup yet.').waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel')
  await expectAccessible(page)
  await answerQuestions(app, 'return key')
  await dialog.getByRole('button', { name: 'Delete…' }).click()
  await expect.poll(() => dialog.getByRole('button', { name: 'Delete…' }).getAttribute('aria-disabled')).toBe('false')
  expect(await command('materials', 'press', '--archived')).toHaveLength(2)
  const asked = await answerQuestions(app, 'first button')
  await dialog.getByRole('button', { name: 'Delete…' }).click()
  await dialog.waitFor({ state: 'detached' })
  await toast('1 material deleted').waitFor()
  expect((await asked())[0]?.message).toBe('Delete “Market at nine”?')
  await expect.poll(() => rows.count()).toBe(1)
  await filters.getByRole('button', { name: 'Clear filters' }).click()
  await expect.poll(() => rows.count()).toBe(2)
  await close()
})
