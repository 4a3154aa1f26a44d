import type { WebContents } from 'electron'

import type { PageEnd } from '../../../contract/ipc/review-window.ts'

/** What the process of one stored page may take; a usual page takes a tenth of it. */
const pageMemoryBytes = 1024 ** 3
/** A page that grows fast fills some hundred megabytes in this time. */
const lookEveryMs = 500

/**
 * Ends a stored page that takes too much memory or no longer responds, and tells of every end of its process. V8 has limits
 * of its own, but a page without script grows in its elements and pictures, which have none. `bytesOf` gives the memory
 * of a process by its id.
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
    if (bytesOf(contents.getOSProcessId()) > pageMemoryBytes) end('memory')
  }, lookEveryMs)
  contents.on('unresponsive', () => end('hanging'))
  contents.on('render-process-gone', (_event, { reason }) => {
    onEnd(why ?? (reason === 'oom' ? 'memory' : 'crashed'))
    why = null
  })
  contents.once('destroyed', () => clearInterval(watch))
}
