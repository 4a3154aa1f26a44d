/** What a reader that has stopped reading may leave in memory; more is dropped. */
const unreadBytesAtMost = 1024 * 1024

const forgiven = new WeakSet<NodeJS.WriteStream>()

/**
 * From now on a stream of the process that is closed, or on a full disk, loses what is written to it and does no other
 * harm. `onClosed` is told when its reader is gone.
 */
export function forgive(stream: NodeJS.WriteStream, onClosed?: () => void): void {
  if (onClosed) stream.on('error', (error: NodeJS.ErrnoException) => error.code === 'EPIPE' && onClosed())
  if (forgiven.has(stream)) return
  forgiven.add(stream)
  stream.on('error', () => undefined)
}

/** Writes a text to standard output or error, or drops it: a message that reaches nobody is no reason to stop. */
export function say(stream: NodeJS.WriteStream, text: string): void {
  forgive(stream)
  if (stream.writableLength > unreadBytesAtMost) return
  try {
    stream.write(text)
  } catch {
    // As an error of the stream: there is nobody to be told.
  }
}
