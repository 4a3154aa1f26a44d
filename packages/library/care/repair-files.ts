import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlobLocation } from '@galley/platform'
import { digestOf } from '@galley/platform'
import type { Sha256 } from '@galley/wire'
import { archiveLimits, fontsPath, readCallbackBody } from '@galley/wire'

import type { ArchiveWorkers } from '../archive/client.ts'
import type { UnpackFontsJob, UnpackMediaJob } from '../archive/jobs.ts'
import type { BlobUse, Origin } from '../db/file/blob-uses.ts'
import type { IndexReads, IndexWith } from '../db/library-index.ts'
import type { NewBlob } from '../records/changes.ts'
import type { AdoptionOutcome, Staged, Vault } from '../vault/vault.ts'
import type { DamagedFile } from './check-files.ts'
import type { BlobSlice } from './read-file.ts'

/** The dependencies of repairs. */
export interface RepairPorts {
  readonly index: IndexWith<'blobs' | 'commit'>
  readonly vault: Vault
  readonly workers: ArchiveWorkers
}

/** The uses of a blob with an intact archive: unpacking it again may restore the blob. */
export function sourcesOf(index: IndexReads, blob: Sha256, damaged: ReadonlySet<Sha256>): readonly BlobUse[] {
  return index.blobUses.of(blob, 20).filter((use) => {
    const kept = index.blobUses.origin(use)?.kept
    return use.part !== 'archive' && kept !== undefined && kept !== blob && !damaged.has(kept)
  })
}

/**
 * Restores lost blobs from the stored archives: unpacks and rewrites each one as at its arrival, and takes output whose hash
 * is that of a lost blob. Returns the restored blobs. Deletes nothing.
 */
export async function repairFiles(
  { index, vault, workers }: RepairPorts,
  damaged: readonly DamagedFile[],
  signal: AbortSignal,
): Promise<ReadonlySet<Sha256>> {
  const lost = new Set(damaged.flatMap(({ bad }) => [...bad]))
  const damagedNames = new Set(damaged.map(({ file }) => file))
  const found = new Map<Sha256, BlobLocation>()
  const places: string[] = []
  const whole = new Set<Sha256>()
  try {
    for (const blob of lost) {
      for (const use of sourcesOf(index, blob, damagedNames)) {
        signal.throwIfAborted()
        // The names of files in a folder differ, and with them the URLs in page and state. The target may have changed.
        for (const isInFolder of [false, true]) {
          if (found.has(blob)) break
          const stagingDir = await vault.stage()
          places.push(stagingDir)
          for (const [name, place] of await unpackAgain({ index, vault, workers }, use, isInFolder, stagingDir)) {
            if (lost.has(name) && !found.has(name)) found.set(name, place)
          }
        }
      }
    }
    const target = await vault.stage()
    places.push(target)
    for (const file of damaged) {
      signal.throwIfAborted()
      for (const blob of await repairFile({ index, vault }, file, found, target)) whole.add(blob)
    }
  } finally {
    for (const place of places) await vault.discard(place)
  }
  return whole
}

/** All blobs of an archive, by hash, in a separate folder. Empty if the archive can no longer be unpacked. */
async function unpackAgain(
  { index, vault, workers }: RepairPorts,
  use: BlobUse,
  isInFolder: boolean,
  stagingDir: string,
): Promise<ReadonlyMap<Sha256, BlobLocation>> {
  const origin = index.blobUses.origin(use)
  const kept = origin && index.blobs.find(origin.kept)
  if (!origin || !kept) return new Map()
  const common = {
    archive: { path: vault.pathOf(kept.file), sha256: origin.received, sizeBytes: kept.sizeBytes },
    stagingDir,
    limits: archiveLimits,
    isInFolder,
  }
  const { result } = await workers.run(jobFor(use, origin, common, await placeOf(index, vault, origin.earlierState)))
  if (!result.ok) return new Map()
  const { blobs, pack } = result.value
  return new Map(
    blobs.flatMap(({ sha256, sizeBytes, at }): [Sha256, BlobLocation][] => {
      if (at.kind === 'file') return [[sha256, { path: at.path, offset: 0, sizeBytes }]]
      return pack ? [[sha256, { path: pack.path, offset: at.offset, sizeBytes }]] : []
    }),
  )
}

function jobFor(
  { kind, site, versionId }: BlobUse,
  { publicBase, payload }: Origin,
  common: Pick<UnpackMediaJob, 'archive' | 'stagingDir' | 'limits' | 'isInFolder'>,
  earlierState: BlobLocation | null,
): UnpackMediaJob | UnpackFontsJob {
  if (kind === 'version') return { ...common, kind: 'unpackMedia', publicBase, ownBases: [], earlierState }
  const body = payload === null ? null : readCallbackBody(payload)
  const tree = body?.ok ? body.value.fonts : null
  const publicFolder = publicBase + fontsPath(site, versionId)
  return { ...common, kind: 'unpackFonts', publicFolder, tree }
}

async function placeOf(index: IndexReads, vault: Vault, blob: Sha256 | null): Promise<BlobLocation | null> {
  const place = blob && index.blobs.find(blob)
  return place ? vault.locate(place) : null
}

/** Rewrites the intact content of a damaged file: a pack of small blobs, or a single blob under its own name. */
async function repairFile(
  { index, vault }: Omit<RepairPorts, 'workers'>,
  { file, blobs, bad }: DamagedFile,
  found: ReadonlyMap<Sha256, BlobLocation>,
  target: string,
): Promise<readonly Sha256[]> {
  const path = join(target, file)
  const written: NewBlob[] = []
  let offset = 0
  const hash = createHash('sha256')
  {
    await using handle = await open(path, 'wx', 0o600)
    for (const blob of blobs) {
      const source = bad.has(blob.sha256) ? found.get(blob.sha256) : { ...blob, path: vault.pathOf(file) }
      if (source === undefined) continue
      await copyBlob(source, handle, (chunk) => hash.update(chunk))
      written.push({ sha256: blob.sha256, sizeBytes: blob.sizeBytes, pack: { sha256: file, offset } })
      offset += blob.sizeBytes
    }
    await handle.sync()
  }
  if (written.length === 0) return []
  const staged: Staged = { path, sha256: digestOf(hash) }
  const adoption = await vault.adopt([staged])
  let outcome: AdoptionOutcome = 'unknown'
  try {
    const moved = written.map((blob) => ({ ...blob, pack: blob.pack && { ...blob.pack, sha256: staged.sha256 } }))
    if (!isOwnFile(file, blobs)) await index.commit.write(() => index.blobs.move(moved))
    outcome = 'stored'
  } finally {
    adoption.settle(outcome)
  }
  return written.map(({ sha256 }) => sha256)
}

/** Whether the file is a single blob. The new file then has the same name. */
const isOwnFile = (file: Sha256, blobs: readonly BlobSlice[]): boolean => blobs[0]?.sha256 === file

const pieceBytes = 256 * 1024

async function copyBlob(from: BlobLocation, to: FileHandle, onChunk: (chunk: Buffer) => void): Promise<void> {
  await using source = await open(from.path)
  const buffer = Buffer.alloc(Math.min(pieceBytes, from.sizeBytes))
  for (let done = 0; done < from.sizeBytes;) {
    const { bytesRead } = await source.read(
      buffer,
      0,
      Math.min(buffer.length, from.sizeBytes - done),
      from.offset + done,
    )
    if (bytesRead === 0) throw new Error('A file became shorter while it was copied')
    const chunk = buffer.subarray(0, bytesRead)
    onChunk(chunk)
    await to.appendFile(chunk)
    done += bytesRead
  }
}
