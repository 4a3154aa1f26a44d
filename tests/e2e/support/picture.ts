import type { Locator } from 'playwright'
import { expect } from 'vitest'

/** Waits until an image shows something. */
export async function expectDrawn(image: Locator): Promise<void> {
  await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThan(0)
}
