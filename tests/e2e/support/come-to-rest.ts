import type { Page } from 'playwright'

/** Waits until nothing moves, except for endless animations. */
export async function comeToRest(page: Page): Promise<void> {
  // A loop in the page: `waitForFunction` takes the promise of an asynchronous function for its answer "yes".
  await page.evaluate(async () => {
    let moving: readonly Animation[]
    do {
      // After two frames: an element that is drawn for the first time starts moving in the second one.
      for (const _frame of [1, 2]) await new Promise(requestAnimationFrame)
      moving = document
        .getAnimations()
        .filter(({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity)
      // Rejected for those that are cancelled.
      await Promise.allSettled(moving.map(({ finished }) => finished))
    } while (moving.length > 0)
  })
}
