import { expect, test } from 'vitest'

import { inGrid } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { disturbCalls, goOffline } from './support/calls.ts'
import { expectReview, startThreeVersions } from './support/three-versions.ts'

test('a material without a network; what cannot be read is reported, and can be read again', async () => {
  const { app, page, timeline, emulator, second, version, close } = await startThreeVersions()
  // All stored content remains available.
  await emulator.close()
  const goOnline = await goOffline(page)
  await timeline.nth(1).click()
  await page.getByRole('tab', { name: 'State' }).click()
  await page.getByRole('tabpanel').getByText('"Second ferry"').waitFor()
  await page.getByRole('toolbar', { name: 'Actions for this version' }).getByRole('button', { name: 'Approve' }).click()
  await expect.poll(async () => (await version(second.versionId))?.verdict?.decision).toBe('approved')
  await page.getByRole('grid', { name: 'Versions' }).focus()
  await expectReview(app, () => page.keyboard.press('Space'), ['Second ferry'])
  await goOnline()

  const calmDown = await disturbCalls(app, {
    queryVersions: 'fails',
    inspectVersion: 'fails',
    readStateLevel: 'fails',
    setFields: 'fails',
  })
  await page.keyboard.press('p')
  await page.getByText('Couldn’t update the version').first().waitFor()
  await page.keyboard.press('Control+r')
  await page.getByText('The versions could not be read. The library is unchanged; try again.').waitFor()
  await page.getByText('This version could not be read. The library is unchanged; try again.').waitFor()
  await expect.poll(() => page.locator('body').textContent()).not.toContain('disturbed')
  await expectAccessible(page)
  await calmDown()
  await page.getByRole('button', { name: 'Try again' }).first().click()
  await expect.poll(() => timeline.count()).toBe(3)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('tabpanel').getByText('"Second ferry"').waitFor()

  // The same of the list of materials and of what a session would send.
  await page.getByRole('button', { name: 'Materials', exact: true }).last().click()
  await inGrid(page, 'Materials').first().click()
  await page.getByRole('tab', { name: 'Summary' }).waitFor()
  const calmAgain = await disturbCalls(app, {
    queryMaterials: 'fails',
    findMaterial: 'fails',
    materialFacets: 'fails',
    previewOpen: 'fails',
  })
  await page.keyboard.press('Control+r')
  await page.getByText('The materials could not be read. The library is unchanged; try again.').waitFor()
  await page.getByText('This material could not be read. The library is unchanged; try again.').waitFor()
  await page.keyboard.press('Control+Enter')
  await page.getByRole('dialog').getByText('Galley couldn’t finish this. Stored versions are unchanged.').waitFor()
  await expect.poll(() => page.locator('body').textContent()).not.toContain('disturbed')
  await expectAccessible(page)
  await calmAgain()
  await page.getByRole('dialog').getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Metadata' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('region', { name: 'Materials' }).getByRole('button', { name: 'Try again' }).click()
  await inGrid(page, 'Materials').filter({ hasText: 'stories/ferry' }).waitFor()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('tab', { name: 'Summary' }).waitFor()
  await close()
})
