import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

import { expectAccessible } from './support/axe.ts'
import { anEditor, aDrawing, aPng, aVideo, give } from './support/editor.ts'
import { expectDrawn } from './support/picture.ts'

test('a page is written, saved and opened again', async () => {
  const { page, canvas, open, show, save, expectNoComplaints, words } = await anEditor()
  const session = await open('stories/harbour')
  await show(session.url)
  const { keyboard } = page
  /** Inserts by `/`, and waits until the list has heard of it. */
  const insert = async (words: string, option: string): Promise<void> => {
    await keyboard.type(`/${words}`)
    await page.getByRole('option', { name: option, exact: false }).first().waitFor()
    await keyboard.press('Enter')
  }

  /** Moves below the last block. Shortly after it gets the focus, the canvas may select its previous block again. */
  const toEnd = async (): Promise<void> => {
    await canvas.focus()
    const selected = async (): Promise<number> => {
      await keyboard.press('Control+End')
      return page.locator('.ProseMirror-selectednode').count()
    }
    await expect.poll(selected, { message: 'no block is selected' }).toBe(0)
  }

  // An empty page shows what to do, and the cursor is in the title.
  await expect.poll(() => page.locator('h1[data-hint="Title"]').count()).toBe(1)
  await keyboard.type('A weekend by the harbour')
  await keyboard.press('Enter')
  await keyboard.type('The first ')
  await keyboard.press('Control+b')
  await keyboard.type('boats')
  await keyboard.press('Control+b')
  await keyboard.type(' leave ')
  await keyboard.press('Control+i')
  await keyboard.type('early')
  await keyboard.press('Control+i')
  await keyboard.type('. ')
  await keyboard.press('Control+k')
  await page.getByLabel('Address').fill('javascript:alert(1)')
  await keyboard.press('Enter')
  await page.getByText('This isn’t a valid address').waitFor()
  await page.getByLabel('Address').fill('tides.example/today')
  await keyboard.press('Enter')
  await page.getByLabel('Address').waitFor({ state: 'detached' })
  await keyboard.press('Enter')

  await insert('head', 'Heading')
  await keyboard.type('The market')
  await keyboard.press('Enter')
  await insert('bul', 'Bulleted list')
  await keyboard.type('Oranges')
  await keyboard.press('Enter')
  await keyboard.type('Bread')
  await keyboard.press('Enter')
  await keyboard.press('Enter')
  await insert('quo', 'Quote')
  await keyboard.type('Still warm.')
  await keyboard.press('Enter')
  await keyboard.press('Enter')

  // A picture by the picker, with its words; one by paste; a video by drop.
  const chooser = page.waitForEvent('filechooser')
  await insert('pic', 'Picture')
  await (await chooser).setFiles(aDrawing)
  await page.getByLabel('Alternative text').fill('A sailing boat at dusk')
  await page.getByLabel('Caption').fill('Pier 4')
  await canvas.focus()
  await give(page, '.ProseMirror', 'paste', [aPng])
  await expect.poll(() => page.locator('.ProseMirror img').count()).toBe(2)
  await give(page, '.ProseMirror > p:last-child', 'drop', [
    aVideo,
    { ...aVideo, name: 'x.exe', type: 'application/x-exe' },
  ])
  await page.getByRole('region', { name: 'Video' }).waitFor()
  await page.getByText('Skipped: x.exe').waitFor()
  await page.getByLabel('Video title').fill('The ferry')
  await toEnd()

  await insert('two', 'Two columns')
  await keyboard.type('Left')
  await keyboard.press('ArrowDown')
  await keyboard.type('Right')
  await page.getByRole('button', { name: 'Add column' }).click()
  await toEnd()
  await insert('space', 'Space')
  await page.getByRole('radio', { name: 'Large' }).check({ force: true })
  await toEnd()
  await insert('sec', 'Section')
  await keyboard.type('On its own ground.')
  await page.getByRole('region', { name: 'Section' }).getByRole('button', { name: 'Sand' }).click()
  await canvas.focus()

  // A block moves by its keys, and back by undo and redo.
  await keyboard.press('Alt+Shift+ArrowUp')
  await expect.poll(() => page.locator('.ProseMirror > section').count()).toBe(0)
  await keyboard.press('Control+z')
  await expect.poll(() => page.locator('.ProseMirror > section').count()).toBe(1)
  await keyboard.press('Control+Shift+z')
  await expect.poll(() => page.locator('.ProseMirror > section').count()).toBe(0)
  await keyboard.press('Control+z')
  await expect.poll(() => page.locator('.ProseMirror > section').count()).toBe(1)

  // On a phone, the columns are stacked; viewing changes nothing in the page.
  const lefts = () =>
    page
      .locator('.ProseMirror .folio-columns > *')
      .evaluateAll((columns) => new Set(columns.map((column) => column.getBoundingClientRect().left)).size)
  const paper = page.locator('[data-width]')
  for (const [device, width, sideBySide] of [
    ['Phone', 390, 1],
    ['Tablet', 768, 3],
  ] as const) {
    await page.getByRole('radio', { name: device }).check({ force: true })
    await expect.poll(async () => (await paper.boundingBox())?.width).toBe(width)
    await expect.poll(lefts).toBe(sideBySide)
  }
  await page.getByRole('radio', { name: 'Desktop' }).check({ force: true })
  await canvas.focus()

  // Leaving asks while there is unsaved work.
  const wouldAsk = () => page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })))
  expect(await wouldAsk()).toBe(true)
  await save('Saved. The site responded: Saved successfully.')
  await page.getByText('All changes saved').waitFor()
  expect(await wouldAsk()).toBe(false)

  const state = await session.state()
  expect(state).toMatchObject({
    title: 'A weekend by the harbour',
    blocks: [
      {
        type: 'paragraph',
        text: [
          'The first ',
          { text: 'boats', bold: true },
          ' leave ',
          { text: 'early', italic: true },
          '. ',
          { text: 'tides.example/today', link: 'https://tides.example/today' },
        ],
      },
      { type: 'heading', text: 'The market' },
      { type: 'bulletList' },
      { type: 'blockquote', blocks: [{ type: 'paragraph', text: 'Still warm.' }] },
      { type: 'image', file: 'harbour.svg', alt: 'A sailing boat at dusk', caption: 'Pier 4' },
      { type: 'image', file: 'Boats-nets.png', width: 1, height: 1 },
      { type: 'video', file: 'Ferry.mp4', label: 'The ferry' },
      {
        type: 'columns',
        blocks: [{ blocks: [{ text: 'Left' }] }, { blocks: [{ text: 'Right' }] }, { type: 'column' }],
      },
      { type: 'spacer', size: 'large' },
      { type: 'section', background: '#f7efe2', blocks: [{ text: 'On its own ground.' }] },
    ],
  })
  const assets = state['assets'] as Record<string, { clientUrl: string }>
  expect(Object.keys(assets).toSorted()).toEqual(['Boats-nets.png', 'Ferry.mp4', 'harbour.svg'])
  const picture = await fetch(assets['harbour.svg']?.clientUrl ?? '')
  expect(Buffer.from(await picture.arrayBuffer())).toEqual(await readFile(aDrawing))

  // Opened again, it is the same page, with the files of the site.
  await page.getByText('Ferry.mp4 can’t be shown. Select it and replace the file in the settings.').waitFor()
  const before = await words()
  await show(session.url)
  await expect.poll(() => words()).toBe(before)
  const shown = page.getByRole('img', { name: 'A sailing boat at dusk' })
  await expectDrawn(shown)
  await expect.poll(() => shown.getAttribute('src')).toBe(assets['harbour.svg']?.clientUrl)
  await shown.click()
  await page.getByRole('link', { name: assets['harbour.svg']?.clientUrl ?? '' }).waitFor()
  expect(await wouldAsk()).toBe(false)
  expectNoComplaints()
})

test('blocks that are cut, copied or split keep the members that belong to them', async () => {
  const { page, canvas, open, openPastGalley, show, save } = await anEditor()
  const picture = '{"type":"image","file":"a.svg","alt":"A boat","size":"wide","by":12345678901234567890}'
  const parts = '{"type":"carousel","n":1.0},{"id":7,"type":"paragraph","text":"One two","align":"center"}'
  const session = await open('stories/clipboard')
  await session.save(
    `{"html":"","files":{"a.svg":"${(await readFile(aDrawing)).toString('base64')}"},"state":{"blocks":[${picture},${parts}]}}`,
  )
  await show(session.url)
  const { keyboard } = page
  const boats = page.getByRole('img', { name: 'A boat' })

  // After cut and paste, everything is unchanged. A split part starts without foreign attributes.
  await canvas.focus()
  await keyboard.press('Control+a')
  await keyboard.press('Control+x')
  await expect.poll(() => boats.count()).toBe(0)
  await keyboard.press('Control+v')
  await expect.poll(() => boats.count()).toBe(1)
  await page.getByText('One two').click()
  await keyboard.press('End')
  for (let i = 0; i < 4; i++) await keyboard.press('ArrowLeft')
  await keyboard.press('Enter')
  await save('Saved. The site responded: Saved successfully.')
  expect(await session.text()).toContain(
    `${picture},{"type":"carousel","n":1.0},{"id":7,"type":"paragraph","text":"One","align":"center"},` +
      '{"type":"paragraph","align":"center","text":" two"}]',
  )

  // On another page, the file of the picture is missing, so only the text is pasted.
  await keyboard.press('Control+a')
  await keyboard.press('Control+c')
  await show((await openPastGalley('stories/elsewhere')).url)
  await keyboard.press('Enter')
  await keyboard.press('Control+v')
  await page.getByText('One', { exact: true }).waitFor()
  await expect.poll(() => boats.count()).toBe(0)
})

test('older versions can be viewed and returned to', async () => {
  const { page, canvas, open, show, save, expectNoComplaints, words } = await anEditor()
  const session = await open('stories/versions')
  await show(session.url)
  await page.keyboard.type('First')
  await page.keyboard.press('Enter')
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Insert' }).click()
  await page.getByRole('menuitem', { name: /Picture/ }).click()
  await (await chooser).setFiles(aDrawing)
  // The menu returns the focus to the page when it has closed: a field that is filled before would lose it.
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await canvas.and(page.locator(':focus')).waitFor()
  await page.getByLabel('Alternative text').fill('A boat')
  await save(/^Saved\./)
  expect(await session.state()).toMatchObject({ title: 'First', blocks: [{ type: 'image', alt: 'A boat' }] })
  await canvas.focus()
  await page.keyboard.press('Backspace')
  await page.keyboard.type('Second')
  await save(/^Saved\./)
  await expect.poll(() => page.getByRole('img', { name: 'A boat' }).count()).toBe(0)

  await page.getByRole('button', { name: 'History' }).click()
  const dialog = page.getByRole('dialog', { name: 'History' })
  const versions = dialog.getByRole('radio')
  await expect.poll(() => versions.count()).toBe(2)
  await expect.poll(() => versions.nth(0).isChecked()).toBe(true)
  // The dialog may still be taking the focus to its first choice.
  const olderIsChosen = async (): Promise<boolean> => {
    await versions.nth(0).focus()
    await page.keyboard.press('ArrowDown')
    return versions.nth(1).isChecked()
  }
  await expect.poll(olderIsChosen).toBe(true)
  const preview = dialog.getByRole('document', { name: 'Version preview' })
  const boat = preview.getByRole('img', { name: 'A boat' })
  await expectDrawn(boat)
  await expectAccessible(page, 'the history')
  await dialog.getByRole('button', { name: 'Restore this version' }).click()
  await page.getByText(/^Restored the version from .* Save to publish it to the site\.$/).waitFor()
  await page.getByText('Not saved to the site').waitFor()
  await expect.poll(() => words()).not.toContain('Second')
  await save(/^Saved\./)
  expect(await session.state()).toMatchObject({ title: 'First', blocks: [{ type: 'image', alt: 'A boat' }] })
  expectNoComplaints()
})
