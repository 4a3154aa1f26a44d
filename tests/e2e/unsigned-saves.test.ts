import { expect, test } from 'vitest'

import { goTo } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { startFourMaterials } from './support/four-materials.ts'
import { aPage } from './support/service.ts'

test(
  'saves that are not signed with the secret of the site are reported in Materials and Health, with the doctor',
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
    await close()
  },
)
