import type { Page } from 'playwright'
import { expect, test } from 'vitest'

import { expectPlan, startFourMaterials, titles } from './support/four-materials.ts'
import { expectDrawn } from './support/picture.ts'
import { aPage } from './support/service.ts'

const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name })

test(
  'materials by mouse: found, narrowed, sorted, kept as a view, and changed one by one and together',
  { timeout: 120_000 },
  async () => {
    const started = await startFourMaterials()
    const { page, rows, row, save, material, clipboard, close } = started
    const filters = page.getByRole('group', { name: 'Filters' })
    const search = page.getByRole('textbox', { name: 'Search materials' })

    // A row shows the important facts, and exact values on request.
    const nets = row('harbour/nets')
    expect(await nets.textContent()).toMatch(/Waiting for review.*2.*(B|bytes).*mei@press\.example/)
    expect(await nets.getByRole('time').or(nets.locator('time')).first().getAttribute('title')).toMatch(
      /\d{4}.*\d\d:\d\d:\d\d/,
    )
    await expectDrawn(nets.locator('img'))
    // If an e-mail address does not fit, its local part is shown without the domain; the title has all of it.
    const seenOf = (address: string) =>
      rows.getByTitle(address).evaluate((whole) => {
        const { bottom, right } = whole.getBoundingClientRect()
        const parts = [...whole.children].filter((part) => part.textContent !== '')
        const isSeen = (part: Element) => {
          const box = part.getBoundingClientRect()
          return box.top < bottom && box.right <= right
        }
        return parts.filter(isSeen).map((part) => part.textContent)
      })
    expect(await seenOf('mei@press.example')).toStrictEqual(['mei', '@press.example'])
    expect(await seenOf('anna.von.brandt@press.example')).toStrictEqual(['anna.von.brandt'])

    // Words of a page, highlighted in the excerpt.
    await search.fill('lighthouse')
    await expect.poll(() => rows.count()).toBe(1)
    expect(await rows.locator('mark').allTextContents()).toStrictEqual(['lighthouse'])
    expect(await rows.textContent()).toContain('The old quay')
    // However narrow the column is, the word is there in full; what comes before it is cut.
    const columns = page.getByRole('grid', { name: 'Materials' }).getByRole('button', { name: 'Columns' })
    const room = () =>
      rows.locator('mark').evaluate((mark) => {
        const [word, line] = [
          mark.getBoundingClientRect(),
          mark.closest('[title]')?.parentElement?.getBoundingClientRect(),
        ]
        return { before: word.left - (line?.left ?? 0), after: (line?.right ?? 0) - word.right }
      })
    await page.getByRole('columnheader', { name: 'Title' }).hover()
    await columns.click()
    for (const name of ['Tags', 'Saved by']) await page.getByRole('menuitemcheckbox', { name, exact: true }).click()
    await page.keyboard.press('Escape')
    await expect.poll(async () => (await room()).after).toBeGreaterThanOrEqual(0)
    expect((await room()).before).toBeGreaterThanOrEqual(0)
    await columns.click()
    await page.getByRole('menuitem', { name: 'Reset columns' }).click()
    await search.fill('zeppelin')
    await page.getByText('No materials contain “zeppelin”.').waitFor()
    await page.getByRole('button', { name: 'Clear search' }).last().click()
    await expect.poll(() => rows.count()).toBe(4)

    // Sorts with a click on a header, and back with a second one.
    const titleHead = page.getByRole('columnheader', { name: 'Title' })
    await titleHead.getByRole('button').click()
    await expect
      .poll(() => titles(rows))
      .toStrictEqual(['Market at nine', 'Net makers of Pier 4', 'Slow trams', 'The old quay'])
    expect(await titleHead.getAttribute('aria-sort')).toBe('ascending')
    await titleHead.getByRole('button').click()
    await expect
      .poll(() => titles(rows))
      .toStrictEqual(['The old quay', 'Slow trams', 'Net makers of Pier 4', 'Market at nine'])

    // Changes two materials at once: tags, blocked saves that the service notices, and an export.
    const actions = page.getByRole('group', { name: 'Actions for the selection' })
    await row('The old quay').click()
    await row('Market at nine').click({ modifiers: ['Control'] })
    await actions.getByText('2 selected').waitFor()
    await actions.getByRole('button', { name: 'Tags…' }).click()
    await dialogOf(page, 'Edit tags for 2 materials').getByLabel('New tags').fill('autumn, north')
    await page.getByRole('button', { name: 'Save tags' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    for (const id of ['harbour/quay', 'harbour/market'])
      expect((await material(id))?.tags.toSorted()).toStrictEqual(['autumn', 'north'])

    await actions.getByRole('button', { name: 'Pause saves…' }).click()
    await dialogOf(page, 'Pause saves for 2 materials').getByLabel('Reason').fill('On holiday')
    await page.getByRole('dialog').getByRole('button', { name: 'Pause saves' }).click()
    await row('The old quay').getByText('Saves paused').waitFor()
    expect(await save('harbour/quay', aPage('Blocked by rule'))).toMatchObject({
      result: 'rejected',
      message: expect.stringContaining('On holiday'),
    })
    expect((await material('harbour/quay'))?.versions).toBe(1)
    await actions.getByRole('button', { name: 'Resume saves' }).click()
    await page.getByText('Saves resumed').waitFor()
    expect(await save('harbour/quay', aPage('Accepted'))).toMatchObject({ result: 'merged' })
    await actions.getByText('2 selected').waitFor()

    await actions.getByRole('button', { name: 'Export…' }).click()
    await expectPlan(started, 2, false)
    await page.keyboard.press('Control+1')
    await page.getByRole('button', { name: 'Clear selection' }).click()

    // Filtered by marks, and saved under a name.
    await filters.getByRole('button', { name: 'Tags' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'north (2)' }).click()
    await page.keyboard.press('Escape')
    await expect.poll(() => titles(rows)).toStrictEqual(['The old quay', 'Market at nine'])
    await filters.getByRole('button', { name: 'Saved by' }).click()
    await page.getByRole('menuitemcheckbox', { name: /^jonas@press\.example/ }).click()
    await page.keyboard.press('Escape')
    await expect.poll(() => titles(rows)).toStrictEqual(['Market at nine'])
    await filters.getByRole('button', { name: 'Last saved' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'More than 30 days ago' }).click()
    await page.getByText('No materials match these filters.').waitFor()
    await filters.getByRole('button', { name: /^Last saved/ }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Last 24 hours' }).click()
    await filters.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Save as view…' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Jonas in the north')
    await page.getByRole('button', { name: 'Save view' }).click()
    await filters.getByRole('button', { name: 'View: Jonas in the north' }).waitFor()
    await filters.getByRole('button', { name: 'Clear filters' }).click()
    await expect.poll(() => rows.count()).toBe(4)
    await filters.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Jonas in the north' }).click()
    await expect.poll(() => titles(rows)).toStrictEqual(['Market at nine'])
    await filters.getByRole('button', { name: /^View:/ }).click()
    await page.getByRole('menuitem', { name: 'Delete view “Jonas in the north”' }).click()
    await filters.getByRole('button', { name: 'Views' }).waitFor()
    expect(await page.evaluate(() => window.galley.call('listViews', { site: 'press' }))).toStrictEqual([])

    // The menu of one row: renames the material, and copies its id.
    await row('Market at nine').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Rename…' }).click()
    const rename = dialogOf(page, 'Rename material')
    await rename.getByLabel('Title').fill('Market at ten')
    await rename.getByLabel('Slug').fill('market-at-ten')
    await rename.getByRole('button', { name: 'Rename' }).click()
    await row('Market at ten').waitFor()
    expect(await started.command('materials', 'press')).toContainEqual(
      expect.objectContaining({ material_id: 'harbour/market', title: 'Market at ten', slug: 'market-at-ten' }),
    )
    await row('Market at ten').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Copy ID' }).click()
    await expect.poll(clipboard).toBe('harbour/market')
    await close()
  },
)
