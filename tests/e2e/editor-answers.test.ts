import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'

import { expectAccessible } from './support/axe.ts'
import { anEditor, aDrawing } from './support/editor.ts'
import { expectDrawn } from './support/picture.ts'

/** A site that gives its pictures to nobody without this header, and to whoever has it once they are ready; its origin. */
async function aGuardedSite(authorization: string, svg: Promise<Buffer>): Promise<string> {
  const server = createServer((request, response) => {
    if (request.headers.authorization !== authorization) response.writeHead(401).end()
    else void svg.then((bytes) => response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(bytes))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void (server.closeAllConnections(), server.close()))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('the editor shows every answer of the site and keeps parts of other editors', async () => {
  const { page, canvas, open, openPastGalley, show, save, stopSite, emulator, expectNoComplaints, words } =
    await anEditor()
  const session = await open('stories/foreign')
  const foreign =
    '{"n":12345678901234567890,"blocks":[{"type":"carousel","slides":{},"2":1.0,"1":[]},' +
    '{"x":{"__proto__":1},"type":"paragraph","text":"Ours"}],"assets":{"used by them.png":{"clientUrl":"https://x.example/a.png","w":1.0}},"containers":{}}'
  await session.save(`{"html":"","files":{},"state":${foreign}}`)
  await show(session.url)
  await page.getByText('A block from another editor (carousel). It is saved unchanged.').waitFor()
  await page.getByText('Some blocks come from another editor').waitFor()

  await canvas.focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' and more')
  await save('Saved. The site responded: Saved successfully.')
  expect(await session.text()).toContain(`"state":${foreign.replace('"Ours"', '"Ours and more"')}`)

  // A refusal: the site's message, and its effect on the page.
  const stranger = await openPastGalley('stories/stranger')
  await show(stranger.url)
  await page.keyboard.type('Nobody opened this there')
  await save(/^The site rejected this save: .*The published page is unchanged\. Your changes are kept here/)
  await page.getByText('Not saved to the site').waitFor()
  await expect.poll(() => page.getByRole('alert').textContent()).toContain('rejected')
  await expectAccessible(page, 'a refusal')
  await page.getByRole('button', { name: 'Dismiss' }).click()

  // The key counts, not the letter that a Cyrillic layout has there.
  const isTaken = await page.evaluate(
    () =>
      !window.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'ы', code: 'KeyS', ctrlKey: true, bubbles: true, cancelable: true }),
      ),
  )
  expect(isTaken).toBe(true)
  await page.getByText(/^The site rejected this save: /).waitFor()

  // First without the site, then without the service: no input is lost, and leaving still asks.
  await stopSite()
  await page.keyboard.type('!')
  await save(/^The site did not confirm this save\..*Your changes are kept here\./)
  await canvas.focus()
  await page.keyboard.type('?')
  await emulator.close()
  await save(/^Not saved\. .*Your changes are still here\.$/)
  await page.getByText('Unsaved changes').waitFor()
  await expect.poll(() => words()).toContain('Nobody opened this there')
  expectNoComplaints()
})

test('the fonts of the site, files that are lost, and faults that are ordered', async () => {
  const { page, canvas, open, openPastGalley, sendFonts, show, save, expectNoComplaints } = await anEditor()
  await sendFonts('Harbour Serif')
  const session = await open('stories/fonts')
  await show(session.url)
  await page.keyboard.type('Set in type')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Text')
  await page.getByLabel('Heading font').selectOption('Harbour Serif')
  expect(
    await page.getByRole('heading', { name: 'Set in type' }).evaluate((it) => getComputedStyle(it).fontFamily),
  ).toMatch(/^"Harbour Serif"/)
  await page.getByRole('button', { name: 'Font: Page font' }).click()
  await page.getByRole('menuitemradio', { name: 'Harbour Serif' }).click()
  await page.getByRole('button', { name: 'Font: Harbour Serif' }).waitFor()
  await page.getByRole('menu').waitFor({ state: 'detached' })

  // An ordered fault meets the next save, and only that.
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Simulate faults' }).click()
  await page.getByLabel('Fault', { exact: true }).selectOption('The callback never arrives')
  await page.getByRole('button', { name: 'Schedule' }).click()
  await page.getByRole('list', { name: 'Scheduled faults' }).getByText('The callback never arrives, once').waitFor()
  await page.keyboard.press('Escape')
  await save(/^The site did not confirm this save\./)
  await page.getByText('Waiting for confirmation').waitFor()
  await save('Saved. The site responded: Saved successfully.')
  expect(await session.state()).toMatchObject({
    page: { headingFont: 'Harbour Serif' },
    blocks: [{ text: 'Text', font: 'Harbour Serif' }],
  })

  // A page restored from the site: lost files are listed, and can be replaced.
  const lost = await openPastGalley('stories/lost', {
    title: 'Lost',
    blocks: [{ type: 'image', file: 'lost.svg', alt: 'Gone' }],
    assets: { 'lost.svg': { clientUrl: 'http://127.0.0.1:9/lost.svg' } },
  })
  await show(lost.url)
  await page.getByRole('region', { name: 'Files that could not be restored' }).getByText('lost.svg').waitFor()
  await page.getByText('lost.svg can’t be shown. Select it and replace the file in the settings.').click()
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Replace file' }).click()
  await (await chooser).setFiles(aDrawing)
  const found = page.getByRole('img', { name: 'Gone' })
  await expectDrawn(found)
  await canvas.focus()
  await page.keyboard.press('Control+z')
  await page.getByText('lost.svg can’t be shown.').waitFor()

  // Files that the site only serves to the service are shown from the service's copy.
  const svg = Promise.withResolvers<Buffer>()
  const guarded = await aGuardedSite('Bearer token', svg.promise)
  const address = `${guarded}/boat.svg`
  const restored = await openPastGalley(
    'stories/restored',
    {
      blocks: [{ type: 'image', file: 'boat.svg', alt: 'Kept apart' }],
      assets: { 'boat.svg': { clientUrl: address } },
    },
    { webhook_auth_user: 'token' },
  )
  expect((await fetch(address)).status).toBe(401)
  const shown = show(restored.url)
  await page.getByText('Opening the page. Its files may need to be downloaded from the site first.').waitFor()
  svg.resolve(await readFile(aDrawing))
  await shown
  await expectDrawn(page.getByRole('img', { name: 'Kept apart' }))
  expectNoComplaints()
})
