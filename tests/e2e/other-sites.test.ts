import { expect, test } from 'vitest'

import { expectAccessible } from './support/axe.ts'
import { citySecret, startCallbacks } from './support/two-sites.ts'

test(
  'a failed save of another site is announced, counted at Health, and one click away',
  { timeout: 90_000 },
  async () => {
    const { page, close, forge, signed, callbacks } = await startCallbacks()
    const health = page.getByRole('navigation', { name: 'Sections' }).getByRole('button', { name: /^Health/ })
    expect(await health.textContent()).toBe('Health')
    // The service has no such archive.
    await forge(signed(citySecret), 'city')

    const notice = page.getByText('1 other site needs attention: City.')
    await notice.waitFor()
    await expect.poll(() => health.textContent()).toBe('Health1 open problem')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Open Health' }).click()
    await notice.waitFor({ state: 'detached' })
    const line = page.getByRole('listitem', { name: 'Failed saves of City', exact: true })
    await line.getByText('1 save wasn’t stored').waitFor()
    await expectAccessible(page)
    await line.getByRole('button', { name: 'Show callbacks' }).click()
    await page.getByRole('button', { name: /^Site: City/ }).waitFor()
    await expect.poll(() => callbacks.count()).toBe(1)
    // Looking at it is not enough: it is dismissed here, or saved again.
    expect(await health.textContent()).toBe('Health1 open problem')
    await callbacks.first().click()
    await page.getByRole('button', { name: 'Dismiss', exact: true }).click()
    await expect.poll(() => health.textContent()).toBe('Health')
    await close()
  },
)
