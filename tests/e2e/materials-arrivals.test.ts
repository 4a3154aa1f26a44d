import { expect, test } from 'vitest'

import { inGrid } from './support/app.ts'
import { aPage } from './support/service.ts'
import { startSiteWindow } from './support/site-window.ts'

test('an arrival leaves what is scrolled to, selected and active where it is; places are told right', async () => {
  const { page, save, close } = await startSiteWindow()
  const grid = page.getByRole('grid', { name: 'Materials' })
  const rows = inGrid(page, 'Materials')
  const total = 130
  for (let at = 0; at < total; at += 10) {
    const ids = Array.from({ length: 10 }, (_, more) => `archive/${String(at + more).padStart(3, '0')}`)
    for (const { result } of await Promise.all(ids.map((id) => save(id, aPage(id))))) expect(result).toBe('merged')
  }
  const count = (told: number) =>
    page.getByRole('region', { name: 'Materials' }).getByText(String(told), { exact: true }).waitFor()
  await count(total)
  await page.getByRole('columnheader', { name: 'Title' }).getByRole('button').click()
  await page.getByRole('columnheader', { name: 'Last saved' }).getByRole('button').click()

  // Far down, three rows are selected.
  await grid.focus()
  await page.keyboard.press('End')
  for (let pages = 0; pages < 3; pages += 1) await page.keyboard.press('PageUp')
  await expect.poll(() => grid.locator('[data-active]').count()).toBe(1)
  await page.keyboard.press('Shift+ArrowUp')
  await page.keyboard.press('Shift+ArrowUp')
  await page.getByText('3 selected').waitFor()
  /** The first completely visible row, the active and the selected ones, and their indexes in the grid. */
  const seen = () =>
    grid.evaluate((element) => {
      const head = element.querySelector('[role="rowgroup"]')?.getBoundingClientRect().bottom ?? 0
      const all = [...element.querySelectorAll<HTMLElement>('[data-row]')].map((row) => ({
        id: /archive\/\d+/.exec(row.textContent)?.[0] ?? row.textContent,
        topPx: Math.round(row.getBoundingClientRect().top),
        place: Number(row.getAttribute('aria-rowindex')),
        isActive: row.dataset['active'] !== undefined,
        isSelected: row.getAttribute('aria-selected') === 'true',
      }))
      const sorted = all.toSorted((one, other) => one.topPx - other.topPx)
      return {
        top: sorted.find(({ topPx }) => topPx >= head),
        active: sorted.find(({ isActive }) => isActive),
        selected: sorted.filter(({ isSelected }) => isSelected).map(({ id }) => id),
        rowCount: Number(element.getAttribute('aria-rowcount')),
        named: document.getElementById(element.getAttribute('aria-activedescendant') ?? '')?.textContent ?? '',
      }
    })
  const before = await seen()
  expect(before.selected).toHaveLength(3)
  expect(before.rowCount).toBe(total + 1)
  expect(before.named).toContain(before.active?.id)

  // A save arrives above them.
  expect(await save('news/first', aPage('The first'))).toMatchObject({ result: 'merged' })
  await count(total + 1)
  await expect.poll(async () => (await seen()).rowCount).toBe(total + 2)
  const after = await seen()
  expect(after).toStrictEqual({
    ...before,
    rowCount: total + 2,
    top: { ...before.top, place: (before.top?.place ?? 0) + 1 },
    active: { ...before.active, place: (before.active?.place ?? 0) + 1 },
  })
  await page.getByText('3 selected').waitFor()

  // The reported index is correct: it counts the rows above.
  const ids = await page.evaluate(() =>
    window.galley.call('materialIds', {
      site: 'press',
      text: '',
      sort: { by: 'saved', direction: 'down' },
      filters: { statuses: [], tags: [], editors: [], savedAfter: null, savedBefore: null, archived: false },
    }),
  )
  expect(ids[(after.active?.place ?? 0) - 2]).toBe(after.active?.id)

  // At its top, the list shows new rows.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Home')
  await expect.poll(() => rows.first().textContent()).toContain('news/first')
  expect(await save('news/second', aPage('The second'))).toMatchObject({ result: 'merged' })
  await expect.poll(() => rows.filter({ hasText: 'news/second' }).getAttribute('aria-rowindex')).toBe('2')
  await close()
})
