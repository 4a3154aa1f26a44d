/** Gives a command its own Secret Service: a private D-Bus and an unlocked temporary keyring. Linux only. */

import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

import { ensureSystem } from './debian.ts'
import { capture, hasEnded, startService, stopService } from './processes.ts'
import { Unavailable } from './unavailable.ts'

const startLimitMs = 15_000

/** No service folders, so that the bus starts nothing that would keep running after it. */
const busConfig = (
  socket: string,
): string => `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <auth>EXTERNAL</auth>
  <listen>unix:path=${socket}</listen>
  <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>
`

/** Runs `use` with an empty, unlocked keychain that is deleted afterwards. The user's own keychain is never accessed. */
export async function withSecretService<T>(use: (env: NodeJS.ProcessEnv) => Promise<T>): Promise<T> {
  if (process.platform !== 'linux') throw new Unavailable('Secret Service', 'it exists on Linux only.')
  await ensureSystem(['secret-service'])
  const folder = mkdtempSync(join(tmpdir(), 'galley-keyring-'))
  const socket = join(folder, 'bus')
  const config = join(folder, 'bus.conf')
  writeFileSync(config, busConfig(socket))
  for (const name of ['data', 'config', 'cache', 'run']) mkdirSync(join(folder, name), { mode: 0o700 })
  const forPrograms = { DBUS_SESSION_BUS_ADDRESS: `unix:path=${socket}` }
  // Only the daemons get the temporary folders. The programs under test keep the user's caches.
  const forDaemons = {
    ...process.env,
    ...forPrograms,
    XDG_DATA_HOME: join(folder, 'data'),
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_CACHE_HOME: join(folder, 'cache'),
    XDG_RUNTIME_DIR: join(folder, 'run'),
  }
  const busArgs = ['--nofork', '--nopidfile', '--nosyslog', `--config-file=${config}`]
  const bus = startService('dbus-daemon', busArgs, ['ignore', 'ignore', 'pipe'], forDaemons)
  try {
    await until(bus, 'dbus-daemon', () => answers(forDaemons, 'GetId', []))
    const password = randomBytes(16).toString('hex')
    const start = () => startKeyring(join(folder, 'run'), forDaemons, password)
    let keyring = start()
    let isOver = false
    try {
      const name = 'string:org.freedesktop.secrets'
      await until(keyring, 'gnome-keyring-daemon', () => answers(forDaemons, 'GetNameOwner', [name]))
      // It crashes once in many thousand requests. Its entries are on disk, and the next one reads them.
      const again = (code: number | null, signal: string | null): void => {
        if (isOver) return
        console.error(`gnome-keyring-daemon ended by itself (${signal ?? code}) and is started again.`)
        keyring = start().once('exit', again)
      }
      keyring.once('exit', again)
      return await use(forPrograms)
    } finally {
      isOver = true
      await stopService(keyring)
    }
  } finally {
    await stopService(bus)
    rmSync(folder, { recursive: true, force: true })
  }
}

function startKeyring(control: string, env: NodeJS.ProcessEnv, password: string) {
  const args = ['--foreground', '--unlock', '--components=secrets', `--control-directory=${control}`]
  const keyring = startService('gnome-keyring-daemon', args, ['pipe', 'ignore', 'pipe'], env)
  // With a password from stdin, the daemon creates and unlocks the login keyring without a prompt.
  keyring.stdin?.on('error', () => {}).end(password)
  // A full pipe that nothing reads would block the daemon.
  keyring.stderr?.resume()
  return keyring
}

async function answers(env: NodeJS.ProcessEnv, method: string, args: readonly string[]): Promise<boolean> {
  const call = [
    '--session',
    '--print-reply',
    '--dest=org.freedesktop.DBus',
    '/',
    `org.freedesktop.DBus.${method}`,
    ...args,
  ]
  return (await capture('dbus-send', call, { env })).code === 0
}

/** Waits until a service is ready. Throws with its output if it exits or takes too long. */
async function until(service: ChildProcess, name: string, isReady: () => Promise<boolean>): Promise<void> {
  const limit = Date.now() + startLimitMs
  let said = ''
  service.stderr?.setEncoding('utf8').on('data', (text: string) => (said = `${said}${text}`.slice(-1_000)))
  service.on('error', (error) => (said += error.message))
  while (!(await isReady())) {
    if (hasEnded(service) || Date.now() > limit) {
      throw new Unavailable('Secret Service', `${name} did not start.\n${said.trim()}`.trim())
    }
    await wait(30)
  }
}
