/** Ends a script when npm is terminated: npm signals its shell, and the shell exits without forwarding the signal. */

/** Call it first in every script that npm starts. A signal that also arrived directly is not sent again. */
export function endWithNpmShell(): void {
  if (process.platform === 'win32' || process.env['npm_lifecycle_event'] === undefined) return
  let isToldAlready = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const note = () => {
      isToldAlready = true
      if (process.listenerCount(signal) > 1) return
      // A listener disables the default action. If there is no other listener, the sender expects the default.
      process.off(signal, note)
      process.kill(process.pid, signal)
    }
    process.on(signal, note)
  }
  const shell = process.ppid
  const look = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(look)
    if (!isToldAlready) process.kill(process.pid, 'SIGTERM')
  }, 100)
  look.unref()
}
