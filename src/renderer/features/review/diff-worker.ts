import type { DiffRequest } from './diff.ts'
import { changesOf } from './difference.ts'

// Compares two texts in a worker, so that the frame stays responsive.
globalThis.addEventListener('message', ({ data }: MessageEvent<DiffRequest>) => {
  globalThis.postMessage(changesOf(data.before, data.after, data.timeoutMs))
})
