import { expect, test } from 'vitest'

import { signatureOf } from '../support/service.ts'
import { expectAccessible } from './support/axe.ts'
import { paneTo, tabTo } from './support/keyboard.ts'
import { secret, startCallbacks } from './support/two-sites.ts'

test('a long task tells how far it is, can be cancelled, and brings its result; toasts tell what is done', async () => {
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
  await expect.poll(() => page.getByRole('grid', { name: 'Callbacks' }).getAttribute('aria-rowcount')).toBe('602')

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
  await drawer.getByText('601 callbacks tested, nothing stored').waitFor()
  // From wherever one is by then, to how each of them ended.
  await press('Control+5')
  await page.getByRole('heading', { level: 1, name: 'Delivery' }).waitFor()
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
})
