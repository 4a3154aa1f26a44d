import { CausedError, cause } from '../../../contract/cause.ts'
import type { TargetNote } from '../../../contract/domain/bundle/manifest.ts'
import { forEachConcurrently } from '../../platform/timing/concurrency.ts'
import type { Claim } from './claim.ts'
import { foreignCause, foreignFile, recognised } from './claim.ts'
import type { Journal, JournalOptions, NoteStore } from './journal.ts'
import { createJournal } from './journal.ts'
import type { HeldFile, HeldFiles, ReleaseFile } from './release-record.ts'
import { heldText, readHeld } from './release-record.ts'
import type { ChangeReason, OutgoingRelease, PlannedChange, ReleaseTarget, TargetPlan } from './target-port.ts'
import { countsOf, inOrder, isText, removalOrder } from './target-port.ts'

/** A file as a storage lists it. `md5` null: the storage does not say. */
export interface ListedFile {
  readonly bytes: number
  readonly md5: string | null
}

/** The form in which a storage has a file, where it differs from the file or the storage reports its hash. */
export type StoredForm = Pick<HeldFile, 'storedBytes' | 'md5'>

/** What a release needs from a remote storage. Faults are thrown as storage faults. */
export interface RemoteStore extends NoteStore {
  /** How many files are sent concurrently. */
  readonly atATime: number
  /** Those of these paths that exist. */
  list(paths: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, ListedFile>>
  /** Replaces a file atomically: readers see the previous content or this one. Returns its stored form, unless it is its own. */
  put(release: OutgoingRelease, file: ReleaseFile, signal: AbortSignal): Promise<StoredForm | undefined>
  /** Like `put`, in two steps: the returned function does the second, quick one. */
  stage?(release: OutgoingRelease, file: ReleaseFile, signal: AbortSignal): Promise<() => Promise<void>>
  /**
   * Fails if the storage reports that it has no room for this many bytes. Storages without `stage` have it: their
   * pages have nowhere to wait until all of them are sent.
   */
  mustHaveRoom?(bytes: number, signal: AbortSignal): Promise<void>
  /** Deletes the temporary files that an interrupted publication left for these paths. */
  dropStaged(paths: ReadonlySet<string>): Promise<void>
  /** Whether this media file is in its place, as far as the storage can report it without sending the file. */
  has(release: OutgoingRelease, file: ReleaseFile): Promise<boolean>
  remove(paths: readonly string[], signal: AbortSignal): Promise<void>
  hash(path: string): Promise<string | null>
  probe(path: string, text: string): Promise<() => Promise<void>>
  /** Whether the storage was seen to leave a moment without a file that is replaced. */
  hasGaps?(): boolean
  close(): Promise<void>
}

const heldNote = 'release.json'

const never = new AbortController().signal

interface Seen {
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
type Held = Omit<HeldFiles, keyof TargetNote> & { readonly note: TargetNote | null }

/**
 * A remote target. A note there lists what it holds, and only differences are sent. Media go first, with names made
 * from their hash; then what pages need, the pages, and files that lead to pages. Obsolete files are deleted last.
 */
export function remoteTarget(
  store: RemoteStore,
  { compressed, ...options }: Pick<HeldFiles, 'compressed'> & JournalOptions,
): ReleaseTarget {
  const journal = createJournal(store, options)
  let isTouched = false

  /** `write` relies on what `plan` read: the target's lock keeps other publications out. */
  let lastSeen: { readonly files: readonly ReleaseFile[]; readonly seen: Seen } | null = null
  let gone: readonly string[] = []
  let claimed: Claim | null = null
  const forms = createForms()

  async function planned(release: OutgoingRelease, claim: Claim, signal: AbortSignal) {
    const { files } = release
    const ports = { store, journal, claim, compressed, signal }
    const seen = lastSeen?.files === files ? lastSeen.seen : await readCurrent(release, ports)
    lastSeen = { files, seen }
    forms.know(seen.held?.files ?? [])
    return { seen, ...differences(files, seen, compressed) }
  }

  async function put(release: OutgoingRelease, file: ReleaseFile, signal: AbortSignal): Promise<void> {
    forms.set(file, await store.put(release, file, signal))
  }

  return {
    async plan(release, claim, signal): Promise<TargetPlan> {
      claimed = claim
      const { seen, changes, gone: going } = await planned(release, claim, signal)
      return planOf(release.files, seen, changes, going)
    },

    async write(release, signal, sent) {
      if (claimed === null) throw new Error('Nothing was planned')
      const { seen, changes, gone: going } = await planned(release, claimed, signal)
      lastSeen = null
      gone = going
      if (changes.length === 0 && gone.length === 0 && seen.touched.size === 0) return
      const paths = new Set(changes.map(({ path }) => path))
      const wanted = release.files.filter(({ path }) => paths.has(path))
      const touched = new Set([...seen.touched, ...paths, ...gone])
      await beginAlone(store, journal, { owner: claimed.owner, seen, touched, signal })
      const send = (group: readonly ReleaseFile[]) =>
        forEachConcurrently(group, store.atATime, signal, async (file, stop) => {
          await put(release, file, stop)
          sent?.()
        })
      const isNew = new Set(changes.flatMap(({ path, reason }) => (reason === 'new' ? [path] : [])))
      const texts = wanted.filter(({ path }) => isText(path))
      const steps = store.stage
        ? stagedSteps({ ...store, stage: store.stage }, release, texts, { signal, sent, touched })
        : directSteps(store, texts, { signal, send, held: seen.held, isNew })
      try {
        await send(wanted.filter(({ path }) => !isText(path)))
        await steps.prepare()
        signal.throwIfAborted()
      } catch (error) {
        // They may be what fills the target's disk. If the target does not respond, they stay until the next
        // publication.
        await steps.drop().catch(() => undefined)
        throw error
      }
      isTouched = true
      await steps.replace()
    },

    async finish({ files, note }) {
      await journal.mustBeOurs()
      await store.writeNote(heldNote, heldText({ ...note, compressed, files: files.map(forms.noted) }))
      await store.remove(gone, never)
      await store.dropStaged(new Set())
      await journal.end()
    },

    isTouched: () => isTouched,
    has: store.has,
    hash: store.hash,
    probe: store.probe,
    hasGaps: () => store.hasGaps?.() === true,
    async close() {
      await journal.stop()
      await store.close()
    },
  }
}

function planOf(
  files: readonly ReleaseFile[],
  { held, touched }: Seen,
  changes: readonly PlannedChange[],
  gone: readonly string[],
): TargetPlan {
  const removals = gone.map((path): PlannedChange => ({ path, change: 'removed', reason: 'gone', bytes: 0 }))
  const all = [...changes, ...removals]
  return {
    counts: countsOf(files, all),
    changes: all,
    held: held?.files ?? [],
    note: held?.note ?? null,
    isUnfinished: touched.size > 0,
  }
}

/** The stored forms of files, as the note of a target keeps them: those that were there, and those that were sent. */
function createForms() {
  const forms = new Map<string, StoredForm & Pick<ReleaseFile, 'sha256'>>()
  return {
    know(held: readonly HeldFile[]): void {
      for (const { path, sha256, storedBytes, md5 } of held)
        if (!forms.has(path)) forms.set(path, { sha256, storedBytes, md5 })
    },
    set: ({ path, sha256 }: ReleaseFile, form: StoredForm | undefined): void =>
      void forms.set(path, { sha256, ...form }),
    noted({ path, bytes, sha256 }: ReleaseFile): HeldFile {
      const form = forms.get(path)
      return { path, bytes, sha256, ...(form?.sha256 === sha256 && form) }
    },
  }
}

/** Begins a publication, unless another computer publishes, or has published since the plan was made. */
async function beginAlone(
  store: RemoteStore,
  journal: Journal,
  about: {
    readonly owner: string
    readonly seen: Seen
    readonly touched: ReadonlySet<string>
    readonly signal: AbortSignal
  },
): Promise<void> {
  const { owner, seen, touched, signal } = about
  await journal.awaitOthers(seen.touched, signal)
  // First, because what an interrupted publication left may be what fills the target's disk.
  if (seen.touched.size > 0) await store.dropStaged(seen.touched)
  await journal.begin(owner, [...touched])
  if ((await store.readNote(heldNote)) === seen.note) return
  if (seen.touched.size === 0) await journal.end()
  throw new CausedError(cause('target_busy'))
}

interface ReadPorts {
  readonly store: RemoteStore
  readonly journal: Journal
  readonly claim: Claim
  readonly compressed: boolean
  readonly signal: AbortSignal
}

/** The current content of the target. Fails if it is not for this library to change. */
async function readCurrent(release: OutgoingRelease, ports: ReadPorts): Promise<Seen> {
  const { store, journal, claim, signal } = ports
  const { files } = release
  const note = await store.readNote(heldNote)
  const read = note === null ? null : readHeld(note)
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
    if (await store.has(release, file)) there.add(file.path)
  })
  const same = files.filter(({ path, sha256 }) => listed.has(path) && before.get(path)?.sha256 === sha256)
  const altered = new Set(same.flatMap(({ path }) => (isOther(listed.get(path), before.get(path)) ? [path] : [])))
  if (claim.isThorough)
    await forEachConcurrently(same, store.atATime, signal, async ({ path, sha256 }) => {
      if (!altered.has(path) && (await store.hash(path)) !== sha256) altered.add(path)
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
  const hashAt = (path: string): Promise<string | null> => {
    const known = hashes.get(path) ?? store.hash(path)
    hashes.set(path, known)
    return known
  }
  const ours = await recognised(
    release.files,
    (path) => listed.has(path) && !touched.has(path),
    async (file) => {
      if (isText(file.path)) return (await hashAt(file.path)) === file.sha256
      return listed.get(file.path)?.bytes === file.bytes && (await store.has(release, file))
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

/** How texts are written: everything that may fail for want of room, what undoes that, and what readers see. */
interface TextSteps {
  prepare(): Promise<void>
  drop(): Promise<void>
  replace(): Promise<void>
}

/** All texts are first sent to temporary paths beside their places. */
function stagedSteps(
  store: RemoteStore & Required<Pick<RemoteStore, 'stage'>>,
  release: OutgoingRelease,
  texts: readonly ReleaseFile[],
  about: {
    readonly signal: AbortSignal
    readonly sent: (() => void) | undefined
    readonly touched: ReadonlySet<string>
  },
): TextSteps {
  const { signal, sent, touched } = about
  const places = new Map<string, () => Promise<void>>()
  return {
    prepare: () =>
      forEachConcurrently(texts, store.atATime, signal, async (file, stop) => {
        places.set(file.path, await store.stage(release, file, stop))
        sent?.()
      }),
    drop: () => store.dropStaged(touched),
    async replace() {
      for (const group of inOrder(texts))
        await forEachConcurrently(group, store.atATime, signal, async ({ path }) => places.get(path)?.())
    },
  }
}

/**
 * No page links to new texts yet, so they are sent first. After that, there must be room for the texts that are
 * replaced.
 */
function directSteps(
  store: RemoteStore,
  texts: readonly ReleaseFile[],
  about: {
    readonly signal: AbortSignal
    readonly send: (group: readonly ReleaseFile[]) => Promise<void>
    readonly held: Held | null
    readonly isNew: ReadonlySet<string>
  },
): TextSteps {
  const { signal, send, held, isNew } = about
  const { unseen, replaced } = unseenFirst(texts, (path) => held !== null && isNew.has(path))
  return {
    async prepare() {
      for (const group of unseen) await send(group)
      await store.mustHaveRoom?.(roomFor(replaced.flat(), held), signal)
    },
    drop: () =>
      store.remove(
        unseen.flat().map(({ path }) => path),
        never,
      ),
    async replace() {
      for (const group of replaced) await send(group)
    },
  }
}

/** Texts in the order in which they are sent; those that no page links to before another one is replaced come first. */
function unseenFirst(texts: readonly ReleaseFile[], isNew: (path: string) => boolean) {
  const [needed = [], pages = [], leads = []] = inOrder(texts)
  const both = (isWanted: boolean) =>
    [needed, pages].map((group) => group.filter(({ path }) => isNew(path) === isWanted))
  return { unseen: both(true), replaced: [...both(false), leads] }
}

/**
 * The room that replacing files may need: their growth, and the size of the largest one, which exists twice for a
 * moment.
 */
function roomFor(files: readonly ReleaseFile[], held: Held | null): number {
  // Without a previous release there is nothing to keep whole.
  if (held === null) return 0
  const before = new Map(held.files.map(({ path, bytes }) => [path, bytes]))
  const growth = files.reduce((sum, { path, bytes }) => sum + Math.max(0, bytes - (before.get(path) ?? 0)), 0)
  return growth + files.reduce((most, { bytes }) => Math.max(most, bytes), 0)
}

/** What writing would change. */
function differences(files: readonly ReleaseFile[], seen: Seen, compressed: boolean) {
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
