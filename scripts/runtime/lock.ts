/** A lock between processes, as a file that names its holder: the lock of a dead process is taken over. */
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** No work under a lock takes this long; a holder that seems older is another process with a recycled id. */
const longestHoldMs = 20 * 60_000

/** Runs `work` while holding the lock, waiting for whoever holds it now. */
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

/** Whether a process with this id lives (one of another user counts, one that only waits to be collected does not). */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  return process.platform !== 'linux' || !isCorpse(pid)
}

/** Where nobody collects orphans, as in many containers, a dead process keeps its id for good. */
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
    // An empty file is one whose holder is just writing its id, unless it stays empty.
    return holder > 0 ? age > longestHoldMs || !isAlive(holder) : age > 2_000
  } catch {
    return false // released meanwhile: the next attempt takes it
  }
}

/** Renamed before it is deleted: of two that find the same abandoned lock only one succeeds. */
function setAside(file: string): void {
  const aside = `${file}.${process.pid}`
  try {
    renameSync(file, aside)
    // The other one may have taken the lock between our look and our rename: then it is given back.
    if (isAbandoned(aside)) rmSync(aside)
    else renameSync(aside, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
