import { expect, test } from 'vitest'

import { goTo } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { startFourMaterials } from './support/four-materials.ts'
import { aPage } from './support/service.ts'
import { showSection } from './support/settings.ts'

test(
  'saves that are signed with another secret or in another header are reported in Materials and Health, with a way out',
  { timeout: 180_000 },
  async () => {
    const { page, rows, save, command, emulator, close } = await startFourMaterials()
    // Only pages that were opened from here are known to be edited.
    await command('open', 'press', 'harbour/quay')
    await fetch(`${emulator.url}/_emulator/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'wrong_signature', times: 3 }),
    })
    for (const heading of ['One', 'Two', 'Three']) await save('harbour/quay', aPage(heading))
    const report = page.getByText(/^3 saves since .* were not signed with this site’s secret\. Was it changed\?$/)
    await report.waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Check signature' }).click()
    await page.getByText('It doesn’t match any secret in this library').waitFor()

    await goTo(page, 'Health')
    await page.getByRole('listitem', { name: /^Signatures of / }).waitFor()
    await expectAccessible(page)
    // The next save that is signed rightly ends it.
    await save('harbour/quay', aPage('Four'))
    await page.getByRole('listitem', { name: /^Signatures of / }).waitFor({ state: 'detached' })
    await goTo(page, 'Materials')
    await expect.poll(() => rows.count()).toBe(4)
    expect(await report.count()).toBe(0)

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
    await goTo(page, 'Health')
    const line = page.getByRole('listitem', { name: 'Signatures of Press', exact: true })
    await line.getByText('In another header', { exact: true }).waitFor()
    await line.getByRole('button', { name: 'Check signature' }).click()
    const reason = page.getByRole('region', { name: 'What happened and what to do' })
    await reason.getByText('in the header x-service-signature, which this site didn’t read').waitFor()
    await expectAccessible(page)
    await reason.getByRole('button', { name: 'Use this header' }).click()
    await page.getByText('Signature header changed. Save again in the editor').waitFor()
    await page.getByText('It matches this site’s secret.').waitFor()
    await expect.poll(() => reason.getByRole('button').allTextContents()).toStrictEqual(['Check signature'])
    expect(await save('harbour/quay', aPage('Six'))).toMatchObject({ result: 'merged' })
    await goTo(page, 'Health')
    await page.getByRole('listitem', { name: 'Listener', exact: true }).waitFor()
    expect(await line.count()).toBe(0)
    await close()
  },
)
