import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { access, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isOfDisk, storageCause } from '@galley/platform'
import type { Cause } from '@galley/wire'
import { cause, causeSentence } from '@galley/wire'

import type { OpenedLibrary } from '../db/open/open-library.ts'
import { demandWritable } from '../db/open/open-library.ts'
import type { LibraryLog } from '../log/log.ts'
import type { StorageFault } from '../records/listener-state.ts'
import type { Vault } from '../vault/vault.ts'

/** The minimum time between two probes, and how long a write that went well is evidence. */
const probeEveryMs = 5_000

export interface StorageWatchPorts {
  readonly folder: string
  readonly library: Pick<OpenedLibrary, 'log' | 'damage'>
  readonly vault: Pick<Vault, 'stageFiles' | 'discardFiles'>
  readonly log: (line: string) => void
  /** Called when `fault` changes. */
  readonly onChange: () => void
}

/** Enough that a quota, or a disk with a few blocks left, refuses it. */
const probeBytes = 256 * 1024
/** The descriptors that a save may have open at once. */
const descriptorsOfASave = 16

/**
 * Writes what a save writes, as far as that leaves nothing behind: a file beside the log and one in staging, both synced. Opens
 * the newest part of the log for writing, and as many descriptors as a save. Throws the error of the first step that fails.
 */
async function probeStorage(
  folder: string,
  log: Pick<LibraryLog, 'folder' | 'segments' | 'fileOf'>,
  vault: Pick<Vault, 'stageFiles' | 'discardFiles'>,
): Promise<void> {
  demandWritable(folder)
  const files = join(folder, 'files')
  for (const shard of await readdir(files)) await access(join(files, shard), constants.W_OK)
  const newest = log.segments().at(-1)
  if (newest !== undefined) await (await open(log.fileOf(newest), 'r+')).close()
  const beside = join(log.folder, 'probe')
  try {
    await writeSynced(beside)
  } finally {
    await rm(beside, { force: true })
  }
  const staging = await vault.stageFiles()
  try {
    const staged = join(staging.folder, `${staging.prefix}probe`)
    await writeSynced(staged)
    await openOften(staged)
  } finally {
    await vault.discardFiles(staging)
  }
}

async function writeSynced(path: string): Promise<void> {
  await using file = await open(path, 'w', 0o600)
  await file.writeFile(Buffer.alloc(probeBytes, 1))
  await file.datasync()
}

async function openOften(path: string): Promise<void> {
  const handles: FileHandle[] = []
  try {
    for (let count = 0; count < descriptorsOfASave; count += 1) handles.push(await open(path, 'r'))
  } finally {
    for (const handle of handles) await handle.close()
  }
}

/**
 * Whether saves can be stored, as real writes show it. After a write that failed because of the disk, it tries a probe of its
 * own at most every five seconds, until one goes well.
 */
export function createStorageWatch({ folder, library, vault, log, onChange }: StorageWatchPorts) {
  let failed: Cause | null = null
  let failures = 0
  let writtenMs = Number.NEGATIVE_INFINITY
  let probedMs = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | null = null
  let probing: Promise<void> | null = null
  let isRunning = false
  library.log.onSyncProblem(onChange)
  library.damage.onFirst(onChange)

  function fault(): StorageFault | null {
    const unsynced = library.log.syncProblem()
    if (unsynced !== null) return { cause: unsynced.reason, until: 'restart' }
    if (library.damage.isKnown()) return { cause: cause('index_rebuilding'), until: 'reopened' }
    return failed && { cause: failed, until: 'mended' }
  }

  function note(reason: Cause): void {
    if (!isOfDisk(reason)) return
    failures += 1
    if (failed?.code !== reason.code) {
      failed = reason
      log(`saves cannot be stored: ${causeSentence(reason)}; Galley tries again by itself`)
      onChange()
    }
    schedule()
  }

  function wentWell(): void {
    writtenMs = performance.now()
    if (failed === null) return
    failed = null
    log('saves can be stored again')
    onChange()
  }

  function schedule(): void {
    if (timer !== null || !isRunning) return
    const waitMs = Math.max(0, probedMs + probeEveryMs - performance.now())
    timer = setTimeout(() => {
      timer = null
      void probe()
    }, waitMs).unref()
  }

  const probe = (): Promise<void> => (probing ??= probeOnce().finally(() => (probing = null)))

  async function probeOnce(): Promise<void> {
    const failuresBefore = failures
    probedMs = performance.now()
    try {
      await probeStorage(folder, library.log, vault)
      // A write that has failed meanwhile may have met what the probe missed.
      if (failures === failuresBefore) wentWell()
      else schedule()
    } catch (error) {
      const reason = storageCause(error)
      note(isOfDisk(reason) ? reason : cause('file_unusable_unknown'))
    }
  }

  return {
    fault,
    /** A write has failed. Faults that are not of the disk are ignored. */
    note,
    /** A save was stored. */
    wentWell,
    /** The fault as it is now: tries a probe unless something was written in the last five seconds. */
    async check(): Promise<StorageFault | null> {
      const found = fault()
      if (!isRunning || (found !== null && found.until !== 'mended')) return found
      if (performance.now() - Math.max(writtenMs, probedMs) >= probeEveryMs) void probe()
      await probing
      return fault()
    },
    start(): void {
      isRunning = true
      if (failed !== null) schedule()
    },
    stop(): void {
      isRunning = false
      if (timer !== null) clearTimeout(timer)
      timer = null
    },
  }
}
