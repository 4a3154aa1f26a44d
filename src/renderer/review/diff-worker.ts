import type { DiffRequest } from './diff.ts'
import { changesOf } from './difference.ts'

// A thread of the frame: finds what differs in two texts, however long that takes, while the frame stays quick.
globalThis.addEventListener('message', ({ data }: MessageEvent<DiffRequest>) => {
  globalThis.postMessage(changesOf(data.before, data.after, data.timeoutMs))
})
