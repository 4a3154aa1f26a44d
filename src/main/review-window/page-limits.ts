import { app } from 'electron'
import type { WebContents } from 'electron'

import type { PageEnd } from '../../ipc/review-window.ts'

/** The memory limit for the process of a stored page; a typical page uses a tenth of it. */
const pageMemoryBytes = 1024 ** 3
/** A fast-growing page uses some hundred megabytes in this time. */
const checkIntervalMs = 500

/** The memory that a process of this app uses now. */
export const processBytes = (processId: number): number =>
  1024 * (app.getAppMetrics().find(({ pid }) => pid === processId)?.memory.workingSetSize ?? 0)

/**
 * Ends a stored page that uses too much memory or no longer responds, and reports every end of its process. V8 limits its
 * own heap, but elements and images of a page without scripts have no limit. `bytesOf` returns the memory of a process by
 * its id.
 */
export function limitPage(
  contents: WebContents,
  bytesOf: (processId: number) => number,
  onEnd: (why: PageEnd) => void,
): void {
  let why: PageEnd | null = null

  function end(reason: PageEnd): void {
    if (contents.isDestroyed() || contents.isCrashed()) return
    why = reason
    contents.forcefullyCrashRenderer()
  }
  const watch = setInterval(() => {
    if (contents.isDestroyed() || contents.isCrashed()) return
    // A sandboxed frame may have a process of its own.
    const processes = new Set(contents.mainFrame.framesInSubtree.map(({ osProcessId }) => osProcessId))
    if ([...processes].reduce((bytes, process) => bytes + bytesOf(process), 0) > pageMemoryBytes) end('memory')
  }, checkIntervalMs)
  contents.on('unresponsive', () => end('hanging'))
  contents.on('render-process-gone', (_event, { reason }) => {
    onEnd(why ?? (reason === 'oom' ? 'memory' : 'crashed'))
    why = null
  })
  contents.once('destroyed', () => clearInterval(watch))
}
