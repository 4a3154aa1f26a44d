import { join } from 'node:path'
import type { ElectronApplication } from 'playwright'
import { afterEach } from 'vitest'

import { aFolder, aFreePort, expectListener, startApp } from './app.ts'
import { atEnd, shared } from './at-end.ts'
import type { SavedPage } from './review.ts'
import { isReview, libraryOf } from './review.ts'

/** Closes all reviews with their pages. */
export async function closeReviews(app: ElectronApplication): Promise<void> {
  for (const frame of app.windows().filter((page) => isReview(page))) {
    const closed = frame.waitForEvent('close')
    const nativeWindow = await app.browserWindow(frame)
    await nativeWindow.evaluate((shown) => shown.close())
    await closed
  }
}

/**
 * One window on these materials for the tests of a file, each with a material of its own. After each test its reviews are
 * closed, and settings are as they were.
 */
export function sharedReviews(
  materials: (port: number) => Readonly<Record<string, readonly SavedPage[]>>,
  fonts?: Parameters<typeof libraryOf>[3],
) {
  const opened: Awaited<ReturnType<typeof startApp>>[] = []
  const started = shared(async () => {
    const port = await aFreePort()
    const library = join(await aFolder(), 'library')
    const { environment, versions, save } = await libraryOf(library, port, materials(port), fonts)
    const window = await startApp({ library, port, environment })
    atEnd(window.close)
    opened.push(window)
    await expectListener(window.page, 'Listening')
    return {
      ...window,
      library,
      save,
      versionsOf: (materialId: string): readonly string[] => versions[materialId] ?? [],
    }
  })
  afterEach(async () => {
    for (const { app, page } of opened) {
      await closeReviews(app)
      await page.evaluate(() => window.galley.call('changeSettings', { language: 'en', shortcuts: {} }))
    }
  })
  return started
}
