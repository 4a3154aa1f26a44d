import { stat } from 'node:fs/promises'
import type { Index, Vault } from '@galley/library'
import { forEachConcurrently } from '@galley/platform'
import type { Sha256 } from '@galley/wire'

import type { SharedBucket } from './bucket/shared-bucket.ts'
import { listedFiles } from './listed-files.ts'

/** How much of the team's files this machine keeps. */
export interface CacheLimits {
  /** Null: no limit, all fetched files are kept. */
  readonly limitBytes: number | null
  /** Sites whose files are always kept here, regardless of the limit. */
  readonly keepOffline: readonly string[]
}

/** What the cache holds, and what the last round changed. */
export interface CacheReport extends CacheLimits {
  readonly files: number
  readonly bytes: number
  readonly fetched: number
  readonly freed: { readonly files: number; readonly bytes: number }
  /** Copies that were kept because the bucket has lost their file, or has other bytes. */
  readonly damaged: number
}

interface Copy {
  readonly file: Sha256
  readonly bytes: number
  readonly usedMs: number
}

interface CachePorts {
  readonly index: Pick<Index, 'blobs' | 'settings'>
  readonly vault: Vault
  readonly bucket: () => Promise<SharedBucket>
  readonly now: () => Date
}

const setting = 'team-cache'
const filesAtOnce = 6
/** A reader has opened a file long before a copy is this old. */
const restMs = 3_600_000

export function readCacheLimits({ settings }: Pick<Index, 'settings'>): CacheLimits {
  const text = settings.get(setting)
  return text === null ? { limitBytes: null, keepOffline: [] } : (JSON.parse(text) as CacheLimits)
}

/** True if a limit or an offline site is set. */
export const hasCacheLimits = (ports: Pick<Index, 'settings'>): boolean => {
  const { limitBytes, keepOffline } = readCacheLimits(ports)
  return limitBytes !== null || keepOffline.length > 0
}

export const writeCacheLimits = ({ settings }: Pick<Index, 'settings'>, limits: CacheLimits): void =>
  settings.put(setting, JSON.stringify(limits))

/**
 * Fetches the files of sites that are kept offline, and deletes copies above the limit, least recently used first. A
 * copy is deleted only if the bucket has the same bytes. Throws CausedError, BucketAwayError, and disk errors.
 */
export async function maintainCache(ports: CachePorts, signal: AbortSignal): Promise<CacheReport> {
  const { index, vault } = ports
  const limits = readCacheLimits(index)
  const kept = new Set(limits.keepOffline.flatMap((site) => [...index.blobs.filesOfSite(site)]))
  const due = [...kept].filter((file) => vault.isRemote(file))
  await forEachConcurrently(due, filesAtOnce, signal, (file) => vault.ensureLocal(file))
  const copies = await copiesOf(ports, signal)
  const bytes = copies.reduce((sum, copy) => sum + copy.bytes, 0)
  const above = limits.limitBytes === null ? 0 : bytes - limits.limitBytes
  const { freed, damaged } = above > 0 ? await free(ports, { copies, kept, above }, signal) : nothingFreed
  const left = { files: copies.length - freed.files, bytes: bytes - freed.bytes }
  return { ...limits, ...left, fetched: due.length, freed, damaged }
}

/** The files that are stored here. */
async function copiesOf({ index, vault }: CachePorts, signal: AbortSignal): Promise<readonly Copy[]> {
  const copies: Copy[] = []
  for (const { file } of index.blobs.files()) {
    signal.throwIfAborted()
    const found = await stat(vault.pathOf(file)).catch(() => null)
    if (found) copies.push({ file, bytes: found.size, usedMs: Math.max(found.atimeMs, found.mtimeMs) })
  }
  return copies
}

interface Excess {
  readonly copies: readonly Copy[]
  readonly kept: ReadonlySet<Sha256>
  readonly above: number
}

const nothingFreed = { freed: { files: 0, bytes: 0 }, damaged: 0 }

async function free(ports: CachePorts, { copies, kept, above }: Excess, signal: AbortSignal) {
  const { index, vault, bucket, now } = ports
  const there = await listedFiles(await bucket())
  const restedMs = now().getTime() - restMs
  const chosen: Sha256[] = []
  let damaged = 0
  let left = above
  for (const { file, bytes, usedMs } of copies.toSorted((one, other) => one.usedMs - other.usedMs)) {
    signal.throwIfAborted()
    if (left <= 0) break
    if (kept.has(file) || usedMs > restedMs) continue
    const object = there.get(index.blobs.keyOf(file))
    if (object !== undefined && (await vault.isWholeInBucket(file, object))) {
      chosen.push(file)
      left -= bytes
    } else damaged += 1
  }
  const gone = await vault.deleteCopies(chosen, signal)
  return { freed: { files: gone.files.length, bytes: gone.bytes }, damaged }
}
