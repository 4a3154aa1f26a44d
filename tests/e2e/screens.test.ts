import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { screenStates } from './screens/all.ts'
import { contentOf, findingsInTheme, paint, photograph } from './screens/in-both-themes.ts'
import { findingsInOtherGuises } from './screens/in-russian.ts'
import type { ScreenState, ShownWindow } from './screens/state.ts'
import type { App } from './screens/visit.ts'
import { visit } from './screens/visit.ts'
import { aFolder, aFreePort, expectListener, startApp } from './support/app.ts'
import { startHarbourWeekly } from './support/harbour-weekly.ts'

// Pictures of the window with a realistic library. GALLEY_PICTURES is a folder for the pictures; if it is set, the run
// only takes pictures, like `npm run screens`. GALLEY_SCREENS limits the run to states whose names begin with one of
// these words, separated by commas.
const kept = process.env['GALLEY_PICTURES'] ?? null

/** The app with the window that shows a state in place of the main one. */
const ownWindow = async (started: App, { page }: ShownWindow): Promise<App> =>
  page === started.page ? started : { ...started, page, nativeWindow: await started.app.browserWindow(page) }

/** Visits the states: axe finds nothing in either theme, nothing is English in Russian, and no two look alike. */
async function expectGoodScreens(started: App, library: string, states: readonly ScreenState[]) {
  if (kept !== null) await mkdir(kept, { recursive: true })
  await paint(started, started.page, 'light')
  const findings: string[] = []
  const named = new Map<string, string[]>()
  for (const state of states) {
    const { name } = state
    await visit(started, library, state, async (size, shown) => {
      if (kept !== null) return photograph(started, name, size, shown, kept)
      const light = await findingsInTheme(shown.page, 'light')
      const content = await contentOf(started, shown)
      named.set(content, [...(named.get(content) ?? []), name])
      const others = await findingsInOtherGuises(started, await ownWindow(started, shown), size)
      findings.push(...[...light, ...others].map((finding) => `${name} ${finding}`))
    })
  }
  expect(findings).toStrictEqual([])
  expect(
    [...named.values()].filter((names) => names.length > 1),
    'look alike',
  ).toStrictEqual([])
}

test('every screen is good in light, in dark, in Russian, narrow and at twice its size', async () => {
  const started = await startHarbourWeekly()
  await expectGoodScreens(
    started,
    started.library,
    screenStates.filter(({ isEmptyLibrary }) => isEmptyLibrary !== true),
  )
  await started.close()
})

test('so is the first run', async () => {
  const library = join(await aFolder(), 'library')
  const started = await startApp({ library, port: await aFreePort() })
  await expectListener(started.page, 'Listening')
  await expectGoodScreens(
    started,
    library,
    screenStates.filter(({ isEmptyLibrary }) => isEmptyLibrary === true),
  )
  await started.close()
})
