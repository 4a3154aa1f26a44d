import { join } from 'node:path'
import { expect, test } from 'vitest'

import { aFolder, inGrid } from './support/app.ts'
import { answerDialogs } from './support/dialogs.ts'
import { expectDrawn } from './support/picture.ts'
import { expectReview, long, startThreeVersions } from './support/three-versions.ts'

test(
  'a material by mouse: its timeline, what a version holds, what is said of it, and where it leads',
  { timeout: 120_000 },
  async () => {
    const started = await startThreeVersions()
    const { app, page, timeline, third, second, first, version, command, clipboard, close } = started
    const panel = page.getByRole('tabpanel')
    const bar = page.getByRole('toolbar', { name: 'Actions for this version' })

    // Editor, growth and thumbnail of each version.
    expect(await timeline.nth(0).textContent()).toMatch(/Current.*third@press\.example/)
    expect(await timeline.nth(1).textContent()).toMatch(/second@press\.example.*Page and 1 media file/)
    expect(await timeline.nth(2).textContent()).toMatch(/first@press\.example.*First version/)
    await expectDrawn(timeline.nth(0).locator('img'))

    await timeline.nth(1).click()
    const shown = await command('show', 'version', 'press', 'stories/ferry', second.versionId)
    const stored = shown as { html_sha256: string; archive_sha256: string }
    await panel.getByText(second.versionId).waitFor()
    await panel.getByText(stored.html_sha256).waitFor()
    await panel.getByText(stored.archive_sha256).first().waitFor()

    // Sets a verdict, pins the version, and adds a note and a tag.
    await bar.getByRole('button', { name: 'Approve' }).click()
    await timeline.nth(1).getByText('Approved').waitFor()
    // Pressing it again keeps the decision.
    await bar.getByRole('button', { name: 'Approved' }).click()
    await bar.getByRole('button', { name: 'Request changes' }).click()
    expect((await version(second.versionId))?.verdict).toMatchObject({ kind: 'approved' })
    await page.getByRole('dialog').getByLabel('What needs to change? (optional)').fill('The fares are old')
    await page.getByRole('dialog').getByRole('button', { name: 'Request changes' }).click()
    await timeline.nth(1).getByText('Changes requested').waitFor()
    await panel.getByText('The fares are old').waitFor()
    const rejected = { kind: 'rejected', note: 'The fares are old' }
    expect((await version(second.versionId))?.verdict).toMatchObject(rejected)
    // The button opens the reason; approving and clearing can be undone, with the reason.
    await bar.getByRole('button', { name: 'Changes requested' }).click()
    const reason = page.getByRole('dialog').getByLabel('What needs to change? (optional)')
    expect(await reason.inputValue()).toBe('The fares are old')
    await page.keyboard.press('Escape')
    const undo = async () => {
      await page.getByRole('button', { name: 'Undo' }).first().click()
      await panel.getByText('The fares are old').waitFor()
      expect((await version(second.versionId))?.verdict).toMatchObject(rejected)
    }
    await bar.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('Version approved').waitFor()
    await undo()
    await bar.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Clear decision' }).click()
    await page.getByText('Decision cleared').waitFor()
    expect((await version(second.versionId))?.verdict).toBeNull()
    await undo()
    await bar.getByRole('button', { name: 'Pin', exact: true }).click()
    await bar.getByRole('button', { name: 'Unpin' }).waitFor()
    await timeline.nth(1).getByRole('img', { name: 'Pinned: kept when old versions are deleted' }).waitFor()
    await panel.getByLabel('Note').fill('For the archive')
    await panel.getByLabel('Tags').fill('ferry, 1953')
    await panel.getByRole('button', { name: 'Save' }).click()
    await timeline.nth(1).getByRole('img', { name: 'Note: For the archive' }).waitFor()
    expect(await version(second.versionId)).toMatchObject({
      pinned: true,
      note: 'For the archive',
      tags: ['ferry', '1953'],
    })
    const pruned = await command('prune', '--keep-versions', '1', '--dry-run')
    expect(pruned).toMatchObject({ list: [{ version_id: first.versionId }] })

    // The files, as the listener serves them.
    await page.getByRole('tab', { name: 'Media' }).click()
    const files = panel.getByRole('list', { name: 'Media files' }).getByRole('listitem')
    expect(await files.allTextContents()).toStrictEqual([expect.stringMatching(/^hero\.png\d+ bytes, image\/png/)])
    await files.first().hover()
    await files.getByRole('button', { name: 'Copy address of hero.png' }).click()
    await expect.poll(clipboard).toMatch(/^http.*hero\.png$/)
    expect(await (await fetch(await clipboard())).text()).toBe('picture of Second ferry')

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
      expect(await tree.locator(`[data-kind="${kind}"]`).first().textContent()).toBe(text)
    const held = tree.getByRole('listitem').filter({ hasText: /^long/ })
    expect((await held.textContent())?.length).toBeLessThan(400)
    await held
      .getByRole('button', { name: `Show more (300 of ${long.length.toLocaleString('en')} characters)` })
      .click()
    await expect.poll(async () => (await held.textContent())?.length).toBeGreaterThan(30_000)
    await held.getByRole('button', { name: /^Show more \(32,768/ }).click()
    await expect.poll(async () => (await held.textContent())?.length).toBeGreaterThan(60_000)
    await held.getByRole('button', { name: /^Show more/ }).click()
    await held.getByRole('button', { name: /^Show more/ }).waitFor({ state: 'detached' })
    expect(await held.textContent()).toContain(JSON.stringify(long))
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

    // Opens review windows: one version, it with the previous one, and two chosen ones.
    await expectReview(app, () => bar.getByRole('button', { name: 'Review' }).click(), ['Second ferry'])
    const more = async (line: string): Promise<void> => {
      await bar.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: line }).click()
    }
    await expectReview(app, () => more('Compare with previous version'), ['First ferry', 'Second ferry'])
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
    expect(await bar.locator('[title*="("]').count(), 'in the table of materials letters look for titles').toBe(0)
    await inGrid(page, 'Materials').first().click({ button: 'right' })
    await expect.poll(() => keysOf(/^Rename/)).toStrictEqual(['F2'])
    await page.keyboard.press('Escape')
    await page.evaluate(() => window.galley.call('changeSettings', { shortcuts: {} }))
    await inGrid(page, 'Materials').first().dblclick()

    // Exports just this version.
    await timeline.nth(2).click()
    await panel.getByText(first.versionId).waitFor()
    await answerDialogs(app, join(await aFolder(), 'site'))
    await more('Export…')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Choose…' }).click()
    await expect.poll(() => dialog.getByLabel('Destination').inputValue()).toMatch(/site$/)
    await dialog.getByRole('button', { name: 'Show plan' }).click()
    await dialog.getByRole('button', { name: 'Export', exact: true }).click()
    await page.getByRole('dialog', { name: 'Exported' }).waitFor()
    await page.keyboard.press('Escape')
    const {
      rows: [exported],
    } = await page.evaluate(() => window.galley.call('listExports', { site: 'press', offset: 0, limit: 10 }))
    expect(exported?.request.pins).toStrictEqual([{ materialId: 'stories/ferry', versionId: first.versionId }])
    expect(third.current).toBe(true)
    await close()
  },
)
