import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { expect } from 'vitest'

import { axeFindings } from '../support/axe.ts'
import { comeToRest } from '../support/come-to-rest.ts'
import type { ShownWindow } from './state.ts'
import type { App } from './visit.ts'

/** Width and height of a PNG. */
const sizeOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)]

/** Sets the theme of all windows, and waits until the visible one is drawn. */
export async function paint({ app }: App, shown: Page, scheme: 'light' | 'dark'): Promise<void> {
  await app.evaluate(({ nativeTheme }, scheme) => void (nativeTheme.themeSource = scheme), scheme)
  await shown.waitForFunction((scheme) => matchMedia(`(prefers-color-scheme: ${scheme})`).matches, scheme)
  await comeToRest(shown)
}

/** Writes pictures of a state in both themes to a folder, each of the given size and not blank. */
export async function photograph(
  started: App,
  name: string,
  size: readonly [number, number],
  shown: ShownWindow,
  folder: string,
): Promise<void> {
  for (const scheme of ['dark', 'light'] as const) {
    await paint(started, shown.page, scheme)
    const png = await shown.picture()
    await writeFile(join(folder, `${name}-${scheme}.png`), png)
    expect(sizeOf(png), name).toStrictEqual([...size])
    expect(png.length, name).toBeGreaterThan(12_000)
  }
}

/**
 * What a state shows: of the main window its size, its markup without the numbers of React, what is scrolled and what is
 * filled in; of another one, which has pages in it, its picture. By it, two states that look alike are found.
 */
export async function contentOf({ page }: App, shown: ShownWindow): Promise<string> {
  if (shown.page !== page) return (await shown.picture()).toString('base64')
  return page.evaluate(() => {
    const ids = / (?:id|for|aria-(?:labelledby|describedby|controls|owns))="[^"]*"/g
    const states = [...document.querySelectorAll('*')].map((element) => [
      element.scrollTop,
      element.scrollLeft,
      'value' in element ? element.value : null,
    ])
    return JSON.stringify([innerWidth, innerHeight, document.body.innerHTML.replaceAll(ids, ''), states])
  })
}

/** What is wrong in the current theme: the findings of axe, and a page that scrolls as a whole. */
export async function findingsInTheme(shown: Page, scheme: 'light' | 'dark'): Promise<readonly string[]> {
  const overhang = await shown.evaluate(() => document.documentElement.scrollHeight - innerHeight)
  // The other theme can break colours alone.
  const found = await axeFindings(shown, scheme === 'dark' ? 'colours' : undefined)
  return [...found, ...(overhang === 0 ? [] : [`the page scrolls as a whole, by ${overhang} px`])].map(
    (finding) => `in ${scheme}: ${finding}`,
  )
}
