import { expect, test } from 'vitest'

import { inGrid } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { disturbCalls, goOffline } from './support/calls.ts'
import { aPage } from './support/service.ts'
import { startSiteWindow } from './support/site-window.ts'
import { expectReview, startThreeVersions } from './support/three-versions.ts'

test('an unreadable part is reported, and can be read again', { timeout: 90_000 }, async () => {
  const { app, page, save, close } = await startSiteWindow()
  expect(await save('harbour/quay', aPage('The old quay'))).toMatchObject({ result: 'merged' })
  await inGrid(page, 'Materials').first().click()
  await page.getByRole('tab', { name: 'Summary' }).waitFor()
  const calmDown = await disturbCalls(app, {
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
  expect(await page.locator('body').textContent()).not.toContain('disturbed')
  await expectAccessible(page)
  await calmDown()
  await page.getByRole('dialog').getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Metadata' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('region', { name: 'Materials' }).getByRole('button', { name: 'Try again' }).click()
  await inGrid(page, 'Materials').filter({ hasText: 'harbour/quay' }).waitFor()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('tab', { name: 'Summary' }).waitFor()
  await close()
})

test('a material without a network, and one that cannot be read', { timeout: 90_000 }, async () => {
  const { app, page, timeline, emulator, second, version, close } = await startThreeVersions()
  // All stored content remains available.
  await emulator.close()
  const goOnline = await goOffline(page)
  await timeline.nth(1).click()
  await page.getByRole('tab', { name: 'State' }).click()
  await page.getByRole('tabpanel').getByText('"Second ferry"').waitFor()
  await page.getByRole('toolbar', { name: 'Actions for this version' }).getByRole('button', { name: 'Approve' }).click()
  await expect.poll(async () => (await version(second.versionId))?.verdict?.kind).toBe('approved')
  await page.getByRole('grid', { name: 'Versions' }).focus()
  await expectReview(app, () => page.keyboard.press('Space'), ['Second ferry'])
  await goOnline()

  const calmDown = await disturbCalls(app, {
    queryVersions: 'fails',
    inspectVersion: 'fails',
    readStateLevel: 'fails',
    markVersion: 'fails',
  })
  await page.keyboard.press('p')
  await page.getByText('Couldn’t update the version').first().waitFor()
  await page.keyboard.press('Control+r')
  await page.getByText('The versions could not be read. The library is unchanged; try again.').waitFor()
  await page.getByText('This version could not be read. The library is unchanged; try again.').waitFor()
  expect(await page.locator('body').textContent()).not.toContain('disturbed')
  await expectAccessible(page)
  await calmDown()
  await page.getByRole('button', { name: 'Try again' }).first().click()
  await expect.poll(() => timeline.count()).toBe(3)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('tabpanel').getByText('"Second ferry"').waitFor()
  await close()
})
