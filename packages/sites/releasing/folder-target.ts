import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { ExportFailure } from '@galley/library/records'
import { bundlePath } from '@galley/library/records'
import { leftBeside, realDisk, sha256Of } from '@galley/platform'
import { CausedError, cause, ok } from '@galley/wire'
import type { Sha256 } from '@galley/wire'

import type { TargetNote } from '../bundle/manifest.ts'
import { publicManifestText, readTargetNote } from '../bundle/manifest.ts'
import type { Bundle } from '../exporting/bundle.ts'
import type { BundleFile } from '../exporting/content.ts'
import { bytesOf } from '../exporting/content.ts'
import { beginFolder, planFolder } from '../exporting/folder.ts'
import type { Ownership } from '../exporting/ownership.ts'
import { readOwnTexts } from '../exporting/ownership.ts'
import type { PathState, TargetFolder } from '../exporting/target-folder.ts'
import { verifiedBlob } from '../exporting/verified-blob.ts'
import { unwatched } from '../exporting/watch.ts'
import type { Claim } from './claim.ts'
import { foreignCause, foreignFile, recognised } from './claim.ts'
import type { ReleaseFile } from './release-record.ts'
import type { OutgoingRelease, PlannedChange, ReleaseTarget, TargetPlan } from './target-port.ts'
import { countsOf, hasContentHash, isText } from './target-port.ts'

/** A failure of the folder that the export can describe. */
export class FolderRefusedError extends Error {
  readonly failure: ExportFailure
  constructor(failure: ExportFailure) {
    super(failure.code)
    this.failure = failure
  }
}

/**
 * A folder that a web server serves, or that git or rsync copies. Unchanged files are not rewritten, so their
 * modification time is that of their last change. Besides the site, the folder has a manifest without any IDs.
 */
export function folderTarget(directory: string): ReleaseTarget {
  let isTouched = false
  let planning: Planning | null = null
  async function hashAt(path: string): Promise<string | null> {
    const file = join(directory, path)
    return (await realDisk.inspect(file))?.kind === 'file' ? realDisk.hash(file) : null
  }
  return {
    async plan(release, claim): Promise<TargetPlan> {
      planning = planningFor(release.files, claim)
      const checks = { isThorough: claim.isThorough, watch: unwatched, publication: planning }
      const planned = await planFolder(directory, bundleOf(release), realDisk, checks)
      if (!planned.ok) throw refusal(planned.failure)
      const { wanted, added, stale, owned } = planned.value
      const changes = wanted.map(({ path, bytes, sha256 }): PlannedChange => {
        const isNew = added.has(path)
        const isSame = owned.finished.get(path)?.sha256 === sha256
        const lost = isNew ? 'missing' : 'altered'
        const reason = isNew ? 'new' : owned.unfinished ? 'unfinished' : 'content'
        return { path, bytes, change: isNew ? 'added' : 'changed', reason: isSame && !owned.unfinished ? lost : reason }
      })
      const gone = stale.map((path): PlannedChange => ({ path, bytes: 0, change: 'removed', reason: 'gone' }))
      // Galley's own manifest is not a file of the site.
      const all = [...changes, ...gone].filter(({ path }) => path !== bundlePath.manifest)
      return {
        counts: countsOf(release.files, all),
        changes: all,
        held: [...owned.finished.values()],
        note: planning.note(),
        isUnfinished: owned.unfinished,
      }
    },
    async begin(release, signal, sent) {
      const watch = (): void => {
        signal.throwIfAborted()
        sent?.()
      }
      if (planning === null) throw new Error('Nothing was planned')
      // What was read for the plan and found altered is read again, and sent again.
      const checks = { isThorough: planning.isThorough, watch, publication: planning }
      const planned = await planFolder(directory, bundleOf(release), realDisk, checks)
      if (!planned.ok) throw refusal(planned.failure)
      const begun = await beginFolder(planned.value, checks)
      return (
        begun && {
          async put() {
            const failure = await begun.put()
            if (failure !== null) throw refusal(failure)
          },
          async switch() {
            isTouched = true
            await begun.switch()
          },
        }
      )
    },
    finish: async () => undefined,
    isTouched: () => isTouched,
    has: async (_release, { path, sha256 }) => (await hashAt(path)) === sha256,
    hash: hashAt,
    async probe(path, text) {
      await realDisk.makeFolder(directory)
      const isLeft = leftBeside(path)
      for (const name of await realDisk.list(directory))
        if (isLeft(name)) await rm(join(directory, name), { force: true, recursive: true })
      const file = join(directory, path)
      await realDisk.makeFolder(dirname(file))
      await realDisk.create(file, bytesOf(text))
      return () => rm(dirname(file), { force: true, recursive: true })
    },
    close: async () => undefined,
  }
}

const refusal = (failure: ExportFailure): Error =>
  failure.code === 'foreign_file' ? foreignFile(failure.path) : new FolderRefusedError(failure)

/** Decides which files of a folder are this site's, for the plan and again for the writing. */
function planningFor(wanted: readonly ReleaseFile[], claim: Claim) {
  const { owner, isThorough } = claim
  let note: TargetNote | null = null

  async function withoutManifest(target: TargetFolder, { paths, ...owned }: Ownership): Promise<Ownership> {
    const places = new Map<string, PathState>()
    for (const { path } of [wanted, ...(await claim.releases())].flat())
      if (!places.has(path) && !paths.has(path)) places.set(path, await target.inspect(path))
    const ours = await recognised(
      wanted,
      (path) => places.get(path)?.kind === 'file',
      async ({ path, sha256 }) => (await target.hash(path)) === sha256,
      claim,
      new AbortController().signal,
    )
    return { ...owned, finished: ours, paths: new Set([...paths, ...ours.keys()]) }
  }

  async function ownershipOf(target: TargetFolder): Promise<Ownership> {
    const read = await readOwnTexts(target)
    if (!read.ok) {
      if (read.failure.code === 'newer_galley') throw new CausedError(read.failure)
      if (!claim.takeOver) throw foreignFile(String(read.failure.name))
      note = null
      return { ...(await withoutManifest(target, nothing)), paths: pathsOf(wanted) }
    }
    const { manifest, ownership, interrupted } = read.value
    const isOfOther = interrupted === null ? manifest === null && ownership.unfinished : interrupted !== owner
    if (isOfOther && !claim.takeOver) throw new CausedError(cause('target_other_site'))
    note = manifest === null ? null : readTargetNote(manifest)
    if (manifest !== null) {
      const foreign = await foreignCause(note ?? { owner: '', release: '' }, ownership.finished.values(), claim)
      if (foreign !== null) throw new CausedError(foreign)
    }
    const owned = manifest === null ? await withoutManifest(target, ownership) : ownership
    return claim.takeOver ? { ...owned, paths: new Set([...owned.paths, ...pathsOf(wanted)]) } : owned
  }

  return { owner, isThorough, ownershipOf, note: () => note }
}

type Planning = ReturnType<typeof planningFor>

const nothing: Ownership = { finished: new Map(), paths: new Set(), unfinished: false }

const pathsOf = (files: readonly ReleaseFile[]): ReadonlySet<string> => new Set(files.map(({ path }) => path))

/** A release as a bundle for the folder writer. A release without files removes everything that is ours. */
function bundleOf(release: OutgoingRelease): Bundle {
  const files = release.files.map((file): BundleFile => {
    const { path, bytes, sha256 } = file
    const facts = { path, bytes, sha256, name: path }
    const read = () => release.read(file, 0, bytes)
    // A theme may have texts in any encoding.
    if (isText(path) && !hasContentHash(path))
      return { ...facts, kind: 'text', text: async () => ok((await buffer(read())).toString()) }
    return {
      ...facts,
      kind: 'blob',
      open: () => verifiedBlob({ openBlob: read }, { name: path, sha256: sha256 as Sha256, sizeBytes: bytes }),
    }
  })
  if (files.length === 0) return { files, sha256: '', links: { checked: 0, broken: [] } }
  const text = publicManifestText(release.note, files)
  const { manifest: path } = bundlePath
  const manifest = { path, name: path, bytes: Buffer.byteLength(text), sha256: sha256Of(text) }
  return {
    files: [...files, { ...manifest, kind: 'text', text: async () => ok(text) }],
    sha256: manifest.sha256,
    links: { checked: 0, broken: [] },
  }
}
