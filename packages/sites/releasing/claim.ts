import { createHash, randomUUID } from 'node:crypto'
import type { IndexWith } from '@galley/library'
import type { Target } from '@galley/library/records'
import { forEachConcurrently, isStorageFault } from '@galley/platform'
import type { Cause, MaterialId, SiteId } from '@galley/wire'
import { CausedError, cause } from '@galley/wire'

import type { TargetNote } from '../bundle/manifest.ts'
import type { ReleaseFile } from './release-record.ts'
import { readRecord } from './release-record.ts'
import type { TextStore } from './text-store.ts'

type Listed = Pick<ReleaseFile, 'path' | 'bytes' | 'sha256'>

/** What this library knows of a target, with which it may claim what it finds there. */
export interface Claim {
  readonly owner: string
  /** A person wants this site there, whatever the target holds. */
  readonly takeOver: boolean
  /** Whether every file is read, and not only looked up. */
  readonly isThorough: boolean
  isKnown(release: string): Promise<boolean>
  /** The files of the releases of this site, newest first, as far as their lists are still stored. */
  releases(): Promise<readonly (readonly ReleaseFile[])[]>
}

/** Names a material in a public note without its id, the same from every copy of the library. */
export const pageKey = (site: SiteId, material: MaterialId): string =>
  createHash('sha256').update(`${site}\n${material}`).digest('hex').slice(0, 16)

/**
 * This computer's note of the releases that it began to write: if it is killed before the log has one, the target may
 * name it already, also while the next one is written.
 */
const writingNote = ({ site, name }: Target): string => `publishing/${site}/${name}`
const begunMost = 50
const begun = ({ index }: Pick<ClaimPorts, 'index'>, target: Target): readonly string[] =>
  index.settings.get(writingNote(target))?.split(' ') ?? []

interface ClaimPorts {
  readonly index: IndexWith<'followTeam' | 'settings'>
  readonly texts: TextStore
}

/** Notes, before anything is written, which release the target will name. */
export function noteWriting(ports: Pick<ClaimPorts, 'index'>, target: Target, release: string): void {
  const others = begun(ports, target).filter((each) => each !== release)
  ports.index.settings.put(writingNote(target), [...others, release].slice(-begunMost).join(' '))
}

export function claimOn(
  target: Target,
  { takeOver, isThorough }: Pick<Claim, 'takeOver' | 'isThorough'>,
  { index, texts }: ClaimPorts,
): Claim {
  const { site } = target
  const isInLog = (release: string): boolean =>
    index.releases.isKnown(site, release) || begun({ index }, target).includes(release)
  return {
    // A site that was just removed has none: nothing on a target has this one.
    owner: index.sites.ownerOf(site) ?? randomUUID(),
    takeOver,
    isThorough,
    async isKnown(release) {
      if (isInLog(release)) return true
      // Another member of the team may have published it meanwhile.
      await index.followTeam?.(0).catch((error: unknown) => {
        if (!isStorageFault(error)) throw error
      })
      return isInLog(release)
    },
    async releases() {
      const lists = await Promise.all(index.releases.recordsOf(site).map((record) => texts.read(record)))
      return lists.flatMap((text) => {
        const files = text && readRecord(text.toString())
        return files === null ? [] : [files]
      })
    },
  }
}

/** Why a target with this note is not this site's to change; null if it is. */
export async function foreignCause(
  { owner, release }: Pick<TargetNote, 'owner' | 'release'>,
  files: Iterable<Listed>,
  claim: Claim,
): Promise<Cause | null> {
  if (claim.takeOver) return null
  if (owner === claim.owner && (await claim.isKnown(release))) return null
  const there = contentOf(files)
  if ((await claim.releases()).some((known) => contentOf(known) === there)) return null
  return cause(owner === claim.owner ? 'target_other_copy' : 'target_other_site')
}

/** Equal for the same files, in any order. */
const contentOf = (files: Iterable<Listed>): string => {
  const lines = [...files].map(({ path, sha256 }) => `${sha256} ${path}`)
  return lines.toSorted().join('\n')
}

/**
 * The files of a target without a note that are this site's: those whose content is that of a wanted file or of a known
 * release. `isSame`: whether the target's file has this content.
 */
export async function recognised(
  wanted: readonly ReleaseFile[],
  isThere: (path: string) => boolean,
  isSame: (file: ReleaseFile) => Promise<boolean>,
  claim: Claim,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ReleaseFile>> {
  const candidates = Map.groupBy([wanted, ...(await claim.releases())].flat(), ({ path }) => path)
  const ours = new Map<string, ReleaseFile>()
  const there = [...candidates].filter(([path]) => isThere(path))
  await forEachConcurrently(there, 8, signal, async ([path, files]) => {
    const tried = new Set<string>()
    for (const file of files) {
      if (ours.has(path) || tried.has(file.sha256)) continue
      tried.add(file.sha256)
      if (await isSame(file)) ours.set(path, file)
    }
  })
  return ours
}

export const foreignFile = (name: string): CausedError => new CausedError(cause('target_foreign', { name }))
