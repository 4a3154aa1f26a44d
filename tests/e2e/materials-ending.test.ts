import { expect, test } from 'vitest'

import { goTo, inGrid } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { answerQuestions } from './support/dialogs.ts'
import { startFourMaterials } from './support/four-materials.ts'
import { aPage } from './support/service.ts'

test(
  'materials are archived and come back, and are deleted once a person has agreed',
  { timeout: 180_000 },
  async () => {
    const { app, page, rows, row, save, command, close } = await startFourMaterials()
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
    expect(await row('harbour/market').textContent()).toContain('Archived')
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
  },
)

test('a failed save is marked until a later one is stored or somebody dismisses it', { timeout: 180_000 }, async () => {
  const { page, rows, row, save, emulator, command, openedAddresses, close } = await startFourMaterials()
  const sidebar = page.getByRole('navigation', { name: 'Sections' })
  // Its archive cannot be downloaded, however often Galley tries.
  const spoilNext = () =>
    fetch(`${emulator.url}/_emulator/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'error_500', times: 3 }),
    })
  await spoilNext()
  await save('harbour/quay', aPage('The old quay at night'))
  await page.getByText(/^1 save wasn’t stored: The old quay, /).waitFor()
  await expect.poll(() => row('harbour/quay').textContent()).toContain('Save failed')
  await sidebar.getByRole('button', { name: /^Callbacks.*1 failed save/ }).waitFor()
  await expectAccessible(page)

  // A later save clears the failure; the next failure is opened.
  await save('harbour/quay', aPage('The old quay by day'))
  await expect.poll(() => row('harbour/quay').textContent()).not.toContain('Save failed')
  await page.getByText(/^1 save wasn’t stored/).waitFor({ state: 'detached' })
  await spoilNext()
  await save('harbour/nets', aPage('No nets'))
  await page.getByRole('button', { name: 'Show callback' }).click()
  await page.getByText('download_failed').first().waitFor()
  const reason = page.getByRole('region', { name: 'What happened and what to do' })
  await reason.getByRole('button', { name: 'Open in editor' }).waitFor()
  // Looking at it calms the badge, nothing more.
  await sidebar.getByRole('button', { name: /^Callbacks.*failed save/ }).waitFor({ state: 'detached' })
  await goTo(page, 'Materials')
  await expect.poll(() => rows.count()).toBe(4)
  await expect.poll(() => row('harbour/nets').textContent()).toContain('Save failed')
  await page.getByText(/^1 save wasn’t stored/).waitFor()
  expect(await command('materials', 'press')).toContainEqual(
    expect.objectContaining({
      material_id: 'harbour/nets',
      failed_save: {
        callback: expect.any(String) as string,
        at: expect.any(String) as string,
        code: 'download_failed',
      },
    }),
  )

  // It is found by its status, explained beside its versions, and dismissed, which can be undone.
  const filters = page.getByRole('group', { name: 'Filters' })
  await filters.getByRole('button', { name: 'Status' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Save failed (1)' }).click()
  await page.keyboard.press('Escape')
  await expect.poll(() => rows.count()).toBe(1)
  await row('harbour/nets').click()
  const notice = page.getByText(/^The save of .* failed\. The service couldn’t deliver the archive at that time/)
  await notice.waitFor()
  await expectAccessible(page)
  await page
    .getByRole('region', { name: 'Net makers of Pier 4' })
    .getByRole('button', { name: 'Open in editor' })
    .click()
  await expect.poll(async () => (await openedAddresses()).length).toBe(1)
  await notice.waitFor()
  const dismiss = page.getByRole('alert').filter({ has: notice }).getByRole('button', { name: 'Dismiss' })
  await dismiss.click()
  await notice.waitFor({ state: 'detached' })
  await expect.poll(() => rows.count()).toBe(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => rows.count()).toBe(1)
  await dismiss.click()
  await expect.poll(() => rows.count()).toBe(0)
  expect(await page.getByText(/save wasn’t stored/).count()).toBe(0)
  expect(await command('versions', 'press', 'harbour/nets')).toHaveLength(2)
  await close()
})

test('media that an earlier save brought are shown with the page that names them', { timeout: 120_000 }, async () => {
  const { page, row, save, versions, close } = await startFourMaterials()
  const [newest] = await versions('harbour/quay')
  const media = await page.evaluate((version) => window.galley.call('inspectVersion', version), {
    site: 'press',
    materialId: 'harbour/quay',
    versionId: newest?.versionId ?? '',
  })
  const url = media.ok ? media.value.media[0]?.url : ''
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
  expect(await inGrid(page, 'Versions').first().textContent()).toMatch(/^#2/)
  await inGrid(page, 'Versions').first().click()
  await page.getByRole('tab', { name: /^Media/ }).click()
  await page.getByText('From an earlier save').waitFor()
  await close()
})
