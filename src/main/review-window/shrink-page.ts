import { setImmediate as nextTurn } from 'node:timers/promises'
import type { WholePage } from '@galley/library'
import { nativeImage } from 'electron'

import type { CapturedPage } from '../review/compare-pictures.ts'

/** Wide enough to read the text of a page of 1,280 pixels. */
const reportWidth = 800
const jpegQuality = 70

/** Makes the pictures of a page small enough for a report. The last ones overlap, because a page ends where it cannot scroll. */
export async function shrinkPage({ height, slices, layer, isCut }: CapturedPage): Promise<WholePage> {
  const shrunk: string[] = []
  let shown = 0
  for (const [at, { top, png }] of slices.entries()) {
    // What does not scroll is shown on the first screen.
    const picture = nativeImage.createFromBuffer(Buffer.from(at === 0 && layer !== null ? layer.png : png))
    const { width, height: rows } = picture.getSize()
    const end = Math.min(height, top + rows)
    if (end > shown) {
      // In one step, these would keep the main thread too long.
      await nextTurn()
      const part = picture.crop({ x: 0, y: shown - top, width, height: end - shown }).resize({ width: reportWidth })
      await nextTurn()
      shrunk.push(part.toJPEG(jpegQuality).toString('base64'))
      shown = end
    }
    await nextTurn()
  }
  return { slices: shrunk, isCut }
}
