import { join } from 'node:path'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'

import { screenStates } from './screens/all.ts'
import type { ScreenState } from './screens/state.ts'
import type { App } from './screens/visit.ts'
import { resize, settle, visit } from './screens/visit.ts'
import { aFolder, aFreePort, expectListener, startApp } from './support/app.ts'
import { axeFindings } from './support/axe.ts'
import { startHarbourWeekly, storyTitles } from './support/harbour-weekly.ts'
import { clippedIn, untranslatedIn } from './support/untranslated.ts'
import { unreachableIn } from './support/within-reach.ts'

/** Texts of people in the window and its library. */
const data = [
  ...storyTitles,
  'The quick brown fox jumps over the lazy dog',
  'no such thing',
  'People who work by the water are up before it is light, and so were we.',
  'The front page is frozen until Monday',
]

/** The narrowest that the window gets. */
const narrow = [760, 700] as const
const usual = [1280, 800] as const

/** Shows everything so many times as large, in a window of the usual size. */
async function zoom({ nativeWindow, page }: App, factor: number): Promise<void> {
  await nativeWindow.evaluate((shown, factor) => shown.webContents.setZoomFactor(factor), factor)
  await expect.poll(() => page.evaluate(() => innerWidth)).toBe(usual[0] / factor)
  await settle(page)
}

/** Sets the language of all windows, and waits until the visible one is drawn. */
async function speak(page: Page, language: 'en' | 'ru', shown: Page): Promise<void> {
  await page.evaluate((language) => window.galley.call('changeSettings', { language }), language)
  for (const each of [page, shown])
    await expect.poll(() => each.evaluate(() => document.documentElement.lang)).toBe(language)
}

/** Visits each state in English, and switches it to Russian there: only the texts change. */
async function expectRussian(started: App, library: string, states: readonly ScreenState[]): Promise<void> {
  const { page } = started
  const findings: string[] = []
  for (const state of states) {
    await visit(started, library, state, async (size, { page: shown }) => {
      await speak(page, 'ru', shown)
      for (const text of await untranslatedIn(shown, data)) findings.push(`${state.name} is English: ${text}`)
      for (const text of await clippedIn(shown)) findings.push(`${state.name} is cut off: ${text}`)
      for (const finding of await axeFindings(shown)) findings.push(`${state.name}: ${finding}`)
      await resize(started, narrow)
      for (const text of await clippedIn(shown)) findings.push(`${state.name} is cut off: ${text}`)
      await resize(started, usual)
      await zoom(started, 2)
      for (const text of await clippedIn(shown)) findings.push(`${state.name} is cut off when doubled: ${text}`)
      for (const text of await unreachableIn(shown))
        findings.push(`${state.name} is out of reach when doubled: ${text}`)
      await zoom(started, 1)
      await resize(started, size)
      await speak(page, 'en', shown)
    })
  }
  expect(findings).toStrictEqual([])
}

test(
  'every screen speaks Russian at once and has room for it, also at twice its size',
  { timeout: 600_000 },
  async () => {
    const started = await startHarbourWeekly()
    await expectRussian(
      started,
      started.library,
      // Reviews are walked through in Russian by a test of their own.
      screenStates.filter(({ name, isEmptyLibrary }) => isEmptyLibrary !== true && !name.startsWith('review')),
    )
    await started.close()
  },
)

test('so does the first run', { timeout: 120_000 }, async () => {
  const library = join(await aFolder(), 'library')
  const started = await startApp({ library, port: await aFreePort() })
  await expectListener(started.page, 'Listening')
  await expectRussian(
    started,
    library,
    screenStates.filter(({ isEmptyLibrary }) => isEmptyLibrary === true),
  )
  await started.close()
})
