import type { ElectronApplication } from 'playwright'
import { expect } from 'vitest'

import type { VersionRow } from '../../../packages/library/views/versions.ts'
import { inGrid } from './app.ts'
import { pageIsSeen } from './desk.ts'
import { headings, isReview, pagesUnderReview } from './review.ts'
import { aPage } from './service.ts'
import { startSiteWindow } from './site-window.ts'

/** Longer than any value that is shown as a whole. */
export const long = 'A tide of words. '.repeat(5000)

/** One material with three versions, whose states contain every kind of value; the timeline is open. */
export async function startThreeVersions() {
  const press = await startSiteWindow()
  const { page, save, versions } = press
  for (const heading of ['First ferry', 'Second ferry', 'Third ferry']) {
    const state = {
      heading,
      long,
      list: Array.from({ length: 250 }, (_, at) => at),
      size: 1.5,
      isOn: true,
      none: null,
      assets: {},
    }
    const content = { ...aPage(heading), state, user_email: `${heading.split(' ')[0]?.toLowerCase()}@press.example` }
    expect(await save('stories/ferry', content)).toMatchObject({ result: 'merged' })
  }
  await inGrid(page, 'Materials').filter({ hasText: 'stories/ferry' }).dblclick()
  const timeline = inGrid(page, 'Versions')
  await expect.poll(() => timeline.count()).toBe(3)
  const [third, second, first] = await versions('stories/ferry')
  if (!third || !second || !first) throw new Error('Three versions were saved')
  const version = async (versionId: string): Promise<VersionRow | undefined> =>
    (await versions('stories/ferry')).find((row) => row.versionId === versionId)
  return { ...press, timeline, third, second, first, version }
}

/** Runs an action that opens a review window, waits for these headings, side by side if there are two, and closes the window. */
export async function expectReview(
  app: ElectronApplication,
  open: () => Promise<void>,
  expected: readonly string[],
): Promise<void> {
  const shown = pagesUnderReview(app)
  const known = new Set(app.windows())
  await open()
  await expect.poll(() => headings(shown)).toStrictEqual(expected.slice(-1))
  // Playwright hears of a window and of its address after main has shown its pages.
  const opened = () => app.windows().filter((window) => !known.has(window) && isReview(window))
  await expect.poll(opened).toHaveLength(1)
  for (const window of opened()) {
    await pageIsSeen(window)
    if (expected.length === 2) await window.keyboard.press('2')
    await expect.poll(() => headings(shown)).toStrictEqual(expected)
    await window.close()
  }
  await expect.poll(() => headings(shown)).toStrictEqual([])
}
