import { createHash } from 'node:crypto'
import type { ListedFile, Store } from '@galley/platform'
import { forEachConcurrently } from '@galley/platform'
import { CausedError, cause } from '@galley/wire'

import type { TargetNote } from '../bundle/manifest.ts'
import type { Claim } from './claim.ts'
import { foreignCause, foreignFile, recognised } from './claim.ts'
import type { Journal, Notes } from './journal.ts'
import { notesFolder } from './journal.ts'
import type { HeldFile, HeldFiles, ReleaseFile } from './release-record.ts'
import { readHeld } from './release-record.ts'
import type { ChangeReason, OutgoingRelease, PlannedChange } from './target-port.ts'
import { isText, outgoing, removalOrder } from './target-port.ts'

/** The note of what a target holds. */
export const heldNote = `${notesFolder}/release.json`

/** What is on a remote target. */
export interface Seen {
  readonly held: Held | null
  /** The note about it, as it was read. */
  readonly note: string | null
  readonly touched: ReadonlySet<string>
  readonly listed: ReadonlyMap<string, ListedFile>
  /** Files of the release that are in their places, regardless of the note. */
  readonly there: ReadonlySet<string>
  /** Files whose content the note has, and the target has not. */
  readonly altered: ReadonlySet<string>
}

/** What a target shows, from its note or from what is there. */
export type Held = Omit<HeldFiles, keyof TargetNote> & { readonly note: TargetNote | null }

/** SHA-256 of a file of a store; null if it does not exist. */
export const hashAt = (store: Pick<Store, 'get'>, path: string): Promise<string | null> =>
  store.get(path, async (bytes) => {
    const hash = createHash('sha256')
    for await (const chunk of bytes) hash.update(chunk)
    return hash.digest('hex')
  })

interface ReadPorts {
  readonly store: Store
  readonly notes: Notes
  readonly journal: Journal
  readonly claim: Claim
  readonly compressed: boolean
  readonly signal: AbortSignal
}

/** The current content of the target. Fails if it is not for this library to change. */
export async function readCurrent(release: OutgoingRelease, ports: ReadPorts): Promise<Seen> {
  const { store, notes, journal, claim, signal } = ports
  const { files } = release
  const note = await notes.read(heldNote)
  const read = note === null ? null : readHeld(note)
  if (read === 'newer') throw new CausedError(cause('newer_galley', { name: heldNote }))
  if (note !== null && read === null && !claim.takeOver) throw foreignFile(heldNote)
  const foreign = read && (await foreignCause(read, read.files, claim))
  if (foreign !== null) throw new CausedError(foreign)
  const unfinished = await journal.read()
  if (unfinished !== null && unfinished.owner !== claim.owner && !claim.takeOver)
    throw new CausedError(cause('target_other_site'))
  const touched = new Set(unfinished?.paths)
  const known = read?.files ?? (await claim.releases()).flat()
  const paths = new Set([...[...files, ...known].map(({ path }) => path), ...touched])
  const listed = await store.list([...paths], signal)
  const held = read === null ? await heldWithoutNote(release, touched, listed, ports) : heldBy(read)
  const before = new Map(held?.files.map((file) => [file.path, file]))
  const stray = files.find(({ path }) => listed.has(path) && !before.has(path) && !touched.has(path))
  if (stray !== undefined && !claim.takeOver) throw foreignFile(stray.path)
  const there = new Set<string>()
  const likely = files.filter(
    ({ path, bytes }) => !isText(path) && !before.has(path) && listed.get(path)?.bytes === bytes,
  )
  await forEachConcurrently(likely, store.atATime, signal, async (file) => {
    if ((await store.head(outgoing(release, file), signal)) === 'there') there.add(file.path)
  })
  const same = files.filter(({ path, sha256 }) => listed.has(path) && before.get(path)?.sha256 === sha256)
  const altered = new Set(same.flatMap(({ path }) => (isOther(listed.get(path), before.get(path)) ? [path] : [])))
  if (claim.isThorough)
    await forEachConcurrently(same, store.atATime, signal, async ({ path, sha256 }) => {
      if (!altered.has(path) && (await hashAt(store, path)) !== sha256) altered.add(path)
    })
  return { held, note, touched, listed, there, altered }
}

const heldBy = ({ compressed, files, owner, release, pages }: HeldFiles): Held => ({
  compressed,
  files,
  note: { owner, release, pages },
})

/** Whether what is listed cannot be what was stored. What cannot be compared counts as the same. */
const isOther = (found: ListedFile | undefined, stored: HeldFile | undefined): boolean =>
  found !== undefined &&
  stored !== undefined &&
  (found.bytes !== (stored.storedBytes ?? stored.bytes) ||
    (found.md5 !== null && stored.md5 !== undefined && found.md5 !== stored.md5))

/** What a target without its note holds of this site's releases; null if nothing. */
async function heldWithoutNote(
  release: OutgoingRelease,
  touched: ReadonlySet<string>,
  listed: ReadonlyMap<string, ListedFile>,
  { store, claim, compressed, signal }: ReadPorts,
): Promise<Held | null> {
  const hashes = new Map<string, Promise<string | null>>()
  const hashOnce = (path: string): Promise<string | null> => {
    const known = hashes.get(path) ?? hashAt(store, path)
    hashes.set(path, known)
    return known
  }
  const ours = await recognised(
    release.files,
    (path) => listed.has(path) && !touched.has(path),
    async (file) => {
      if (isText(file.path)) return (await hashOnce(file.path)) === file.sha256
      return (
        listed.get(file.path)?.bytes === file.bytes && (await store.head(outgoing(release, file), signal)) === 'there'
      )
    },
    claim,
    signal,
  )
  if (ours.size === 0) return null
  const files = [...ours.values()].map(({ path, bytes, sha256 }): HeldFile => {
    // Stored compressed, its size is another one.
    const storedBytes = listed.get(path)?.bytes
    return { path, bytes, sha256, ...(storedBytes !== bytes && { storedBytes }) }
  })
  return { compressed, files, note: null }
}

/** What writing would change. */
export function differences(files: readonly ReleaseFile[], seen: Seen, compressed: boolean) {
  const { held, touched, listed, there, altered } = seen
  const before = new Map((held?.files ?? []).map((file) => [file.path, file]))
  const reasonOf = (file: ReleaseFile): ChangeReason | null => {
    const { path } = file
    const old = before.get(path)
    if (there.has(path)) return null
    if (old === undefined) return touched.has(path) ? 'unfinished' : listed.has(path) ? 'content' : 'new'
    if (old.sha256 !== file.sha256) return 'content'
    if (!listed.has(path)) return 'missing'
    if (altered.has(path)) return 'altered'
    if (!isText(path)) return null
    if (held !== null && held.compressed !== compressed) return 'form'
    return touched.has(path) ? 'unfinished' : null
  }
  const changes = files.flatMap((file): readonly PlannedChange[] => {
    const reason = reasonOf(file)
    const change = listed.has(file.path) ? 'changed' : 'added'
    return reason === null ? [] : [{ path: file.path, change, reason, bytes: file.bytes }]
  })
  const now = new Set(files.map(({ path }) => path))
  const gone = [...new Set([...before.keys(), ...touched])].filter((path) => !now.has(path) && listed.has(path))
  return { changes, gone: removalOrder(gone) }
}
