import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'

import { screenStates } from './screens/all.ts'
import type { ScreenState } from './screens/state.ts'
import type { App } from './screens/visit.ts'
import { comeToRest, visit } from './screens/visit.ts'
import { aFolder, aFreePort, expectListener, startApp } from './support/app.ts'
import { axeFindings } from './support/axe.ts'
import { startHarbourWeekly } from './support/harbour-weekly.ts'

/** Width and height of a PNG. */
const sizeOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)]

/** Sets the theme of all windows, and waits until the visible one is drawn. */
async function paint({ app }: App, shown: Page, scheme: 'light' | 'dark'): Promise<void> {
  await app.evaluate(({ nativeTheme }, scheme) => void (nativeTheme.themeSource = scheme), scheme)
  await shown.waitForFunction((scheme) => matchMedia(`(prefers-color-scheme: ${scheme})`).matches, scheme)
  await comeToRest(shown)
}

/** Visits the states and checks each in both themes: axe finds nothing, and no two pictures are equal. */
async function expectGoodPictures(started: App, library: string, states: readonly ScreenState[]) {
  const folder = process.env['GALLEY_PICTURES'] ?? join(await aFolder(), 'pictures')
  await mkdir(folder, { recursive: true })
  const findings: string[] = []
  const pictures = new Map<string, string>()
  for (const state of states) {
    const { name } = state
    await visit(started, library, state, async (size, shown) => {
      for (const scheme of ['dark', 'light'] as const) {
        await paint(started, shown.page, scheme)
        const png = await shown.picture()
        await writeFile(join(folder, `${name}-${scheme}.png`), png)
        expect(sizeOf(png), name).toStrictEqual([...size])
        expect(png.length, name).toBeGreaterThan(12_000)
        const overhang = await shown.page.evaluate(() => document.documentElement.scrollHeight - innerHeight)
        expect(overhang, `${name} stands still as a whole`).toBe(0)
        pictures.set(`${name}-${scheme}`, png.toString('base64'))
        const rules = scheme === 'dark' ? 'colours' : undefined
        for (const finding of await axeFindings(shown.page, rules)) findings.push(`${name} in ${scheme}: ${finding}`)
      }
    })
  }
  expect(findings).toStrictEqual([])
  expect(new Set(pictures.values()).size, 'each looks different').toBe(pictures.size)
}

// Pictures of the window with a library in use, to be looked at. GALLEY_PICTURES names the folder they are left in, as
// `npm run screens` does; GALLEY_SCREENS, words with commas, limits the run to states whose names begin with one.

test(
  'every screen can be looked at in light and in dark, and axe finds nothing on it',
  { timeout: 600_000 },
  async () => {
    const started = await startHarbourWeekly()
    await expectGoodPictures(
      started,
      started.library,
      screenStates.filter(({ isEmptyLibrary }) => isEmptyLibrary !== true),
    )
    await started.close()
  },
)

test('so can the first run', { timeout: 120_000 }, async () => {
  const library = join(await aFolder(), 'library')
  const started = await startApp({ library, port: await aFreePort() })
  await expectListener(started.page, 'Listening')
  await expectGoodPictures(
    started,
    library,
    screenStates.filter(({ isEmptyLibrary }) => isEmptyLibrary === true),
  )
  await started.close()
})
