import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { aFolder, aFreePort, expectListener, inGrid, startApp } from './support/app.ts'
import { fillLibrary } from './support/harbour-weekly.ts'

/** Width and height of a PNG. */
const sizeOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)]

// Pictures of the window with a library in use, to be looked at. GALLEY_PICTURES names the folder they are left in;
// docs/screens/materials.png is its materials-light.png.
test('the window can be looked at, in light and in dark', { timeout: 90_000 }, async () => {
  const folder = process.env['GALLEY_PICTURES'] ?? join(await aFolder(), 'pictures')
  await mkdir(folder, { recursive: true })
  const port = await aFreePort()
  const library = join(await aFolder(), 'library')
  const { chosen, environment } = await fillLibrary(library, port, 'picture secret')
  const { app, page, close } = await startApp({ library, port, environment })
  await expectListener(page, 'Listening')

  const take = async (name: string): Promise<Buffer> => {
    await page.mouse.move(640, 799)
    await page.waitForTimeout(300)
    const file = join(folder, `${name}.png`)
    await page.screenshot({ path: file })
    return readFile(file)
  }
  const views = page.getByRole('navigation', { name: 'Views' })
  const pictures = new Map<string, Buffer>()
  for (const scheme of ['light', 'dark'] as const) {
    await app.evaluate(({ nativeTheme }, scheme) => void (nativeTheme.themeSource = scheme), scheme)
    await views.getByRole('button', { name: /Materials/ }).click()
    await page
      .getByRole('navigation', { name: 'Sites' })
      .getByRole('button', { name: /Harbour Weekly/ })
      .click()
    await inGrid(page, 'Materials').filter({ hasText: chosen }).click()
    await expect.poll(() => inGrid(page, 'Versions').count()).toBe(5)
    await page.getByRole('tab', { name: 'Summary' }).click()
    pictures.set(`materials-${scheme}`, await take(`materials-${scheme}`))
    await page.getByRole('tab', { name: 'Media' }).click()
    pictures.set(`media-${scheme}`, await take(`media-${scheme}`))
    await views.getByRole('button', { name: /Callbacks/ }).click()
    await inGrid(page, 'Callbacks').filter({ hasText: 'Refused' }).click()
    pictures.set(`callbacks-${scheme}`, await take(`callbacks-${scheme}`))
    await views.getByRole('button', { name: /Fonts/ }).click()
    await inGrid(page, 'Fonts').first().click()
    pictures.set(`fonts-${scheme}`, await take(`fonts-${scheme}`))
  }
  await page.getByRole('button', { name: 'Add site' }).first().click()
  pictures.set('add-site-dark', await take('add-site-dark'))

  for (const [name, png] of pictures) {
    expect(sizeOf(png), name).toStrictEqual([1280, 800])
    expect(png.length, name).toBeGreaterThan(15_000)
  }
  const distinct = new Set(Array.from(pictures.values(), (png) => png.toString('base64')))
  expect(distinct.size).toBe(pictures.size)
  await close()
})
