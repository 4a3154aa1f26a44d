import type { Page } from 'playwright'
import { expect, test } from 'vitest'

import { signatureOf } from '../support/service.ts'
import { expectAccessible } from './support/axe.ts'
import { paneTo, tabOnto, tabTo } from './support/keyboard.ts'
import { secret, startCallbacks } from './support/two-sites.ts'

const section = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Sections' }).getByRole('button', { name: new RegExp(`^${name}`) })

const palette = (page: Page) => page.getByRole('combobox', { name: 'Search or run a command' })
const paletteLines = (page: Page) => page.getByRole('dialog').getByRole('option').allTextContents()

async function openPalette(page: Page, keys: string): Promise<void> {
  await page.keyboard.press(keys)
  await palette(page).waitFor()
  await page.getByRole('option').first().waitFor()
}
async function closePalette(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await palette(page).waitFor({ state: 'detached' })
}

/** The borders between panes, by what they separate, with their reported position. */
const borders = (page: Page) =>
  page.getByRole('separator').evaluateAll((all) => all.map((border) => Math.round(border.getBoundingClientRect().x)))

test(
  'palette, key sheet, numbers in the sidebar and borders of panes, by keyboard alone and over a restart',
  { timeout: 120_000 },
  async () => {
    const { page, close, start, save } = await startCallbacks()
    const press = (key: string) => page.keyboard.press(key)

    // The sidebar counts, live.
    await expect.poll(() => section(page, 'Callbacks').textContent()).toBe('Callbacks1')
    expect(await section(page, 'Materials').textContent()).toBe('Materials1')
    await save('The old quay at dawn')
    await expect.poll(() => section(page, 'Callbacks').textContent()).toBe('Callbacks2')
    expect(await section(page, 'Materials').textContent()).toBe('Materials1')

    // Both shortcuts open the same; commands are listed with their shortcuts and objects with their ids.
    await openPalette(page, 'Control+k')
    const lines = await paletteLines(page)
    expect(lines).toEqual(expect.arrayContaining([expect.stringMatching(/^Go to Health.*Ctrl\+5$/)]))
    await closePalette(page)
    await openPalette(page, 'Control+p')
    expect(await paletteLines(page)).toEqual(lines)
    await expectAccessible(page)
    await page.keyboard.type('gthlt')
    await expect.poll(() => paletteLines(page)).toEqual([expect.stringMatching(/^Go to Health/)])
    await expect.poll(() => page.getByRole('dialog').getByRole('status').first().textContent()).toBe('1 result')
    await press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Health' }).waitFor()

    // The most recently used one is first, and an object opens with one Enter.
    await openPalette(page, 'Control+k')
    await page.getByRole('group', { name: 'Recent' }).getByRole('option', { name: 'Go to Health' }).waitFor()
    expect((await paletteLines(page))[0]).toMatch(/^Go to Health/)
    await page.keyboard.type('quay')
    await page.getByRole('group', { name: 'Materials' }).getByRole('option').first().waitFor()
    await press('Enter')
    await page.getByRole('grid', { name: 'Versions' }).waitFor()
    await press('Control+2')

    // A question mark is a letter in a field, and the sheet everywhere else.
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    const search = page.getByRole('textbox', { name: 'Search callbacks' })
    await press('Control+f')
    await page.keyboard.type('?')
    expect(await search.inputValue()).toBe('?')
    await press('Escape')
    await tabOnto(page.getByRole('grid', { name: 'Callbacks' }))
    await press('?')
    await sheet.getByText('Dry-run the callback', { exact: true }).waitFor()
    expect(await sheet.getByText('Ctrl+Shift+D').count()).toBe(1)
    await expectAccessible(page)
    await press('Escape')
    await sheet.waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Callbacks')

    // Borders are moved by arrow keys and keep their position.
    const [before] = [await borders(page)]
    for (const [border, key] of [
      [page.getByRole('separator').first(), 'ArrowRight'],
      [page.getByRole('separator').last(), 'ArrowLeft'],
    ] as const) {
      await tabOnto(border)
      for (let presses = 0; presses < 3; presses += 1) await press(key)
    }
    await expect.poll(() => borders(page)).not.toEqual(before)
    const moved = await borders(page)
    expect(moved[0]).toBeGreaterThan(before?.[0] ?? 0)
    expect(moved[1]).toBeLessThan(before?.[1] ?? 0)
    await close()
    const again = await start()
    await expect.poll(() => borders(again.page)).toEqual(moved)
    await again.close()
  },
)

test(
  'a long task tells how far it is, can be cancelled, and brings its result; toasts tell what is done',
  { timeout: 120_000 },
  async () => {
    const { app, page, close, callbacks, deliver } = await startCallbacks()
    const press = (key: string) => page.keyboard.press(key)

    // The same delivery again and again: a log that is long to replay.
    await callbacks.first().click()
    const contentUrl =
      (await page
        .getByRole('tabpanel')
        .getByText(/\/download\/media\//)
        .textContent()) ?? ''
    const body = { event: 'article_saved', material_id: 'stories/quay', content_url: contentUrl }
    const signature = signatureOf(secret, 'stories/quay', contentUrl)
    for (let sent = 0; sent < 600; sent += 20) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => deliver(body, signature)))
      await Promise.all(answers.map((answer) => answer.body.dump()))
    }
    await page.getByRole('button', { name: '600 new' }).waitFor()
    await press('Control+Shift+N')
    await expect.poll(() => section(page, 'Callbacks').textContent()).toBe('Callbacks601')

    await page.getByRole('grid', { name: 'Callbacks' }).focus()
    await press('Control+a')
    await page.getByText('601 selected').waitFor()
    const dialog = page.getByRole('dialog')
    const drawer = page.getByRole('region', { name: 'Tasks' })

    // Cancelled in its dialog.
    await press('Control+Shift+D')
    await dialog.getByText(/of 601 callbacks replayed/).waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).focus()
    await press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await press('Control+Shift+T')
    await drawer.getByText('Cancelled').waitFor()

    // In the background, with progress and result in the drawer.
    await page.getByRole('grid', { name: 'Callbacks' }).focus()
    await press('Control+Shift+D')
    await dialog.getByText(/of 601 callbacks replayed/).waitFor()
    await dialog.getByRole('button', { name: 'Continue in background' }).focus()
    await press('Enter')
    await dialog.waitFor({ state: 'detached' })
    const bar = drawer.getByRole('progressbar', { name: 'Dry-run callbacks' })
    await expect.poll(async () => Number(await bar.getAttribute('aria-valuenow'))).toBeGreaterThan(0)
    await drawer.getByText(/Replaying · [\d,]+ of 601 callbacks/).waitFor()
    await expectAccessible(page)
    await drawer.getByText('601 callbacks tested, nothing stored').waitFor({ timeout: 60_000 })
    // From wherever one is by then, to how each of them ended.
    await press('Control+5')
    await page.getByRole('heading', { level: 1, name: 'Health' }).waitFor()
    await drawer.getByRole('button', { name: 'Show results' }).focus()
    await press('Enter')
    await page.getByRole('dialog', { name: 'Dry run' }).getByRole('table').waitFor()
    await expectAccessible(page)
    await press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('grid', { name: 'Callbacks' }).waitFor()
    await drawer.getByRole('button', { name: 'Clear' }).focus()
    await press('Enter')
    await drawer.getByText('No tasks yet').waitFor()
    await press('Escape')
    await drawer.waitFor({ state: 'detached' })

    // A toast reports what was done, is reached by F6, and disappears when it is dismissed.
    await page.getByRole('grid', { name: 'Callbacks' }).focus()
    await press('Control+Shift+C')
    const toast = page.locator('[data-toast]').filter({ hasText: 'Report copied.' })
    await toast.waitFor()
    // Its timer stops while it has the focus.
    await paneTo(page, 'Notifications')
    await expectAccessible(page)
    expect(await app.evaluate(({ clipboard }) => clipboard.readText())).toContain('stories/quay')
    // And left by it, while it stays.
    await paneTo(page, 'Callbacks')
    await paneTo(page, 'Notifications')
    await tabTo(page, 'Dismiss')
    await press('Enter')
    await toast.waitFor({ state: 'detached' })
    const currentPane = () =>
      page.evaluate(() => document.activeElement?.closest('[data-pane]')?.getAttribute('data-pane') ?? null)
    await expect.poll(currentPane, { message: 'the pane that has the focus again' }).toBe('inspector')
    await close()
  },
)
