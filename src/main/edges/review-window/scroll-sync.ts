import type { WebContents } from 'electron'

/**
 * Any number but 0 is a world of our own: its script sees the page's document and nothing of the page's script, and runs
 * though the page itself may run none.
 */
const ownWorld = 997

/** Waits for the page to stand elsewhere than at `y`, in its own pixels. */
const nextPosition = (y: number): string =>
  `scrollY === ${y} ? new Promise(done => addEventListener('scroll', () => done(scrollY), { once: true })) : scrollY`

/**
 * The page's own wish to scroll smoothly would have it lag behind. A position is a whole pixel of the screen divided by the zoom: a
 * hundredth more keeps the rounding of that from ending a pixel above.
 */
const scrollTo = (y: number): string => `scrollTo({ top: ${y + 0.01}, behavior: 'instant' })`

/** Scrolls the pages beside the one that a person moves to the same height. */
export function createScrollSync(pages: readonly WebContents[]) {
  let isOn = true
  let moved: WebContents | null = null
  const loads = new Map<WebContents, number>()

  const run = (page: WebContents, code: string): Promise<unknown> =>
    page.executeJavaScriptInIsolatedWorld(ownWorld, [{ code }])

  async function bringAlong(y: number): Promise<void> {
    const others = pages.filter((page) => page !== moved && !page.isDestroyed())
    await Promise.allSettled(others.map((page) => run(page, scrollTo(y))))
  }

  /** Follows one load of a page until it is replaced. */
  async function follow(page: WebContents, load: number): Promise<void> {
    let y = 0
    for (;;) {
      // A page that goes away in the middle ends the waiting.
      const position = await run(page, nextPosition(y)).catch(() => null)
      if (typeof position !== 'number' || loads.get(page) !== load) return
      y = position
      if (isOn && page === moved) await bringAlong(y)
    }
  }

  for (const page of pages) {
    page.on('input-event', () => {
      moved = page
    })
    page.on('dom-ready', () => {
      const load = (loads.get(page) ?? 0) + 1
      loads.set(page, load)
      void follow(page, load)
    })
  }

  return {
    turn(on: boolean): void {
      isOn = on
      if (!on || moved === null || moved.isDestroyed()) return
      void run(moved, 'scrollY').then(
        (y) => bringAlong(Number(y)),
        () => undefined,
      )
    },
  }
}
