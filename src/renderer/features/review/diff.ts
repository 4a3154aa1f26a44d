import type { Difference, RawChange } from './difference.ts'
import { differenceOf } from './difference.ts'

export interface DiffRequest {
  readonly before: string
  readonly after: string
  /** After this time the rest is compared roughly. */
  readonly timeoutMs: number
}

/** Compares two texts in a worker; `stop` cancels. */
export function startDiff(request: DiffRequest): { readonly found: Promise<Difference>; stop(): void } {
  const worker = new Worker(new URL('diff-worker.ts', import.meta.url), { type: 'module' })
  const found = new Promise<Difference>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<readonly RawChange[]>) => {
      resolve(differenceOf(request.before, request.after, data))
      worker.terminate()
    })
    worker.addEventListener('error', () => reject(new Error('The texts could not be compared')))
  })
  worker.postMessage(request)
  return { found, stop: () => worker.terminate() }
}
