/** Starts child processes that do not outlive the script that started them. */

import { spawn, type ChildProcess, type SpawnOptions, type StdioOptions } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { constants as systemConstants } from 'node:os'
import { delimiter, join } from 'node:path'

/** The path of a command on the PATH, or null. */
export function onPath(command: string, path: string = process.env['PATH'] ?? ''): string | null {
  for (const folder of path.split(delimiter).filter(Boolean)) {
    const file = join(folder, command)
    try {
      accessSync(file, constants.X_OK)
      return file
    } catch {
      continue
    }
  }
  return null
}

/** Runs a command to its end and returns its exit code and its output. */
export function capture(command: string, args: readonly string[], options: SpawnOptions = {}) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    const said = { stdout: '', stderr: '' }
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (said.stdout += text))
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (said.stderr += text))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, ...said }))
  })
}

/** Runs a command in the foreground, forwards the signals that this script gets, and returns its exit code. */
export function runInForeground(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, stdio: 'inherit' })
    // Ctrl-C in a terminal reaches the whole foreground group. Forwarded as well, it would arrive twice.
    const handOn = (signal: NodeJS.Signals) => {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    }
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
    for (const signal of signals) process.on(signal, handOn)
    const finish = () => signals.forEach((signal) => process.off(signal, handOn))
    child.on('error', (error) => (finish(), reject(error)))
    child.on('close', (code, signal) => {
      finish()
      resolve(signal ? 128 + systemConstants.signals[signal] : (code ?? 1))
    })
  })
}

/**
 * Starts a background service in its own process group, so that Ctrl-C does not stop it before its clients. Where the system
 * supports it, the kernel ends it with this script, even if this script is killed.
 */
export function startService(command: string, args: readonly string[], stdio: StdioOptions, env = process.env) {
  const leash = process.platform === 'linux' && onPath('setpriv') ? ['setpriv', '--pdeathsig', 'TERM', '--'] : []
  const [first = command, ...rest] = [...leash, command, ...args]
  return spawn(first, rest, { env, stdio, detached: true })
}

/** Whether a child has exited or never started. */
export function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null
}

/** Ends a service and waits for it: terminates it, and kills it after two seconds. */
export async function stopService(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  const force = setTimeout(() => child.kill('SIGKILL'), 2_000)
  await ended
  clearTimeout(force)
}
