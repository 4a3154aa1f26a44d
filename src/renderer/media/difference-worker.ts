import { compareBitmaps } from '@galley/compare'
import type { Bitmap } from '@galley/compare'

import type { Difference } from './difference.ts'

// Compares two pictures in a worker, so that the window stays responsive.

const marked = [0xe6, 0x00, 0x7a, 0xff]

globalThis.addEventListener(
  'message',
  ({ data: [before, after] }: MessageEvent<readonly [ImageBitmap, ImageBitmap]>) => {
    const { width, height, changed, mask } = compareBitmaps(pixelsOf(before), pixelsOf(after))
    const drawn = new ImageData(width, height)
    for (const [at, differs] of mask.entries()) if (differs === 1) drawn.data.set(marked, at * 4)
    const canvas = new OffscreenCanvas(width, height)
    canvas.getContext('2d')?.putImageData(drawn, 0, 0)
    const found: Difference = { bitmap: canvas.transferToImageBitmap(), share: changed / (width * height) }
    globalThis.postMessage(found)
  },
)

function pixelsOf(picture: ImageBitmap): Bitmap {
  const { width, height } = picture
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (context === null) throw new Error('There is no canvas')
  context.drawImage(picture, 0, 0)
  picture.close()
  return { width, height, data: new Uint8Array(context.getImageData(0, 0, width, height).data.buffer) }
}
