import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Locator } from 'playwright'
import { expect, test } from 'vitest'

import { sha256Of } from '../../packages/platform/index.ts'
import { aFolder, inGrid } from './support/app.ts'
import { disturbCalls } from './support/calls.ts'
import { answerDialogs, openDialog } from './support/dialogs.ts'
import { chooseInMenu, paneTo, tabTo } from './support/keyboard.ts'
import { expectDrawn } from './support/picture.ts'
import { aPage } from './support/service.ts'
import { expectReview, long, startThreeVersions } from './support/three-versions.ts'

test('a material: what its versions hold and where they lead, by mouse; decided, described and exported by keyboard alone', async () => {
  const started = await startThreeVersions()
  const { app, page, timeline, second, first, version, command, clipboard, save, close } = started
  const panel = page.getByRole('tabpanel')
  const bar = page.getByRole('toolbar', { name: 'Actions for this version' })

  // Editor, growth and thumbnail of each version.
  await expect.poll(() => timeline.nth(0).textContent()).toMatch(/Current.*third@press\.example/)
  await expect.poll(() => timeline.nth(1).textContent()).toMatch(/second@press\.example.*Page and 1 media file/)
  await expect.poll(() => timeline.nth(2).textContent()).toMatch(/first@press\.example.*First version/)
  await expectDrawn(timeline.nth(0).locator('img'))

  await timeline.nth(1).click()
  const shown = await command('show', 'version', 'press', 'stories/ferry', second.versionId)
  const stored = shown as { html_sha256: string; archive_sha256: string }
  await panel.getByText(second.versionId).waitFor()
  await panel.getByText(stored.html_sha256).waitFor()
  await panel.getByText(stored.archive_sha256).first().waitFor()

  // A decision is changed by its own buttons only; pressing one again keeps it.
  await bar.getByRole('button', { name: 'Approve' }).click()
  await timeline.nth(1).getByText('Approved').waitFor()
  await bar.getByRole('button', { name: 'Approved' }).click()
  await bar.getByRole('button', { name: 'Request changes' }).click()
  expect((await version(second.versionId))?.verdict).toMatchObject({ decision: 'approved' })
  await page.keyboard.press('Escape')
  await page.locator(openDialog).waitFor({ state: 'detached' })

  // Page and archive are dragged out of the window, each as a copy with a name.
  await app.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows()
    const dragged: string[] = []
    Object.assign(globalThis, { dragged })
    if (window === undefined) throw new Error('no window')
    window.webContents.startDrag = ({ file, icon }) => {
      if (typeof icon === 'string' || icon.isEmpty()) throw new Error('no picture to drag')
      dragged.push(file)
    }
  })
  const dragged = () => app.evaluate(() => Reflect.get(globalThis, 'dragged') as readonly string[])
  const pull = async (from: Locator) => {
    const { x = 0, y = 0 } = (await from.boundingBox()) ?? {}
    await page.mouse.move(x + 20, y + 8)
    await page.mouse.down()
    await page.mouse.move(x + 60, y + 40, { steps: 4 })
  }
  const dragOut = async (from: Locator) => {
    const before = (await dragged()).length
    await pull(from)
    await expect.poll(async () => (await dragged()).length).toBe(before + 1)
    await page.mouse.up()
    return (await dragged()).at(-1) ?? ''
  }
  const ofRow = await dragOut(timeline.nth(1))
  expect(basename(ofRow)).toBe('First ferry, version 2.html')
  expect(sha256Of(await readFile(ofRow))).toBe(stored.html_sha256)
  const archive = await dragOut(panel.getByRole('button', { name: 'ZIP archive' }))
  expect(basename(archive)).toBe('First ferry, version 2.zip')
  expect((await readFile(archive)).subarray(0, 2).toString()).toBe('PK')
  // A button that is let go before the copy is made drags nothing; a damaged file is told.
  const hurry = await disturbCalls(app, { prepareVersionFile: 'waits' })
  await pull(timeline.nth(1))
  await page.mouse.up()
  await hurry()
  await page.getByText('The file wasn’t ready in time. Drag it again: it’s ready now.').waitFor()
  const sha256 = stored.archive_sha256
  const failure = { code: 'damaged_blob', state: 'copying', name: 'archive', sha256, problem: 'altered' } as const
  const mend = await disturbCalls(app, { prepareVersionFile: { answers: { ok: false, failure } } })
  await pull(panel.getByRole('button', { name: 'ZIP archive' }))
  const toast = page.locator('[data-toast]').filter({ hasText: 'Couldn’t copy the file' })
  await toast.waitFor()
  await page.mouse.up()
  await mend()
  await toast.getByLabel('Dismiss').click()
  expect(await dragged()).toEqual([ofRow, archive])
  // The same by keyboard, to a file that the person chooses.
  const saved = join(await aFolder(), 'page.html')
  await answerDialogs(app, saved)
  await panel.getByRole('button', { name: 'HTML page' }).press('Enter')
  await page.getByText(`Saved to ${saved}`).waitFor()
  expect(await readFile(saved)).toEqual(await readFile(ofRow))

  // The files, as the listener serves them.
  await page.getByRole('tab', { name: 'Media' }).click()
  const files = panel.getByRole('list', { name: 'Media files' }).getByRole('listitem')
  await expect
    .poll(() => files.allTextContents())
    .toStrictEqual([expect.stringMatching(/^hero\.png\d+ bytes, image\/png/)])
  await files.first().hover()
  await files.getByRole('button', { name: 'Copy address of hero.png' }).click()
  await expect.poll(clipboard).toMatch(/^http.*hero\.png$/)
  expect(await (await fetch(await clipboard())).text()).toBe('picture of Second ferry')
  // The menu of a tile has what its buttons do.
  await files.first().click({ button: 'right' })
  expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Show hero.png', 'Copy address of hero.png'])
  await page.keyboard.press('Escape')

  // The source, the state as a tree with its long values collapsed, and the metadata.
  await page.getByRole('tab', { name: 'HTML' }).click()
  await page.getByLabel('HTML source').getByText('About Second ferry.').waitFor()
  await page.getByRole('tab', { name: 'State' }).click()
  const tree = panel.getByRole('list', { name: 'Editor state' })
  await tree.getByText('"Second ferry"').waitFor()
  for (const [text, kind] of [
    ['1.5', 'number'],
    ['true', 'boolean'],
    ['null', 'null'],
  ] as const)
    await expect.poll(() => tree.locator(`[data-kind="${kind}"]`).first().textContent()).toBe(text)
  const held = tree.getByRole('listitem').filter({ hasText: /^long/ })
  expect((await held.textContent())?.length).toBeLessThan(400)
  await held.getByRole('button', { name: `Show more (300 of ${long.length.toLocaleString('en')} characters)` }).click()
  await expect.poll(async () => (await held.textContent())?.length).toBeGreaterThan(30_000)
  await held.getByRole('button', { name: 'Show less' }).click()
  await expect.poll(async () => (await held.textContent())?.length).toBeLessThan(400)
  await tree.getByRole('button', { name: 'list 250 items' }).click()
  const items = panel.getByRole('list', { name: 'list' }).locator('> li')
  await expect.poll(() => items.count()).toBe(201)
  await panel.getByRole('button', { name: 'Show more (200 of 250)' }).click()
  await expect.poll(() => items.count()).toBe(250)
  await tree.getByRole('button', { name: 'list 250 items' }).click()
  await expect.poll(() => items.count()).toBe(0)
  await page.getByRole('tab', { name: 'Metadata' }).click()
  await expect.poll(() => page.getByLabel('Metadata (JSON)').textContent()).toContain(second.versionId)

  // Goes to the callback of the version, and back.
  await page.getByRole('tab', { name: 'Summary' }).click()
  await panel.getByRole('button', { name: 'Show callback' }).click()
  await page.getByRole('region', { name: 'What happened and what to do' }).waitFor()
  await page.getByRole('button', { name: 'Back', exact: true }).first().click()
  await panel.getByText(second.versionId).waitFor()

  // Opens review windows: one version, it with the current one, and two chosen ones.
  await expectReview(app, () => bar.getByRole('button', { name: 'Review' }).click(), ['Second ferry'])
  const more = async (line: string): Promise<void> => {
    await bar.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: line }).click()
  }
  await expectReview(app, () => more('Compare with current version'), ['Second ferry', 'Third ferry'])
  await timeline.nth(0).click()
  await timeline.nth(2).click({ modifiers: ['Control'] })
  const pair = page.getByRole('button', { name: 'Compare selected versions' })
  await expectReview(app, () => pair.click(), ['First ferry', 'Third ferry'])

  // Shortcuts are shown next to their commands, as the user set them, and only where they work.
  await timeline.nth(2).click()
  await bar.getByTitle('Approve (A)').waitFor()
  await page.getByTitle('Open in editor (Ctrl+O)').waitFor()
  await page.evaluate(() =>
    window.galley.call('changeSettings', { shortcuts: { 'version.approve': 'Mod+Shift+A', 'version.pin': '' } }),
  )
  await bar.getByTitle('Approve (Ctrl+Shift+A)').waitFor()
  await bar.getByTitle('Pin', { exact: true }).waitFor()
  await timeline.nth(2).click({ button: 'right' })
  const keysOf = (line: RegExp) => page.getByRole('menuitem', { name: line }).locator('kbd').allTextContents()
  await expect.poll(() => keysOf(/^Approve/)).toStrictEqual(['Ctrl+Shift+A'])
  expect(await keysOf(/^Request changes/)).toStrictEqual(['R'])
  expect(await keysOf(/^Pin/)).toStrictEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Materials', exact: true }).last().click()
  await bar.getByRole('button', { name: 'Approve' }).waitFor()
  await expect
    .poll(() => bar.locator('[title*="("]').count(), { message: 'in the table of materials letters look for titles' })
    .toBe(0)
  await inGrid(page, 'Materials').first().click({ button: 'right' })
  await expect.poll(() => keysOf(/^Rename/)).toStrictEqual(['F2'])
  await page.keyboard.press('Escape')
  await page.evaluate(() => window.galley.call('changeSettings', { shortcuts: {} }))
  await inGrid(page, 'Materials').first().dblclick()

  const press = (key: string) => page.keyboard.press(key)
  const grid = page.getByRole('grid', { name: 'Versions' })
  const active = () => grid.locator('[data-active]').textContent()

  // Moves through the versions and sets verdicts with single letters.
  await tabTo(page, 'Versions')
  await press('End')
  await expect.poll(active).toContain('first@press.example')
  await press('ArrowUp')
  await expect.poll(active).toContain('second@press.example')
  await panel.getByText(second.versionId).waitFor()
  await press('p')
  await expect.poll(async () => (await version(second.versionId))?.pinned).toBe(true)
  await timeline.nth(1).getByRole('img', { name: 'Pinned: kept when old versions are deleted' }).waitFor()
  expect(await command('prune', '--keep-versions', '1', '--dry-run')).toMatchObject({
    list: [{ version_id: first.versionId }],
  })
  await press('a')
  await timeline.nth(1).getByText('Approved').waitFor()
  await press('r')
  await page.getByRole('dialog', { name: 'Request changes to this version' }).waitFor()
  await page.keyboard.type('The fares are old')
  // Escape does not discard what was typed; Ctrl+Enter sends it from the field.
  await press('Escape')
  await page.getByRole('alert').getByText('Discard changes?').waitFor()
  await press('Escape')
  await page.getByRole('alert').waitFor({ state: 'detached' })
  await page.getByRole('textbox', { name: /^What needs to change/ }).focus()
  await press('Control+Enter')
  await page.getByRole('dialog', { name: 'Request changes to this version' }).waitFor({ state: 'detached' })
  await timeline.nth(1).getByText('Changes requested').waitFor()
  expect((await version(second.versionId))?.verdict).toMatchObject({
    decision: 'changes_requested',
    reason: 'The fares are old',
  })
  const verdict = async () => (await version(second.versionId))?.verdict
  await press('Shift+F10')
  await chooseInMenu(page, 'Clear decision')
  await expect.poll(verdict).toBe(null)
  await page.getByText('Decision cleared').first().waitFor()
  await paneTo(page, 'Notifications')
  await tabTo(page, 'Undo')
  await press('Enter')
  await expect.poll(verdict).toMatchObject({ decision: 'changes_requested', reason: 'The fares are old' })
  await paneTo(page, 'Versions')
  await press('r')
  await page.getByRole('dialog', { name: 'Request changes to this version' }).waitFor()
  await press('Control+a')
  await page.keyboard.type('The fares are wrong')
  await press('Control+Enter')
  await page.getByRole('dialog', { name: 'Request changes to this version' }).waitFor({ state: 'detached' })
  await expect.poll(verdict).toMatchObject({ decision: 'changes_requested', reason: 'The fares are wrong' })
  await panel.getByText('The fares are wrong').waitFor()

  // A save of another editor appears above; the selection stays.
  expect(await save('stories/ferry', { ...aPage('Fourth ferry'), user_email: 'fourth@press.example' })).toMatchObject({
    result: 'merged',
  })
  await expect.poll(() => timeline.count()).toBe(4)
  await expect.poll(() => grid.locator('[data-active]').getAttribute('aria-rowindex')).toBe('4')
  await expect.poll(() => active()).toContain('second@press.example')
  await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('5')

  // Reviews a version with the space bar, compares it with the previous one with a letter, and two selected ones with
  // the same letter.
  await expectReview(app, () => press('Space'), ['Second ferry'])
  await expectReview(app, () => press('c'), ['First ferry', 'Second ferry'])
  await press('Shift+ArrowUp')
  await page.getByRole('button', { name: 'Compare selected versions' }).waitFor()
  await expectReview(app, () => press('c'), ['Second ferry', 'Third ferry'])
  await press('Escape')
  await press('End')
  await expect.poll(active).toContain('first@press.example')

  // Moves through the parts of the version: a note, the files, the state, the callback and back.
  await press('Enter')
  await tabTo(page, 'Note')
  await page.keyboard.type('Typed')
  await tabTo(page, 'Tags')
  await page.keyboard.type('keys')
  await press('Enter')
  await expect.poll(() => version(first.versionId)).toMatchObject({ note: 'Typed', tags: ['keys'] })
  await press('F6')
  await press('Shift+F6')
  await tabTo(page, 'Summary')
  await press('ArrowRight')
  await press('ArrowRight')
  await tabTo(page, 'Copy address of hero.png')
  await press('Shift+F10')
  await chooseInMenu(page, 'Copy address of hero.png')
  await expect.poll(clipboard).toMatch(/hero\.png$/)
  await expect.poll(() => page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Copy address of hero.png')
  await press('F6')
  await press('Shift+F6')
  await tabTo(page, 'Media')
  await press('ArrowRight')
  await press('ArrowRight')
  await tabTo(page, /^Show more \(300/)
  await press('Enter')
  await tabTo(page, 'Show less')
  await tabTo(page, 'list250 items')
  await press('ArrowRight')
  await panel.getByRole('list', { name: 'list' }).waitFor()
  await press('ArrowLeft')
  await panel.getByRole('list', { name: 'list' }).waitFor({ state: 'detached' })
  await press('F6')
  await press('Shift+F6')
  await tabTo(page, 'State')
  await press('Home')
  await tabTo(page, 'Show callback')
  await press('Enter')
  await page.getByRole('region', { name: 'What happened and what to do' }).waitFor()
  await press('Alt+ArrowLeft')
  await grid.waitFor()
  await panel.getByText(first.versionId).waitFor()

  // Exports this version from the menu of its row.
  await paneTo(page, 'Versions')
  await expect.poll(active).toContain('first@press.example')
  await answerDialogs(app, join(await aFolder(), 'site'))
  await press('Shift+F10')
  await chooseInMenu(page, 'Export…')
  const dialog = page.getByRole('dialog')
  await tabTo(page, 'Choose…')
  await press('Enter')
  await expect.poll(() => dialog.getByLabel('Destination').inputValue()).toMatch(/site$/)
  await tabTo(page, 'Show plan')
  await press('Enter')
  await tabTo(page, 'Export')
  await press('Enter')
  await page.getByRole('dialog', { name: 'Exported' }).waitFor()
  const {
    rows: [exported],
  } = await page.evaluate(() => window.galley.call('listExports', { site: 'press', offset: 0, limit: 10 }))
  expect(exported?.request.pins).toStrictEqual([{ materialId: 'stories/ferry', versionId: first.versionId }])
  await close()
})
