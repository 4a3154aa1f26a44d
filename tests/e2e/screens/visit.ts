import type { Page } from 'playwright'

import type { startApp } from '../support/app.ts'
import { disturbCalls, goOffline } from '../support/calls.ts'
import { comeToRest } from '../support/come-to-rest.ts'
import type { ScreenState, ShownWindow } from './state.ts'

export type App = Awaited<ReturnType<typeof startApp>>

export const usual = [1280, 800] as const

/** Waits until the page has drawn itself for the size that it has now. */
const settle = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  )

/** Sets the size of the window's page and the zoom of its content, unless it has them, and waits until it is drawn. */
export async function resize(
  { nativeWindow, page }: App,
  [width, height]: readonly [number, number],
  zoom = 1,
): Promise<void> {
  const size = [width / zoom, height / zoom] as const
  const has = await page.evaluate(() => [innerWidth, innerHeight] as const)
  if (has[0] === size[0] && has[1] === size[1]) return
  await nativeWindow.evaluate(
    (shown, { width, height, zoom }) => {
      shown.webContents.setZoomFactor(zoom)
      shown.setContentSize(width, height)
    },
    { width, height, zoom },
  )
  await page.waitForFunction(([width, height]) => innerWidth === width && innerHeight === height, size)
  await settle(page)
}

/** Disables transitions in the page: a picture could show them halfway, drawn one frame late. */
async function hurry(page: Page): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Animation.enable')
  await session.send('Animation.setPlaybackRate', { playbackRate: 1000 })
  return () => session.detach()
}

/** Opens a state of the window, checks it, and removes what would disturb the next one. */
export async function visit(
  started: App,
  library: string,
  { show, leave, calls, isOffline = false, size = usual }: ScreenState,
  look: (size: readonly [number, number], shown: ShownWindow) => Promise<void>,
): Promise<void> {
  const { app, page } = started
  await resize(started, size)
  const calmDown = calls && (await disturbCalls(app, calls))
  const goOnline = isOffline ? await goOffline(page) : null
  const takeTime = await hurry(page)
  const shown = (await show(page, { app, library })) ?? { page, picture: () => page.screenshot() }
  await shown.page.mouse.move(size[0] / 2, size[1] - 1)
  // Thumbnails are drawn on the first request, and those further down in a list are not requested before they are seen.
  await shown.page.waitForFunction(() =>
    [...document.images].every((image) => {
      image.loading = 'eager'
      return image.complete
    }),
  )
  // A task says that it has finished if it took long, which is the machine's doing.
  const finished = shown.page.locator('[data-toast]').filter({ hasText: / finished/ })
  await finished.getByRole('button', { name: 'Dismiss' }).evaluateAll((buttons: HTMLElement[]) => {
    for (const button of buttons) button.click()
  })
  await comeToRest(shown.page)
  await look(size, shown)
  await goOnline?.()
  await calmDown?.()
  await leave?.(page, { app, library })
  await takeTime()
}
