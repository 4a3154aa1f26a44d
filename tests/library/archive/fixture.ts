import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

import type {
  ArchiveFailure,
  StagedFile,
  UnpackedFonts,
  UnpackedMedia,
  UnpackFontsJob,
  UnpackMediaJob,
} from '../../../packages/library/archive/jobs.ts'
import { runJob } from '../../../packages/library/archive/run-job.ts'
import type { Sha256 } from '../../../packages/wire/ids.ts'
import type { ArchiveLimits } from '../../../packages/wire/protocol/archive.ts'
import { archiveLimits } from '../../../packages/wire/protocol/archive.ts'

export const sha256 = (bytes: Buffer): Sha256 => createHash('sha256').update(bytes).digest('hex') as Sha256

/** A folder for one job with the archive in it. Its parent shows whatever escapes the folder. */
export function aPlace(archive: Buffer): { parent: string; stagingDir: string; archive: StagedFile } {
  const parent = mkdtempSync(join(tmpdir(), 'galley-archive-'))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
  const stagingDir = join(parent, 'staging')
  mkdirSync(stagingDir)
  const path = join(stagingDir, 'received.zip')
  writeFileSync(path, archive)
  return { parent, stagingDir, archive: { path, sha256: sha256(archive), sizeBytes: archive.length } }
}

export type Outcome<Unpacked> =
  | { readonly failure: ArchiveFailure; readonly value: null; readonly parent: string; readonly stagingDir: string }
  | {
      readonly failure: null
      readonly value: Unpacked
      readonly parent: string
      readonly stagingDir: string
      /** The bytes of a staged blob. */
      readonly read: (blob: { readonly sha256: string }) => Buffer
      /** The bytes of every file, by name. */
      readonly files: () => Record<string, Buffer>
    }

export const unpackMedia = (
  bytes: Buffer,
  job: Partial<UnpackMediaJob> & { limits?: ArchiveLimits } = {},
): Promise<Outcome<UnpackedMedia>> => {
  const place = aPlace(bytes)
  const whole: UnpackMediaJob = {
    kind: 'unpackMedia',
    isInFolder: false,
    archive: place.archive,
    stagingDir: place.stagingDir,
    limits: archiveLimits,
    publicBase: 'https://cdn.example',
    ownBases: ['https://cdn.example'],
    earlierState: null,
    ...job,
  }
  return outcome<UnpackedMedia>(place, whole, (value) => (value.kind === 'media' ? value.media : []))
}

export const unpackFonts = (bytes: Buffer, job: Partial<UnpackFontsJob> = {}): Promise<Outcome<UnpackedFonts>> => {
  const place = aPlace(bytes)
  const whole: UnpackFontsJob = {
    kind: 'unpackFonts',
    isInFolder: false,
    archive: place.archive,
    stagingDir: place.stagingDir,
    limits: archiveLimits,
    publicFolder: 'https://cdn.example/fonts/site/s1/',
    tree: null,
    ...job,
  }
  return outcome<UnpackedFonts>(place, whole, (value) => (value.kind === 'fonts' ? value.files : []))
}

async function outcome<Unpacked extends UnpackedMedia | UnpackedFonts>(
  { parent, stagingDir }: { parent: string; stagingDir: string },
  job: UnpackMediaJob | UnpackFontsJob,
  filesOf: (value: UnpackedMedia | UnpackedFonts) => readonly { name: string; sha256: string }[],
): Promise<Outcome<Unpacked>> {
  const { result } = await runJob(job)
  if (!result.ok) return { failure: result.failure, value: null, parent, stagingDir }
  const { value } = result
  if (value.kind === 'rewritten') throw new Error('It was not unpacked')
  const read = (blob: { readonly sha256: string }): Buffer => {
    const staged = value.blobs.find((one) => one.sha256 === blob.sha256)
    if (staged === undefined) throw new Error('No such blob')
    if (staged.at.kind === 'file') return readFileSync(staged.at.path)
    if (value.pack === null) throw new Error('No pack')
    return readFileSync(value.pack.path).subarray(staged.at.offset, staged.at.offset + staged.sizeBytes)
  }
  const files = (): Record<string, Buffer> => Object.fromEntries(filesOf(value).map((file) => [file.name, read(file)]))
  return { failure: null, value: value as Unpacked, parent, stagingDir, read, files }
}

/** What the job's parent folder contains besides the staging folder: always nothing. */
export const strays = (parent: string): readonly string[] => readdirSync(parent).filter((name) => name !== 'staging')
