import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'

import { addSite } from './support/add-site.ts'
import { aFolder, aFreePort, chooseInSwitcher, expectListener, goTo, inGrid, startApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { chooseInMenu, tabOnto, tabTo } from './support/keyboard.ts'
import { aPage, startEmulator } from './support/service.ts'

const secret = 'secret of the letters'

const variableSans = readFile(new URL('../../resources/demo/inter-latin.woff2', import.meta.url))
const typewriter = readFile(
  createRequire(import.meta.url).resolve(
    '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
  ),
)

const face = (family: string, file: string, more: string): string =>
  `@font-face{font-family:"${family}";${more};src:url(dummy-${file}) format("woff2")}`

/** A window on a site with two font sets, and two pages that name families. */
async function startFonts() {
  const emulator = await startEmulator({ secret })
  const port = await aFreePort()
  const library = join(await aFolder(), 'library')
  const environment = { GALLEY_SECRETS: 'env', GALLEY_SECRET_HARBOUR: secret }
  const callbackUrl = `http://127.0.0.1:${port}/callback/harbour`
  await addSite(library, environment, emulator, { id: 'harbour', name: 'Harbour', callbackUrl })
  const started = await startApp({ library, port, environment })
  await expectListener(started.page, 'Listening')
  await chooseInSwitcher(started.page, /Harbour/)
  const sans = (await variableSans).toString('base64')
  const mono = (await typewriter).toString('base64')
  const sendFonts = async (css: string, files: Readonly<Record<string, string>>): Promise<string> => {
    const { result, snapshot_id: id } = await emulator.saveFonts(callbackUrl, { files, css })
    expect(result).toBe('merged')
    return id ?? ''
  }
  const first = await sendFonts(
    face('Quay Mono', 'mono.woff2', 'font-weight:400') + face('Inter', 'sans.woff2', 'font-weight:100 900'),
    { 'mono.woff2': mono, 'sans.woff2': sans },
  )
  const second = await sendFonts(
    face('Quay Mono', 'mono.woff2', 'font-weight:400') +
      face('Inter', 'sans.woff2', 'font-weight:100 900') +
      face('Inter', 'broken.woff2', 'font-weight:400;font-style:italic') +
      face('Harbour Slab', 'slab.woff2', 'font-weight:700'),
    { 'mono.woff2': mono, 'sans.woff2': sans, 'broken.woff2': btoa('no font'), 'spare.woff2': sans },
  )
  for (const [id, family] of [
    ['stories/quay', 'Quay Mono'],
    ['stories/pier', 'Nowhere Sans'],
  ] as const) {
    const { fingerprint } = await emulator.openPastGalley(id, callbackUrl)
    const page = aPage(`In ${family}`)
    const html = `<style>h1 { font: 600 2rem "${family}", serif }</style>${page.html}`
    expect(await emulator.save(fingerprint, { ...page, html })).toMatchObject({ result: 'merged' })
  }
  return { ...started, first, second, origin: `http://127.0.0.1:${port}`, sendFonts }
}

const sampleOf = (page: Page, family: string) =>
  page.getByRole('region', { name: family }).getByRole('listitem').first().locator('[style]')

/** The fonts of a sample, and the width of its letters. */
const drawnWith = (page: Page, family: string) =>
  sampleOf(page, family).evaluate((sample) => {
    const letters = document.createRange()
    letters.selectNodeContents(sample)
    const style = getComputedStyle(sample)
    const name = style.fontFamily.replaceAll('"', '')
    return {
      name,
      weight: style.fontWeight,
      size: style.fontSize,
      width: letters.getBoundingClientRect().width,
      isLoaded: [...document.fonts].some((font) => font.family === name && font.status === 'loaded'),
    }
  })

test('font sets by mouse and by keyboard alone', async () => {
  const { app, page, close, first, second, origin, sendFonts } = await startFonts()
  await goTo(page, 'Fonts')
  const sets = inGrid(page, 'Fonts')
  await expect.poll(() => sets.count()).toBe(2)
  await expect.poll(() => sets.nth(0).textContent()).toContain('In use')
  await expect.poll(() => sets.nth(1).textContent()).not.toContain('In use')
  await sets.filter({ hasText: second }).click()

  // Specimens are drawn with the stored files: a typewriter's letters are as wide as each other.
  await page.getByRole('tab', { name: 'Specimens' }).click()
  const text = page.getByLabel('Sample text')
  await sampleOf(page, 'Inter').waitFor()
  await expect.poll(() => sampleOf(page, 'Inter').textContent()).toBe('The quick brown fox jumps over the lazy dog')
  // A face without Cyrillic keeps a sample that is its own in Russian too.
  await page.evaluate(() => window.galley.call('changeSettings', { language: 'ru' }))
  await page.getByText('Насыщенность 100–900 · прямое').waitFor()
  await expect.poll(() => sampleOf(page, 'Inter').textContent()).toBe('The quick brown fox jumps over the lazy dog')
  await page.evaluate(() => window.galley.call('changeSettings', { language: 'en' }))
  await page.getByText('Weight 100–900 · normal').waitFor()
  await text.fill('iiii')
  await sampleOf(page, 'Quay Mono').waitFor()
  const narrow = await drawnWith(page, 'Quay Mono')
  const sha256 = createHash('sha256')
    .update(await typewriter)
    .digest('hex')
  expect(narrow).toMatchObject({ isLoaded: true, size: '28px', weight: '400' })
  expect(narrow.name).toContain(sha256)
  const narrowSans = await drawnWith(page, 'Inter')
  await text.fill('MMMM')
  expect((await drawnWith(page, 'Quay Mono')).width).toBeCloseTo(narrow.width, 1)
  expect((await drawnWith(page, 'Inter')).width).toBeGreaterThan(narrowSans.width * 2)
  await page.getByRole('slider', { name: 'Weight 400' }).press('End')
  await expect.poll(() => drawnWith(page, 'Inter')).toMatchObject({ weight: '900' })
  await expect
    .poll(() => drawnWith(page, 'Quay Mono'), { message: 'a face of one weight stays' })
    .toMatchObject({ weight: '400' })
  await page.getByRole('slider', { name: 'Size 28 px' }).press('Home')
  await expect.poll(() => drawnWith(page, 'Inter')).toMatchObject({ size: '12px' })
  const quay = page.getByRole('region', { name: 'Quay Mono' })
  const lacking = quay.getByText('This font doesn’t have all of these characters')
  await expect.poll(() => lacking.count()).toBe(0)
  await text.fill('Mж')
  await lacking.waitFor()
  await page.getByRole('region', { name: 'Inter' }).getByText('isn’t a readable font').waitFor()
  await page.getByRole('region', { name: 'Harbour Slab' }).getByText('The set has no file for this face').waitFor()
  await expectAccessible(page)

  // Its files, their problems, and the URL for pages.
  await page.getByRole('tab', { name: 'Files' }).click()
  const files = page.getByRole('list', { name: 'Font files' }).getByRole('listitem')
  await expect.poll(() => files.count()).toBe(4)
  await expect
    .poll(() => files.filter({ hasText: 'Not in the CSS' }).allTextContents())
    .toEqual([expect.stringMatching(/^spare\.woff2/)])
  const toLookAt = page.getByRole('list', { name: 'Issues' })
  await toLookAt.getByText('Faces without a file: Harbour Slab.').waitFor()
  await toLookAt.getByText('The fonts CSS refers to slab.woff2').waitFor()
  const copied = () => app.evaluate(({ clipboard }) => clipboard.readText())
  await page.getByRole('button', { name: 'Copy address' }).first().click()
  await expect.poll(copied).toBe(`${origin}/fonts/harbour/${second}/vms_fonts.css`)
  expect(await (await fetch(await copied())).text()).toContain(`/fonts/harbour/${second}/sans.woff2`)

  // Faces with their pages, unused faces, and missing ones.
  await page.getByRole('tab', { name: 'Usage' }).click()
  await page.getByText('2 current pages analysed.').waitFor()
  const usage = page.getByRole('tabpanel')
  const usersOfQuay = page.getByRole('list', { name: 'Materials that use Quay Mono · Weight 400 · normal' })
  await usersOfQuay.getByRole('button').waitFor()
  const mono = usage.getByRole('region', { name: 'Quay Mono' })
  // Its heading requires a weight that the set lacks, and is shown in the existing one.
  await expect
    .poll(() => mono.textContent())
    .toMatch(/Weight 400 · normal1 material.*Weight 600 · normalMissing1 material/)
  await expect.poll(() => usage.getByText('Unused', { exact: true }).count()).toBe(3)
  const missing = usage.locator('section').filter({ hasText: 'Used by pages but not in the set' })
  await expect.poll(() => missing.textContent()).toMatch(/Nowhere SansMissing1 material/)

  // The differences from the previous set.
  await page.getByRole('tab', { name: 'Differences' }).click()
  const difference = page.getByRole('tabpanel')
  await difference.getByRole('heading', { name: '2 faces added' }).waitFor()
  await page.getByRole('tab', { name: 'CSS' }).click()
  await page.getByRole('tabpanel').getByText('font-family:"Harbour Slab"').waitFor()

  // The same by keys: the older set, its faces, its address, its users, and back.
  await page.keyboard.press('Control+2')
  await page.keyboard.press('Control+4')
  await tabOnto(page.getByRole('grid', { name: 'Fonts' }))
  await page.keyboard.press('End')
  await expect.poll(() => sets.nth(1).getAttribute('aria-selected')).toBe('true')
  await page.keyboard.press('Shift+F10')
  await chooseInMenu(page, 'Copy CSS address')
  await expect.poll(copied).toBe(`${origin}/fonts/harbour/${first}/vms_fonts.css`)
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await page.keyboard.press('Enter')
  await tabTo(page, 'Specimens')
  await expect.poll(async () => (await drawnWith(page, 'Quay Mono')).isLoaded).toBe(true)
  await page.keyboard.press('ArrowRight')
  await page.getByRole('list', { name: 'Font files' }).getByText('mono.woff2').waitFor()
  await page.keyboard.press('ArrowRight')
  await usersOfQuay.waitFor()
  await page.keyboard.press('ArrowRight')
  await difference.getByRole('heading', { name: '2 faces removed' }).waitFor()
  await page.keyboard.press('ArrowLeft')
  const user = usersOfQuay.getByRole('button')
  await user.waitFor()
  await tabTo(page, (await user.textContent()) ?? '')
  await page.keyboard.press('Enter')
  await inGrid(page, 'Versions').first().waitFor()
  await page.keyboard.press('Alt+ArrowLeft')
  await expect.poll(() => sets.nth(1).getAttribute('aria-selected')).toBe('true')

  // A new set appears at once, and the selected one stays.
  const third = await sendFonts(face('Inter', 'sans.woff2', 'font-weight:400'), {
    'sans.woff2': (await variableSans).toString('base64'),
  })
  await sets.filter({ hasText: third }).waitFor()
  await expect.poll(() => sets.nth(2).getAttribute('aria-selected')).toBe('true')
  await close()
})
