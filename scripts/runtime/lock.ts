/** A lock between processes: a file with the id of its holder. The lock of a dead process is taken over. */

import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** No work under a lock takes this long. A holder that seems older is another process with a recycled id. */
const longestHoldMs = 20 * 60_000

/** Runs `work` while holding the lock. Waits for the current holder. */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(dirname(file), { recursive: true })
  while (!take(file)) {
    if (isAbandoned(file)) setAside(file)
    else await wait(100)
  }
  try {
    return await work()
  } finally {
    rmSync(file, { force: true })
  }
}

/** Whether a process with this id is running. Processes of other users count, zombies do not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  return process.platform !== 'linux' || !isCorpse(pid)
}

/** Where nothing reaps orphans, as in many containers, a dead process keeps its id. */
function isCorpse(pid: number): boolean {
  try {
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return true
  }
}

function take(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function isAbandoned(file: string): boolean {
  try {
    const age = Date.now() - statSync(file).mtimeMs
    const holder = Number(readFileSync(file, 'utf8'))
    // The holder of an empty file is about to write its id, unless the file stays empty.
    return holder > 0 ? age > longestHoldMs || !isAlive(holder) : age > 2_000
  } catch {
    return false // released in the meantime: the next attempt acquires it
  }
}

/** Renames before deleting: if two processes find the same abandoned lock, only one succeeds. */
function setAside(file: string): void {
  const aside = `${file}.${process.pid}`
  try {
    renameSync(file, aside)
    // Another process may have taken the lock between the check and the rename. Then it is put back.
    if (isAbandoned(aside)) rmSync(aside)
    else renameSync(aside, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
