import type { Page } from 'playwright'

import { comeToRest } from '../support/come-to-rest.ts'
import { storyTitles } from '../support/harbour-weekly.ts'
import { clippedIn, untranslatedIn } from '../support/untranslated.ts'
import { unreachableIn } from '../support/within-reach.ts'
import { technicalIn } from './for-editors.ts'
import { findingsInTheme } from './in-both-themes.ts'
import type { App } from './visit.ts'
import { resize, usual } from './visit.ts'

/** Texts that people have written, in the window and in its library. */
const data = [
  ...storyTitles,
  'The quick brown fox jumps over the lazy dog',
  'no such thing',
  'People who work by the water are up before it is light, and so were we.',
  'We stayed for 5 days, in a room over the quay that costs 30 marks. Bring a coat, small change, and more time th',
  'The ferry returns',
  'Market at nine',
  'The front page is frozen until Monday',
  'Is this still the headline? The front page says “two days”.',
  'Please take the word out before it goes online.',
  'Draft 3',
  'Corrected: the market opens at nine, not at eight.',
  'Say which market: there are two, and the one by the pier closed in October.',
]

/** The narrowest that the window gets. */
const narrow = [760, 700] as const

/** Sets theme and language of all windows in one step, and whether they show what is for developers; waits until the visible one is drawn. */
async function turn(
  { app, page }: App,
  shown: Page,
  scheme: 'light' | 'dark',
  settings: { readonly language: 'en' | 'ru'; readonly isForDevelopers: boolean },
): Promise<void> {
  await Promise.all([
    app.evaluate(({ nativeTheme }, scheme) => void (nativeTheme.themeSource = scheme), scheme),
    page.evaluate((settings) => window.galley.call('changeSettings', settings), settings),
  ])
  for (const each of new Set([page, shown]))
    await each.waitForFunction(
      ({ scheme, language }) =>
        document.documentElement.lang === language && matchMedia(`(prefers-color-scheme: ${scheme})`).matches,
      { scheme, language: settings.language },
    )
  await comeToRest(shown)
}

/**
 * The problems of a state in its other guises. Dark and in Russian: only colours and texts may change, and the texts must
 * fit, also in a narrow window and at twice their size. Then for an editor: nothing technical is shown. `started`: with
 * the window that shows the state; `main`: with the main one. Restores the state.
 */
export async function findingsInOtherGuises(
  main: App,
  started: App,
  size: readonly [number, number],
): Promise<readonly string[]> {
  const shown = started.page
  const findings: string[] = []
  const found = (what: string, texts: readonly string[]) =>
    void findings.push(...texts.map((text) => `${what}: ${text}`))
  await turn(main, shown, 'dark', { language: 'ru', isForDevelopers: true })
  findings.push(...(await findingsInTheme(shown, 'dark')))
  found('is English', await untranslatedIn(shown, data))
  found('is cut off', await clippedIn(shown))
  await resize(started, usual, 2)
  found('is cut off when doubled', await clippedIn(shown))
  found('is out of reach when doubled', await unreachableIn(shown))
  await resize(started, narrow)
  found('is cut off when narrow', await clippedIn(shown))
  await resize(started, size)
  await turn(main, shown, 'light', { language: 'en', isForDevelopers: false })
  found('is for developers', await technicalIn(shown))
  await turn(main, shown, 'light', { language: 'en', isForDevelopers: true })
  return findings
}
