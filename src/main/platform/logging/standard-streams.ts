/** The maximum of unread output in memory; more is dropped. */
const unreadBytesAtMost = 1024 * 1024

const forgiven = new WeakSet<NodeJS.WriteStream>()

/**
 * Makes a stream of the process ignore write errors, such as a closed reader or a full disk. `onClosed` is called when the
 * reader closes it.
 */
export function forgive(stream: NodeJS.WriteStream, onClosed?: () => void): void {
  if (onClosed) stream.on('error', (error: NodeJS.ErrnoException) => error.code === 'EPIPE' && onClosed())
  if (forgiven.has(stream)) return
  forgiven.add(stream)
  stream.on('error', () => undefined)
}

/** Writes a text to standard output or error. A write error does not stop the process. */
export function say(stream: NodeJS.WriteStream, text: string): void {
  forgive(stream)
  if (stream.writableLength > unreadBytesAtMost) return
  try {
    stream.write(text)
  } catch {
    // The stream has failed; nobody can be notified.
  }
}
