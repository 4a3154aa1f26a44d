/** What stands before the name of the file, in a line of a call. */
const folders = /(\(|^at (?:async )?)[^()]*[/\\]/

/**
 * What an error is and where it came from, for a log that anybody may be shown: its kind, its code and six calls. Not its
 * message, which may quote a secret that was typed or sent, and no folders of this machine.
 */
export function faultPlace(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const { name, message, stack = '' } = error
  // A message may have lines of its own, and one may begin as those of calls do.
  const calls = stack
    .replace(message, '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
  const kind = 'code' in error ? `${name} ${String(error.code)}` : name
  return [kind, ...calls.slice(0, 6).map((call) => call.trim().replace(folders, '$1'))].join(' ')
}
