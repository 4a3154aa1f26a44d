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
 * Draws a state in both themes. Returns the picture in the dark theme, and the findings of axe. With a folder, writes
 * both pictures to it. Each picture has the given size and is not blank.
 */
export async function seenInBothThemes(
  started: App,
  name: string,
  size: readonly [number, number],
  shown: ShownWindow,
  folder: string | null,
): Promise<{ readonly picture: string; readonly findings: readonly string[] }> {
  let picture = ''
  const findings: string[] = []
  for (const scheme of ['dark', 'light'] as const) {
    await paint(started, shown.page, scheme)
    if (scheme === 'dark' || folder !== null) {
      const png = await shown.picture()
      if (folder !== null) await writeFile(join(folder, `${name}-${scheme}.png`), png)
      expect(sizeOf(png), name).toStrictEqual([...size])
      expect(png.length, name).toBeGreaterThan(12_000)
      if (scheme === 'dark') picture = png.toString('base64')
    }
    const overhang = await shown.page.evaluate(() => document.documentElement.scrollHeight - innerHeight)
    expect(overhang, `${name} stands still as a whole`).toBe(0)
    const rules = scheme === 'dark' ? 'colours' : undefined
    for (const finding of await axeFindings(shown.page, rules)) findings.push(`in ${scheme}: ${finding}`)
  }
  return { picture, findings }
}
