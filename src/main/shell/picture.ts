import { writeFile } from 'node:fs/promises'
import { withTimeLimit } from '@galley/platform'
import type { BrowserWindow } from 'electron'

/** A page that keeps changing is captured after this time. */
const settlesWithinMs = 15_000

/**
 * Runs in the page: resolves when everything is loaded, every image in view is decoded, and two frames have been drawn
 * since. A string, because main has no DOM types.
 */
const settled = `(async () => {
  const frame = () => new Promise(requestAnimationFrame)
  const isInView = (image) => {
    const { top, left, bottom, right } = image.getBoundingClientRect()
    return bottom >= 0 && right >= 0 && top <= innerHeight && left <= innerWidth && image.checkVisibility()
  }
  const isReading = () =>
    document.querySelector('#root > *') === null ||
    document.querySelector('[data-loading]') !== null ||
    [...document.images].some((image) => isInView(image) && !image.complete)
  await document.fonts.ready
  for (let quietTurns = 0; quietTurns < 2; quietTurns += 1) {
    await frame()
    if (isReading()) quietTurns = -1
    // Broken images count as loaded.
    else await Promise.allSettled([...document.images].filter(isInView).map((image) => image.decode()))
  }
})()`

/** Writes a screenshot of the settled window as PNG, for computers without a display. */
export async function takePicture(window: BrowserWindow, file: string): Promise<void> {
  if (!window.isVisible()) await new Promise<void>((resolve) => window.once('show', () => resolve()))
  await withTimeLimit(settlesWithinMs, window.webContents.executeJavaScript(settled), undefined)
  const image = await window.webContents.capturePage()
  await writeFile(file, image.toPNG())
}
