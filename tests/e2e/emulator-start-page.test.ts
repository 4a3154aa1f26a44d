import { expect, onTestFinished, test } from 'vitest'

import { key, secret, startService } from '../service/support/service.ts'
import { savingSite, startSite } from '../service/support/site-stub.ts'
import { expectAccessible, goodPractice } from './support/axe.ts'
import { aBrowserPage } from './support/browser-window.ts'

/** The emulator with two sites and a session, and its start page in a bare Chromium window without a preload. */
async function openStartPage() {
  const site = await startSite(savingSite(key, secret))
  const prod = { apiKey: 'acme-prod', apiSecret: 'other-secret', allowedDomains: ['acme.example'] }
  const service = await startService({ name: 'Acme', moreSites: [{ ...prod, environment: 'prod' }] })
  const { fingerprint = '' } = await service.opened({ material_id: '<b>"stories"</b>', callback_url: site.callbackUrl })
  await service.save(fingerprint, { html: '', state: {} })

  onTestFinished(async () => {
    await service.emulator.close()
    await site.close()
  })
  const page = await aBrowserPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    // Electron's own word on the blank page that a window begins with.
    if (!message.text().includes('Electron Security Warning')) complaints.push(message.text())
  })
  await page.goto(service.emulator.url)
  return { service, site, page, complaints, fingerprint }
}

test('the start page shows sessions, sites, clock and faults, and steers them by keyboard', async () => {
  const { service, page, complaints, fingerprint } = await openStartPage()
  const session = page.getByRole('region', { name: 'Table of sessions' }).getByRole('row', { name: /stories/ })
  await expect
    .poll(() => session.getByRole('link').getAttribute('href'))
    .toBe(`${service.emulator.url}/editor/${fingerprint}`)
  await expect.poll(() => session.textContent()).toMatch(/<b>"stories"<\/b>\s+Acme\s+Saved/)
  await expect.poll(() => page.getByRole('row', { name: /acme-prod/ }).textContent()).toContain('acme.example')
  expect(await page.content()).not.toMatch(/test-secret|other-secret/)

  await page.getByRole('combobox', { name: 'Fault' }).focus()
  await page.keyboard.type('slow')
  await page.keyboard.press('Tab')
  await page.keyboard.type('2')
  await page.keyboard.press('Tab')
  await page.keyboard.type('40')
  await page.keyboard.press('Enter')
  await page.getByText('slow_download 2 times, 40 ms').waitFor()
  expect(await service.get('/_emulator/faults')).toEqual([{ kind: 'slow_download', times: 2, ms: 40 }])
  await page.getByRole('button', { name: 'Clear all' }).press('Enter')
  await page.getByText('No faults scheduled').waitFor()

  const before = Date.parse(String((await service.get('/_emulator/clock'))['now']))
  await page.getByRole('button', { name: 'One day later' }).press('Enter')
  await page.waitForURL(/#clock$/)
  const after = Date.parse(String((await service.get('/_emulator/clock'))['now']))
  expect(Math.round((after - before) / 3_600_000)).toBe(24)
  await page.getByRole('button', { name: '15 days later' }).press('Enter')
  await page.getByText('No sessions yet').waitFor()
  expect(complaints).toEqual([])

  await page.getByLabel('Now, as ISO 8601').fill('soon')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.getByRole('alert').textContent()).toContain('The clock was not changed')
})

test('the start page shows callbacks when they are sent and answered, and sends one again', async () => {
  const { service, site, page, complaints, fingerprint } = await openStartPage()
  const callback = (id: number) => page.locator(`#callback-${id}`)
  await callback(1).getByText('Saved successfully', { exact: true }).click()
  await expect.poll(() => callback(1).locator('details[open] pre').textContent()).toContain('"rc":1')
  await callback(1).getByText('article_saved', { exact: true }).click()
  await expect
    .poll(() => callback(1).locator('details[open] pre').first().textContent())
    .toMatch(/^POST http\S+\n\n\{"event":"article_saved",/)

  let answer = (): void => undefined
  site.behaviour = async () => {
    await new Promise<void>((resolve) => (answer = resolve))
    return { status: 500, body: 'it broke' }
  }
  const saving = service.save(fingerprint, { html: '', state: {} })
  await callback(2).getByText('No response yet').waitFor()
  answer()
  await saving
  await callback(2).getByText('Not confirmed by the site').waitFor()
  await expect.poll(() => callback(1).locator('details[open]').count()).toBe(2)

  site.behaviour = savingSite(key, secret)
  await page.getByRole('button', { name: 'Send again: callback 2' }).press('Enter')
  await page.getByRole('row', { name: /3, repeats 2/ }).waitFor()
  await expect.poll(() => callback(3).textContent()).toContain('Saved')
  expect(site.callbacks[2]?.text).toBe(site.callbacks[1]?.text)
  expect(complaints).toEqual([])
})

test.each(['light', 'dark'] as const)('the start page is clean in %s, also on a narrow window', async (colorScheme) => {
  const { service, page } = await openStartPage()
  await service.fault({ kind: 'drop' })
  await page.emulateMedia({ colorScheme })
  await page.reload()
  const background = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  expect(background).toBe(colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(22, 24, 29)')
  for (const width of [1100, 360]) {
    await page.setViewportSize({ width, height: 800 })
    await expectAccessible(page, undefined, goodPractice)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  }
})
