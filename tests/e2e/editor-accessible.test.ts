import { test } from 'vitest'

import { expectAccessible } from './support/axe.ts'
import { anEditor, aPng, aVideo, give } from './support/editor.ts'

test('axe finds no barrier in the editor, in light and in dark', async () => {
  const { page, canvas, open, show, expectNoComplaints } = await anEditor()
  const { url } = await open('stories/everybody')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await show(url)
    await expectAccessible(page, `an empty page, ${colorScheme}`)
    await page.keyboard.type('Title')
    await page.keyboard.press('Enter')
    await page.keyboard.type('/')
    await page.getByRole('listbox', { name: 'Insert' }).waitFor()
    await expectAccessible(page, `the list, ${colorScheme}`)
    await page.keyboard.type('sec')
    await page.keyboard.press('Enter')
    await page.keyboard.type('/two')
    await page.keyboard.press('Enter')
    await give(page, '.ProseMirror', 'paste', [aPng, aVideo])
    await page.getByRole('region', { name: 'Video' }).waitFor()
    await expectAccessible(page, `blocks in blocks, ${colorScheme}`)

    // Every part of the window by F6, every command of a menu by arrow keys; Escape returns the focus.
    await canvas.focus()
    await page.keyboard.press('F6')
    await page.getByRole('complementary', { name: 'Settings' }).locator(':focus').waitFor()
    await page.keyboard.press('F6')
    await page.getByRole('toolbar', { name: 'Format' }).locator(':focus').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: /Picture/ }).waitFor()
    await expectAccessible(page, `the menu, ${colorScheme}`)
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })

    for (const [item, name] of [
      ['Keyboard shortcuts', 'Keyboard shortcuts'],
      ['Simulate faults', 'Simulate faults'],
    ] as const) {
      await page.getByRole('button', { name: 'More' }).click()
      await page.getByRole('menuitem', { name: item }).click()
      await page.getByRole('dialog', { name }).waitFor()
      await expectAccessible(page, `${name}, ${colorScheme}`)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog', { name }).waitFor({ state: 'detached' })
    }
  }
  expectNoComplaints()
})
