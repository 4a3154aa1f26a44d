import type { Page } from 'playwright'

/** Waits until nothing moves, except for endless animations. */
export async function comeToRest(page: Page): Promise<void> {
  // A loop in the page: `waitForFunction` takes the promise of an asynchronous function for its answer "yes".
  await page.evaluate(async () => {
    const moves = ({ playState, effect }: Animation): boolean =>
      playState === 'running' && effect?.getComputedTiming().endTime !== Infinity
    // Checked again in each turn, because `finished` never resolves for an animation in a closed `details`.
    do {
      // Two frames: an element that is drawn for the first time starts moving in the second one.
      for (const _frame of [1, 2]) await new Promise(requestAnimationFrame)
    } while (document.getAnimations().some(moves))
  })
}
