import { expect, test } from 'vitest'

import { openDialog } from './support/dialogs.ts'
import { expectPlan, startFourMaterials, titles } from './support/four-materials.ts'
import { chooseInMenu, tabOnto, tabTo } from './support/keyboard.ts'
import { expectDrawn } from './support/picture.ts'
import { aPage } from './support/service.ts'

test('materials: found, sorted and narrowed by mouse; then changed, kept as a view and exported by keyboard alone', async () => {
  const started = await startFourMaterials()
  const { page, rows, row, save, material, versions, command, clipboard, close } = started
  const filters = page.getByRole('group', { name: 'Filters' })
  const search = page.getByRole('textbox', { name: 'Search materials' })

  // A row shows the important facts, and exact values on request.
  const nets = row('harbour/nets')
  await expect.poll(() => nets.textContent()).toMatch(/Waiting for review.*mei@press\.example/)
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
  await expect.poll(() => seenOf('mei@press.example')).toStrictEqual(['mei', '@press.example'])
  await expect.poll(() => seenOf('anna.von.brandt@press.example')).toStrictEqual(['anna.von.brandt'])

  // Words of a page, highlighted in the excerpt.
  await search.fill('lighthouse')
  await expect.poll(() => rows.count()).toBe(1)
  await expect.poll(() => rows.locator('mark').allTextContents()).toStrictEqual(['lighthouse'])
  await expect.poll(() => rows.textContent()).toContain('The old quay')
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
  for (const name of ['Versions', 'Saved by']) await page.getByRole('menuitemcheckbox', { name, exact: true }).click()
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
  await expect.poll(() => titleHead.getAttribute('aria-sort')).toBe('ascending')
  await titleHead.getByRole('button').click()
  await expect
    .poll(() => titles(rows))
    .toStrictEqual(['The old quay', 'Slow trams', 'Net makers of Pier 4', 'Market at nine'])

  // Back in the order of saves; two rows are selected together, and no longer.
  await page.getByRole('columnheader', { name: 'Last saved' }).getByRole('button').click()
  await expect.poll(async () => (await titles(rows))[0]).toBe('Net makers of Pier 4')
  await row('The old quay').click()
  await row('Market at nine').click({ modifiers: ['Control'] })
  await page.getByRole('group', { name: 'Actions for the selection' }).getByText('2 selected').waitFor()
  await page.getByRole('button', { name: 'Clear selection' }).click()

  // Filters narrow together; the menu of one row copies its id.
  await filters.getByRole('button', { name: 'Saved by' }).click()
  await page.getByRole('menuitemcheckbox', { name: /^jonas@press\.example/ }).click()
  await page.keyboard.press('Escape')
  await expect.poll(async () => (await titles(rows)).toSorted()).toStrictEqual(['Market at nine', 'Slow trams'])
  await filters.getByRole('button', { name: 'Last saved' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'More than 30 days ago' }).click()
  await page.getByText('No materials match these filters.').waitFor()
  await filters.getByRole('button', { name: 'Clear filters' }).click()
  await expect.poll(() => rows.count()).toBe(4)
  await row('Market at nine').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Copy ID' }).click()
  await expect.poll(clipboard).toBe('harbour/market')

  const press = (key: string) => page.keyboard.press(key)
  const type = (text: string) => page.keyboard.type(text)
  const noDialog = () => page.locator(openDialog).waitFor({ state: 'detached' })
  const grid = page.getByRole('grid', { name: 'Materials' })
  const active = () => grid.locator('[data-active]').textContent()
  const intoGrid = () => tabTo(page, 'Materials')

  // Searches, and leaves the search field.
  await press('Control+f')
  await type('lighthouse')
  await expect.poll(async () => (await titles(rows)).length).toBe(1)
  await press('Escape')
  await expect.poll(() => rows.count()).toBe(4)

  // Sorts by a column header: up from the first row, across, and down again.
  await intoGrid()
  await press('Home')
  await expect.poll(active).toContain('Net makers')
  await press('ArrowUp')
  await press('Enter')
  await expect
    .poll(() => titles(rows))
    .toStrictEqual(['Market at nine', 'Net makers of Pier 4', 'Slow trams', 'The old quay'])
  await press('ArrowRight')
  await press('ArrowRight')
  await press('Enter')
  await expect.poll(async () => (await titles(rows))[0]).toBe('Net makers of Pier 4')
  await press('ArrowLeft')
  await press('ArrowLeft')
  await press('Enter')
  await expect.poll(async () => (await titles(rows))[0]).toBe('Market at nine')
  await press('ArrowDown')

  // A letter jumps to its title; Shift extends, Ctrl+Space toggles.
  await press('s')
  await expect.poll(active).toContain('Slow trams')
  await press('Shift+ArrowDown')
  await page.getByText('2 selected').waitFor()
  await press('Control+a')
  await page.getByText('4 selected').waitFor()
  await press('Control+Space')
  await page.getByText('3 selected').waitFor()

  // Selects all rows by key, then uses the menu of a row, which applies to all of them.
  await press('Control+t')
  await page.getByRole('dialog', { name: 'Edit tags for 3 materials' }).waitFor()
  await type('keyboard')
  await press('Enter')
  await noDialog()
  expect((await material('city/trams'))?.tags).toStrictEqual(['keyboard'])
  expect((await material('harbour/quay'))?.tags).toStrictEqual([])
  await press('Control+a')
  await page.getByText('4 selected').waitFor()
  await press('Shift+F10')
  await chooseInMenu(page, 'Pause saves…')
  await page.getByRole('dialog', { name: 'Pause saves for 4 materials' }).waitFor()
  await type('No hands')
  await press('Enter')
  await noDialog()
  expect(await save('city/trams', aPage('Blocked by rule'))).toMatchObject({
    result: 'rejected',
    message: expect.stringContaining('No hands'),
  })
  await press('ArrowUp')
  await expect.poll(active).toContain('Slow trams')
  await press('Shift+F10')
  await chooseInMenu(page, 'Resume saves')
  await expect.poll(async () => (await material('city/trams'))?.isRefused).toBe(false)
  expect((await material('harbour/nets'))?.isRefused).toBe(true)

  // Filters with the filter menus, saves a view from the palette, and chooses it again.
  await press('Control+f')
  await tabTo(page, 'Tags')
  await press('Enter')
  await chooseInMenu(page, 'keyboard (3)')
  await press('Escape')
  await expect.poll(() => rows.count()).toBe(3)
  await press('Control+k')
  await page.getByRole('combobox').waitFor()
  await type('Save list as view')
  await page.getByRole('option', { name: 'Save list as view' }).waitFor()
  await press('Enter')
  await page.getByRole('dialog', { name: 'Save as view…' }).waitFor()
  await type('Typed')
  await press('Enter')
  await noDialog()
  await press('Control+f')
  await tabTo(page, 'Clear filters')
  await press('Enter')
  await expect.poll(() => rows.count()).toBe(4)
  await press('Control+f')
  await tabTo(page, 'Views')
  await press('Enter')
  await chooseInMenu(page, 'Typed')
  await expect.poll(() => rows.count()).toBe(3)
  await press('Control+f')
  await tabTo(page, 'View: Typed')
  await press('Enter')
  await chooseInMenu(page, 'Delete view “Typed”')
  await expect.poll(() => page.evaluate(() => window.galley.call('listViews', { site: 'press' }))).toStrictEqual([])

  // Renames by shortcut, copies the id from the menu, and exports the selection.
  await press('Control+f')
  await intoGrid()
  await press('Home')
  await expect.poll(active).toContain('Market at nine')
  await press('F2')
  await page.getByRole('dialog', { name: 'Rename material' }).waitFor()
  await press('Control+a')
  await type('Market at dusk')
  await press('Enter')
  await noDialog()
  await expect.poll(active).toContain('Market at dusk')
  expect(await command('materials', 'press')).toContainEqual(
    expect.objectContaining({ material_id: 'harbour/market', title: 'Market at dusk' }),
  )
  await press('Shift+F10')
  await chooseInMenu(page, 'Copy ID')
  await expect.poll(clipboard).toBe('harbour/market')

  // Decides about the current version from the menu of its row, and edits the reason.
  const decision = async () => {
    const [newest] = await versions('harbour/market')
    return newest?.verdict
  }
  await press('Shift+F10')
  await chooseInMenu(page, 'Approve')
  await expect.poll(decision).toMatchObject({ decision: 'approved' })
  expect((await material('harbour/market'))?.status).toBe('approved')
  for (const [item, reason] of [
    ['Request changes…', 'Too short'],
    ['Edit reason…', 'Too short by half'],
  ] as const) {
    await press('Shift+F10')
    await chooseInMenu(page, item)
    const reject = page.getByRole('dialog', { name: 'Request changes to this version' })
    await reject.waitFor()
    await press('Control+a')
    await type(reason)
    await press('Control+Enter')
    await reject.waitFor({ state: 'detached' })
    await expect.poll(decision).toMatchObject({ decision: 'changes_requested', reason })
  }
  // A version with requested changes is not exported.
  await press('Shift+F10')
  await chooseInMenu(page, 'Approve')
  await expect.poll(decision).toMatchObject({ decision: 'approved' })

  await press('Control+a')
  await page.getByText('3 selected').waitFor()
  await press('Control+e')
  await expectPlan(started, 3)

  // Opens the material, and goes back to its row.
  await press('Control+2')
  await tabOnto(page.getByRole('grid', { name: 'Materials' }))
  await press('Home')
  await press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Market at dusk' }).waitFor()
  await press('Alt+ArrowLeft')
  await expect.poll(active).toContain('Market at dusk')
  await close()
})
