import { useEffect, useState } from 'react'

import type { Loaded } from './loaded.ts'

/** Where two pictures differ, transparent elsewhere, and the share of pixels that do, from 0 to 1. */
export interface Difference {
  readonly bitmap: ImageBitmap
  readonly share: number
}

/** Comparing takes 13 bytes of memory a pixel. */
export const megapixelsAtMost = 40

export type Compared =
  | { readonly kind: 'comparing' | 'too_large' | 'failed' }
  | ({ readonly kind: 'compared' } & Difference)

/** Compares two pictures in a worker, as long as they are shown. */
export function useDifference(before: Loaded, after: Loaded): Compared {
  const [known, setKnown] = useState<{ readonly of: readonly [Loaded, Loaded]; readonly compared: Compared } | null>(
    null,
  )
  const isTooLarge =
    Math.max(before.width, after.width) * Math.max(before.height, after.height) > megapixelsAtMost * 1_000_000
  useEffect(() => {
    if (isTooLarge) return
    const show = (compared: Compared): void => setKnown({ of: [before, after], compared })
    const fail = (): void => show({ kind: 'failed' })
    const worker = new Worker(new URL('difference-worker.ts', import.meta.url), { type: 'module' })
    worker.addEventListener('message', ({ data }: MessageEvent<Difference>) => show({ kind: 'compared', ...data }))
    worker.addEventListener('error', fail)
    Promise.all([before, after].map(bitmapOf))
      // Chromium gives no pixels of some drawings, such as those with HTML in them.
      .then((bitmaps) => worker.postMessage(bitmaps, bitmaps))
      .catch(fail)
    return () => worker.terminate()
  }, [before, after, isTooLarge])
  if (isTooLarge) return { kind: 'too_large' }
  return known?.of[0] === before && known.of[1] === after ? known.compared : { kind: 'comparing' }
}

/** Drawings may have no pixels of their own until they are given a size. */
const bitmapOf = ({ image, width, height }: Loaded): Promise<ImageBitmap> =>
  createImageBitmap(image, { resizeWidth: width, resizeHeight: height })
