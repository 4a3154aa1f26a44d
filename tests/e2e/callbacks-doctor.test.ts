import { expect, test } from 'vitest'

import { inGrid } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { citySecret, secret, startCallbacks } from './support/two-sites.ts'

test(
  'the doctor tells the five ways of a wrong signature apart; a replay shows the old and the new outcome side by side',
  { timeout: 120_000 },
  async () => {
    const { page, close, callbacks, forge, signed, contentUrl } = await startCallbacks()
    const press = (key: string) => page.keyboard.press(key)
    const findings = page.getByRole('region', { name: 'Findings' })

    const intoList = async (key: string): Promise<void> => {
      await page.getByRole('grid', { name: 'Callbacks' }).focus()
      await press(key)
    }
    await intoList('Home')

    // The callback log is sufficient for a diagnosis, without the signature.
    for (const [signature, told] of [
      [signed('a secret of nobody'), 'It doesn’t match any secret in this library'],
      [signed(citySecret), 'signed with the secret of the site city'],
      [signed(secret, `${contentUrl}/`), 'the trailing slash differs'],
      [signed(secret).toUpperCase(), 'It is in upper case, but'],
    ] as const) {
      const before = await callbacks.count()
      expect((await forge(signature)).statusCode).toBe(400)
      await page.getByRole('button', { name: '1 new' }).waitFor()
      await press('Control+Shift+N')
      await expect.poll(() => callbacks.count()).toBe(before + 1)
      await intoList('Home')
      await expect.poll(() => callbacks.first().getAttribute('aria-selected')).toBe('true')
      await page.getByText('doesn’t match this site’s secret').waitFor()
      await page.getByRole('tab', { name: 'Signature' }).focus()
      await press('Enter')
      await findings.getByText(told).waitFor()
      await findings.getByText('This signature would be rejected.').waitFor()
    }
    await expectAccessible(page)

    // HTTP trims header values, so white space only occurs in pasted values.
    await page.getByRole('button', { name: 'Signature doctor…' }).focus()
    await press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Signature doctor' })
    await dialog.waitFor()
    for (const [signature, told] of [
      [` ${signed(secret)}\t`, 'There are spaces around it.'],
      [signed('a secret of nobody'), 'It doesn’t match any secret in this library'],
      [signed(citySecret), 'signed with the secret of the site city'],
      [signed(secret, contentUrl.replace('http:', 'https:')), 'http and https are swapped'],
      [signed(secret).toUpperCase(), 'It is in upper case, but'],
    ] as const) {
      await dialog.getByLabel('Signature', { exact: true }).fill(signature)
      await dialog.getByRole('region', { name: 'Findings' }).waitFor({ state: 'detached' })
      await press('Enter')
      await dialog.getByText(told).waitFor()
    }
    await press('Escape')
    await dialog.waitFor({ state: 'detached' })

    // A pause refuses now what was stored before; a dry run shows it and stores nothing.
    await intoList('End')
    await page.getByText('stored as a new version').waitFor()
    await page.evaluate(() => window.galley.call('pauseSaves', { site: 'harbour', reason: 'Elections' }))
    await page.getByRole('tab', { name: 'Replay' }).focus()
    await press('Enter')
    await page.getByRole('tabpanel').getByRole('button', { name: 'Dry run' }).focus()
    await press('Enter')
    const comparison = page.getByRole('tabpanel').getByRole('region')
    await comparison.getByText('The result would be different.').waitFor()
    const [then, now] = await Promise.all(
      ['Original', 'Dry run'].map((title) => comparison.getByRole('heading', { name: title }).boundingBox()),
    )
    expect(then?.y).toBe(now?.y)
    expect(then?.x).toBeLessThan(now?.x ?? 0)
    await comparison.getByText('Saves are paused: Elections. Nothing was saved.').waitFor()
    await expectAccessible(page)
    await page.getByRole('tabpanel').getByRole('button', { name: 'Replay' }).focus()
    await press('Enter')
    await page.getByRole('dialog').getByText('Replay 1 callback?').waitFor()
    await press('Tab')
    await press('Enter')
    await page.getByRole('dialog').getByText('The result is different.').waitFor()
    await press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    // Neither run is a callback.
    expect(await inGrid(page, 'Callbacks').count()).toBe(5)
    await close()
  },
)
