import type { WebContents } from 'electron'

/**
 * Any id except 0 is an isolated world: its script can access the page's document, but not the page's scripts, and runs even
 * if the page must not run any.
 */
const isolatedWorld = 997

/** Waits until the page's scroll position differs from `y`, in its own pixels. */
const nextPosition = (y: number): string =>
  `scrollY === ${y} ? new Promise(done => addEventListener('scroll', () => done(scrollY), { once: true })) : scrollY`

/**
 * Overrides smooth scrolling of the page, which would lag behind. A position is a whole screen pixel divided by the zoom:
 * adding a hundredth prevents rounding down by a pixel.
 */
const scrollTo = (y: number): string => `scrollTo({ top: ${y + 0.01}, behavior: 'instant' })`

/** Scrolls a page to the position of another one. */
type Follow = (moved: WebContents, other: WebContents, y: number) => Promise<unknown>

const run = (page: WebContents, code: string): Promise<unknown> =>
  page.executeJavaScriptInIsolatedWorld(isolatedWorld, [{ code }])

/** Scrolls the other pages to the position of the one that a person scrolls, by pixels unless `followMoved` says otherwise. */
export function createScrollSync(
  pages: readonly WebContents[],
  isOnAtFirst = true,
  followMoved: Follow = (_moved, other, y) => run(other, scrollTo(y)),
) {
  let isOn = isOnAtFirst
  let moved: WebContents | null = null
  const loads = new Map<WebContents, number>()

  async function scrollOther(from: WebContents, y: number): Promise<void> {
    const others = pages.filter((page) => page !== from && !page.isDestroyed())
    await Promise.allSettled(others.map((page) => followMoved(from, page, y)))
  }

  /** Follows one load of a page until it is replaced. */
  async function follow(page: WebContents, load: number): Promise<void> {
    let y = 0
    for (;;) {
      // A page that closes ends the waiting.
      const position = await run(page, nextPosition(y)).catch(() => null)
      if (typeof position !== 'number' || loads.get(page) !== load) return
      y = position
      if (isOn && page === moved) await scrollOther(page, y)
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
      const from = moved
      void run(from, 'scrollY').then(
        (y) => scrollOther(from, Number(y)),
        () => undefined,
      )
    },
  }
}
