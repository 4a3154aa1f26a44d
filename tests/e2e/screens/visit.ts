import type { Page } from 'playwright'
import { expect } from 'vitest'

import type { startApp } from '../support/app.ts'
import { disturbCalls, goOffline } from '../support/calls.ts'
import type { ScreenState, ShownWindow } from './state.ts'

export type App = Awaited<ReturnType<typeof startApp>>

const usual = [1280, 800] as const

/** Waits until the page has drawn itself for the size that it has now. */
export const settle = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  )

/** Gives the page of the window this size, and waits until it has it. */
export async function resize({ nativeWindow, page }: App, [width, height]: readonly [number, number]): Promise<void> {
  await nativeWindow.evaluate((shown, size) => shown.setContentSize(size.width, size.height), { width, height })
  await expect.poll(() => page.evaluate(() => [innerWidth, innerHeight])).toStrictEqual([width, height])
  await settle(page)
}

/** Has what comes and goes in the page do so at once: a picture could catch it halfway, drawn one frame late. */
async function hurry(page: Page): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Animation.enable')
  await session.send('Animation.setPlaybackRate', { playbackRate: 1000 })
  return () => session.detach()
}

/** Waits until nothing moves any more, but for what turns for ever. */
export async function comeToRest(page: Page): Promise<void> {
  await page.waitForFunction(async () => {
    // Two frames: what is drawn for the first time begins to move with the second one.
    for (const _frame of [1, 2]) await new Promise(requestAnimationFrame)
    const moving = document.getAnimations().filter(({ playState }) => playState === 'running')
    return moving.every(({ effect }) => effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY)
  })
}

/** Leads the window into a state, has it looked at, and takes away what would be in the way of the next. */
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
  // Thumbnails are drawn when they are first asked for.
  await shown.page.waitForFunction(() => [...document.images].every((image) => image.complete))
  await comeToRest(shown.page)
  await look(size, shown)
  await goOnline?.()
  await calmDown?.()
  await leave?.(page, { app, library })
  await takeTime()
}
