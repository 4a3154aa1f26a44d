/** Ends a script that npm was told to end: npm passes a signal to its shell, and the shell dies without passing it on. */

/** Call first in every script that npm starts. A signal that arrived here as well is not given a second time. */
export function endWithNpmShell(): void {
  if (process.platform === 'win32' || process.env['npm_lifecycle_event'] === undefined) return
  let isToldAlready = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const note = () => {
      isToldAlready = true
      if (process.listenerCount(signal) > 1) return
      // Listening has switched the default off: with nobody else listening, it is what the sender wants.
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
