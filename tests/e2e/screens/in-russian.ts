import type { Page } from 'playwright'

import { storyTitles } from '../support/harbour-weekly.ts'
import { clippedIn, untranslatedIn } from '../support/untranslated.ts'
import { unreachableIn } from '../support/within-reach.ts'
import type { App } from './visit.ts'
import { resize, settle, usual } from './visit.ts'

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

/** Zooms the content of a window of the usual size by this factor. */
async function zoom({ nativeWindow, page }: App, factor: number): Promise<void> {
  await nativeWindow.evaluate((shown, factor) => shown.webContents.setZoomFactor(factor), factor)
  await page.waitForFunction((width) => innerWidth === width, usual[0] / factor)
  await settle(page)
}

/** Sets the language of all windows, and waits until the visible one is drawn. */
async function speak(page: Page, language: 'en' | 'ru', shown: Page): Promise<void> {
  await page.evaluate((language) => window.galley.call('changeSettings', { language }), language)
  for (const each of new Set([page, shown]))
    await each.waitForFunction((language) => document.documentElement.lang === language, language)
}

/**
 * The problems of a state after switching to Russian: only the texts may change, and they must fit, also in a narrow
 * window and at twice their size. Restores the state.
 */
export async function findingsInRussian(
  started: App,
  size: readonly [number, number],
  shown: Page,
): Promise<readonly string[]> {
  const { page } = started
  const findings: string[] = []
  const found = (what: string, texts: readonly string[]) =>
    void findings.push(...texts.map((text) => `${what}: ${text}`))
  await speak(page, 'ru', shown)
  found('is English', await untranslatedIn(shown, data))
  found('is cut off', await clippedIn(shown))
  await resize(started, usual)
  await zoom(started, 2)
  found('is cut off when doubled', await clippedIn(shown))
  found('is out of reach when doubled', await unreachableIn(shown))
  await zoom(started, 1)
  await resize(started, narrow)
  found('is cut off when narrow', await clippedIn(shown))
  await resize(started, size)
  await speak(page, 'en', shown)
  return findings
}
