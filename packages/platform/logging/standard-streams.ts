import type { Writable } from 'node:stream'

/** The maximum of unread output in memory; more is dropped. */
const unreadBytesAtMost = 1024 * 1024

const ignoring = new WeakSet<Writable>()

/**
 * Makes a stream of the process ignore write errors, such as a closed reader (`EPIPE`) or a full disk. `onFailed` is called
 * with them.
 */
export function ignoreWriteErrors(stream: Writable, onFailed?: (error: Error) => void): void {
  if (onFailed) stream.on('error', onFailed)
  if (ignoring.has(stream)) return
  ignoring.add(stream)
  stream.on('error', () => undefined)
}

/** Writes a text to standard output or error. A write error does not stop the process. */
export function print(stream: Writable, text: string): void {
  ignoreWriteErrors(stream)
  if (stream.writableLength > unreadBytesAtMost) return
  try {
    stream.write(text)
  } catch {
    // The stream has failed, so there is no way to report it.
  }
}
