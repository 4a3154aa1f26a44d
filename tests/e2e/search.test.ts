import { join } from 'node:path'
import { expect, test } from 'vitest'

import { openGalley } from '../support/open-galley.ts'
import { aFolder, aFreePort, expectListener, goTo, inGrid, startApp } from './support/app.ts'
import { openDialog } from './support/dialogs.ts'
import { libraryOf } from './support/review.ts'

const page = (heading: string, text: string) => ({ html: `<article><h1>${heading}</h1><p>${text}</p></article>` })

// One search over everything, by keyboard alone.
test('Ctrl+K finds words of old versions, comments, people, statuses, and what the selected row can do', async () => {
  const [port, library] = [await aFreePort(), join(await aFolder(), 'library')]
  const { environment, versions } = await libraryOf(library, port, {
    'stories/quay': [page('The old quay', 'It was painted ultramarine.'), page('The old quay', 'It is grey now.')],
    'stories/pier': [page('The long pier', 'Nothing about colours.')],
  })
  const [first = '', second = ''] = versions['stories/quay'] ?? []
  const galley = await openGalley({ folder: library })
  const said = { id: crypto.randomUUID(), site: 'press', materialId: 'stories/quay', versionId: second, by: 'Ida' }
  const anchor = { kind: 'text' as const, exact: 'grey now', prefix: '', suffix: '', start: 0 }
  galley.index.comments.add({ ...said, at: new Date().toISOString(), anchor, text: 'Which pigment was it?' })
  await galley.close()
  const { page: window, close } = await startApp({ library, port, environment })
  await expectListener(window, 'Listening')
  await goTo(window, 'Materials')
  await inGrid(window, 'Materials').nth(1).waitFor()
  const field = window.getByRole('combobox', { name: 'Search or run a command' })
  async function find(words: string, group: string, option: RegExp): Promise<void> {
    await window.keyboard.press('Control+k')
    await field.waitFor()
    await window.keyboard.type(words)
    await window
      .getByRole('group', { name: group, exact: true })
      .getByRole('option', { name: option })
      .first()
      .waitFor()
    await window.keyboard.press('Enter')
    await window.locator(openDialog).waitFor({ state: 'detached' })
  }

  await find('changes req', 'Show', /Changes requested/)
  await window.getByText('No materials match').waitFor()
  await find('waiting for', 'Show', /Waiting for review/)
  await inGrid(window, 'Materials').nth(1).waitFor()

  await expect
    .poll(async () => {
      await window.keyboard.press('Control+k')
      await window.keyboard.type('ultramar')
      const isFound = await window.getByRole('option', { name: /Version 1/ }).count()
      await window.keyboard.press('Escape')
      return isFound
    })
    .toBe(1)
  await find('ultramar', 'In pages', /The old quay.*Version 1.*ultramarine/)
  await window.getByText(first).first().waitFor()

  await find('pigment', 'Comments', /Which pigment was it/)
  await expect
    .poll(() => window.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toContain('grey now')

  await goTo(window, 'Materials')
  await inGrid(window, 'Materials').first().click()
  await window.keyboard.press('Control+k')
  await field.waitFor()
  await window.keyboard.type('rename')
  const action = window.getByRole('group', { name: 'Selected item' }).getByRole('option', { name: /Rename/ })
  await expect.poll(() => action.getAttribute('data-highlighted')).not.toBeNull()
  await window.keyboard.press('Enter')
  await window.getByRole('dialog', { name: /Rename/ }).waitFor()
  await close()
})
