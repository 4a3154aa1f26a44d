/** The text before the file name in a line of a stack trace. */
const folders = /(\(|^at (?:async )?)[^()]*[/\\]/

/**
 * The kind, code and position of an error for logs: up to six calls. Omits the message, which may quote a secret, and local
 * folders.
 */
export function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const { name, message, stack = '' } = error
  // A message may have several lines, and one may look like a call.
  const calls = stack
    .replace(message, '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
  const kind = 'code' in error ? `${name} ${String(error.code)}` : name
  return [kind, ...calls.slice(0, 6).map((call) => call.trim().replace(folders, '$1'))].join(' ')
}

/** The code of an error of the system, the network or the index, such as `ENOSPC`; null if it has none. */
export const errorCode = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
