import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

import { aFreePort } from './free-port.ts'

const program = '/usr/sbin/sshd'
const sftpProgram = '/usr/lib/openssh/sftp-server'

/** Whether this system has OpenSSH's server (`apt-get install openssh-server openssh-sftp-server`). */
export const hasSshd = existsSync(program) && existsSync(sftpProgram)

const makeKey = (file: string): void => {
  const made = spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file])
  if (made.status !== 0) throw new Error(`No key was made: ${made.stderr.toString()}`)
}

/** OpenSSH's own server on loopback, for this user, by key alone; its keys are in a folder of the test. */
export async function startSftp(folder: string, givenPort?: number) {
  const port = givenPort ?? (await aFreePort())
  const [hostKey, userKey] = [join(folder, 'host'), join(folder, 'user')]
  makeKey(hostKey)
  makeKey(userKey)
  await writeFile(join(folder, 'authorized'), await readFile(`${userKey}.pub`))
  await chmod(join(folder, 'authorized'), 0o600)
  const config = join(folder, 'sshd_config')
  await writeFile(
    config,
    [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${hostKey}`,
      `PidFile ${folder}/pid`,
      `AuthorizedKeysFile ${folder}/authorized`,
      'StrictModes no',
      'UsePAM no',
      'PasswordAuthentication no',
      'PermitRootLogin yes',
      'MaxStartups 100',
      `Subsystem sftp ${sftpProgram}`,
      '',
    ].join('\n'),
  )
  // Debian's service creates this folder when it starts.
  spawnSync('mkdir', ['-p', '/run/sshd'])
  async function start() {
    const server = spawn(program, ['-D', '-e', '-f', config], { stdio: ['ignore', 'ignore', 'pipe'] })
    await listening(server.stderr)
    // Its later messages are dropped, so that a full pipe never blocks it.
    server.stderr.resume()
    return server
  }
  let server: Awaited<ReturnType<typeof start>> | null = await start()
  return {
    port,
    key: `file:${userKey}`,
    place: (path: string, at = port) => `sftp:${userInfo().username}@127.0.0.1:${at}${path}`,
    /** With every connection, as a server that loses its power. */
    async kill(): Promise<void> {
      if (server === null) return
      const killed = server
      server = null
      const ended = once(killed, 'exit')
      for (const pid of withDescendants(killed.pid)) killIfThere(pid)
      await ended
    },
    /** Once it was killed, on the same port and with the same host key. */
    async startAgain(): Promise<void> {
      server ??= await start()
    },
  }
}

/** A connection may end by itself after it was listed. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** A process and all that it started; sshd gives each connection a process group of its own. */
function withDescendants(root: number | undefined): readonly number[] {
  const listed = spawnSync('ps', ['-eo', 'pid=,ppid=']).stdout.toString().trim().split('\n')
  const parentOf = new Map(listed.map((line) => line.trim().split(/\s+/).map(Number) as [number, number]))
  const isOurs = (pid: number | undefined): boolean => pid !== undefined && (pid === root || isOurs(parentOf.get(pid)))
  return [...parentOf.keys()].filter(isOurs)
}

/** Resolves once sshd reports that it listens. */
async function listening(log: Readable): Promise<void> {
  for await (const line of createInterface(log)) if (line.startsWith('Server listening on')) return
  throw new Error('sshd did not start')
}
