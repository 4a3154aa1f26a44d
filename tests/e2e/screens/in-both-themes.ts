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
async function paint({ app }: App, shown: Page, scheme: 'light' | 'dark'): Promise<void> {
  await app.evaluate(({ nativeTheme }, scheme) => void (nativeTheme.themeSource = scheme), scheme)
  await shown.waitForFunction((scheme) => matchMedia(`(prefers-color-scheme: ${scheme})`).matches, scheme)
  await comeToRest(shown)
}

/**
 * What a state shows: of the main window its size, its markup without the numbers of React, what is scrolled and what is
 * filled in; of another one, which has pages in it, its picture.
 */
async function contentOf({ page }: App, shown: ShownWindow): Promise<string> {
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

/**
 * Looks at a state in both themes. Returns its content, by which two states that look alike are found, and the findings of
 * axe. With a folder, writes pictures to it, each of the given size and not blank.
 */
export async function seenInBothThemes(
  started: App,
  name: string,
  size: readonly [number, number],
  shown: ShownWindow,
  folder: string | null,
): Promise<{ readonly content: string; readonly findings: readonly string[] }> {
  const findings: string[] = []
  for (const scheme of ['dark', 'light'] as const) {
    await paint(started, shown.page, scheme)
    if (folder !== null) {
      const png = await shown.picture()
      await writeFile(join(folder, `${name}-${scheme}.png`), png)
      expect(sizeOf(png), name).toStrictEqual([...size])
      expect(png.length, name).toBeGreaterThan(12_000)
    }
    const overhang = await shown.page.evaluate(() => document.documentElement.scrollHeight - innerHeight)
    expect(overhang, `${name} stands still as a whole`).toBe(0)
    const rules = scheme === 'dark' ? 'colours' : undefined
    for (const finding of await axeFindings(shown.page, rules)) findings.push(`in ${scheme}: ${finding}`)
  }
  return { content: await contentOf(started, shown), findings }
}
