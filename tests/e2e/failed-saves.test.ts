import { expect, test } from 'vitest'

import { goTo, goToChecks } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { startFourMaterials } from './support/four-materials.ts'
import { aPage } from './support/service.ts'
import { showSection } from './support/settings.ts'

test('a failed save is marked until a later one is stored or somebody dismisses it; a wrong signature is told, with a way out', async () => {
  const { page, rows, row, save, emulator, command, openedAddresses, close } = await startFourMaterials()
  const sidebar = page.getByRole('navigation', { name: 'Sections' })
  // Its archive cannot be downloaded, however often Galley tries.
  const order = (fault: object) =>
    fetch(`${emulator.url}/_emulator/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fault),
    })
  const spoilNext = () => order({ kind: 'error_500', times: 3 })
  await spoilNext()
  await save('harbour/quay', aPage('The old quay at night'))
  await page.getByText(/^1 save wasn’t stored: The old quay, /).waitFor()
  await expect.poll(() => row('harbour/quay').textContent()).toContain('Save failed')
  await sidebar.getByRole('button', { name: /^Delivery.*1 failed save/ }).waitFor()
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
  await sidebar.getByRole('button', { name: /^Delivery.*failed save/ }).waitFor({ state: 'detached' })
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
  await expect.poll(() => page.getByText(/save wasn’t stored/).count()).toBe(0)
  expect(await command('versions', 'press', 'harbour/nets')).toHaveLength(2)

  // Only pages that were opened from here are known to be edited.
  await filters.getByRole('button', { name: 'Clear filters' }).click()
  await command('open', 'press', 'harbour/quay')
  await order({ kind: 'wrong_signature', times: 3 })
  for (const heading of ['One', 'Two', 'Three']) await save('harbour/quay', aPage(heading))
  const report = page.getByText(/^3 saves since .* were not signed with this site’s secret\. Was it changed\?$/)
  await report.waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Check signature' }).click()
  await page.getByText('It doesn’t match any secret in this library').waitFor()

  await goToChecks(page)
  await page.getByRole('listitem', { name: /^Signatures of / }).waitFor()
  await expectAccessible(page)
  // The next save that is signed rightly ends it.
  await save('harbour/quay', aPage('Four'))
  await page.getByRole('listitem', { name: /^Signatures of / }).waitFor({ state: 'detached' })
  await goTo(page, 'Materials')
  await expect.poll(() => rows.count()).toBe(4)
  await expect.poll(() => report.count()).toBe(0)

  // Signed rightly, in another header than the site's: the header is named, and can become that of the site.
  await showSection(page, 'Sites')
  await page.getByRole('button', { name: 'Edit: Press' }).click()
  const editing = page.getByRole('dialog', { name: 'Edit Press' })
  await editing.getByLabel('Signature header', { exact: true }).fill('X-Press-Signature')
  await editing.getByRole('button', { name: 'Save changes' }).click()
  await editing.waitFor({ state: 'detached' })
  expect(await save('harbour/quay', aPage('Five'))).not.toMatchObject({ result: 'merged' })
  await goTo(page, 'Materials')
  await page.getByText(/^1 save since .*: its signature is in the header x-service-signature, which/).waitFor()
  await goToChecks(page)
  const line = page.getByRole('listitem', { name: 'Signatures of Press', exact: true })
  await line.getByText('In another header', { exact: true }).waitFor()
  await line.getByRole('button', { name: 'Check signature' }).click()
  await reason.getByText('in the header x-service-signature, which this site didn’t read').waitFor()
  await expectAccessible(page)
  await reason.getByRole('button', { name: 'Use this header' }).click()
  await page.getByText('Signature header changed. Save again in the editor').waitFor()
  await page.getByText('It matches this site’s secret.').waitFor()
  await expect
    .poll(() => reason.getByRole('button').allTextContents())
    .toStrictEqual(['Check signature', 'What does this mean?'])
  expect(await save('harbour/quay', aPage('Six'))).toMatchObject({ result: 'merged' })
  await goToChecks(page)
  await page.getByRole('listitem', { name: 'Listener', exact: true }).waitFor()
  await expect.poll(() => line.count()).toBe(0)
  await close()
})
