import { withTimeLimit } from '@galley/platform'
import type { BrowserWindow } from 'electron'

/** How long each of the two steps may delay the start, in case the page cannot be drawn. */
const limitMs = 3_000

/** Runs in the page: resolves when the page has content and is idle. A string, because main has no DOM types. */
const filled = `new Promise((resolve) => {
  const root = document.getElementById('root')
  const rest = () => requestIdleCallback(resolve, { timeout: 1000 })
  if (root.firstChild !== null) return rest()
  new MutationObserver((_changes, observer) => {
    observer.disconnect()
    rest()
  }).observe(root, { childList: true })
})`

async function whenFilled(window: BrowserWindow): Promise<void> {
  try {
    await window.webContents.executeJavaScript(filled)
  } catch {
    // The page's process ended, or the window closed. Both are handled elsewhere.
  }
}

/** `painted`: the window can be shown. `drawn`: its page has drawn the first screen. Both also resolve at their time limit. */
export function firstScreenOf(window: BrowserWindow, readyToShow: Promise<unknown>) {
  const painted = withTimeLimit(limitMs, readyToShow, undefined)
  return { painted, drawn: painted.then(() => withTimeLimit(limitMs, whenFilled(window), undefined)) }
}
