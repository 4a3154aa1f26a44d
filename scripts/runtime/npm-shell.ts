/** Ends a script when npm is terminated: npm signals its shell, and the shell exits without forwarding the signal. */

import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'

import { isAlive } from './lock.ts'

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
  // A killed npm leaves its shell waiting for the script.
  let npm: number | null = null
  if (process.platform === 'linux') npm = parentOnLinux(shell)
  else execFile('ps', ['-o', 'ppid=', '-p', String(shell)], (_, stdout) => void (npm = Number(stdout) || null)).unref()
  const look = setInterval(() => {
    if (process.ppid === shell && (npm === null || isAlive(npm))) return
    clearInterval(look)
    if (!isToldAlready) process.kill(process.pid, 'SIGTERM')
  }, 100)
  look.unref()
}

function parentOnLinux(pid: number): number | null {
  try {
    return Number(/^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) || null
  } catch {
    return null // gone already
  }
}
