import { CausedError, cause } from '../../../contract/cause.ts'
import { forEachConcurrently } from '../../platform/timing/concurrency.ts'
import type { Journal, JournalOptions, NoteStore } from './journal.ts'
import { createJournal } from './journal.ts'
import type { HeldFiles, ReleaseFile } from './release-record.ts'
import { heldText, readHeld } from './release-record.ts'
import type { ChangeReason, OutgoingRelease, PlannedChange, ReleaseTarget, TargetPlan } from './target-port.ts'
import { countsOf, inOrder, isText, removalOrder } from './target-port.ts'

/** What a release needs from a remote storage. Faults are thrown as storage faults. */
export interface RemoteStore extends NoteStore {
  /** How many files are sent concurrently. */
  readonly atATime: number
  /** The paths that exist, with their sizes. */
  sizes(paths: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Replaces a file atomically: readers see the previous content or this one. */
  put(release: OutgoingRelease, file: ReleaseFile, signal: AbortSignal): Promise<void>
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
  close(): Promise<void>
}

const heldNote = 'release.json'

const never = new AbortController().signal

interface Seen {
  readonly held: HeldFiles | null
  /** The note about it, as it was read. */
  readonly note: string | null
  readonly touched: ReadonlySet<string>
  /** Files of the release that are in their places, regardless of the note. */
  readonly there: ReadonlySet<string>
}

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

  async function planned(release: OutgoingRelease) {
    const { files } = release
    const seen = lastSeen?.files === files ? lastSeen.seen : await readCurrent(store, journal, release)
    lastSeen = { files, seen }
    return { seen, ...differences(files, seen, compressed) }
  }

  return {
    async plan(release): Promise<TargetPlan> {
      const { files } = release
      const { seen, changes, gone: going } = await planned(release)
      const removals = going.map((path): PlannedChange => ({ path, change: 'removed', reason: 'gone', bytes: 0 }))
      const all = [...changes, ...removals]
      return {
        counts: countsOf(files, all),
        changes: all,
        held: seen.held?.files ?? [],
        isUnfinished: seen.touched.size > 0,
      }
    },

    async write(release, signal, sent) {
      const { seen, changes, gone: going } = await planned(release)
      lastSeen = null
      gone = going
      if (changes.length === 0 && gone.length === 0 && seen.touched.size === 0) return
      const paths = new Set(changes.map(({ path }) => path))
      const wanted = release.files.filter(({ path }) => paths.has(path))
      const touched = new Set([...seen.touched, ...paths, ...gone])
      await beginAlone(store, journal, { seen, touched, signal })
      const send = (group: readonly ReleaseFile[]) =>
        forEachConcurrently(group, store.atATime, signal, async (file, stop) => {
          await store.put(release, file, stop)
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

    async finish({ files }) {
      await journal.mustBeOurs()
      const facts = files.map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 }))
      await store.writeNote(heldNote, heldText({ compressed, files: facts }))
      await store.remove(gone, never)
      await store.dropStaged(new Set())
      await journal.end()
    },

    isTouched: () => isTouched,
    has: store.has,
    hash: store.hash,
    probe: store.probe,
    async close() {
      await journal.stop()
      await store.close()
    },
  }
}

/** Begins a publication, unless another computer publishes, or has published since the plan was made. */
async function beginAlone(
  store: RemoteStore,
  journal: Journal,
  about: { readonly seen: Seen; readonly touched: ReadonlySet<string>; readonly signal: AbortSignal },
): Promise<void> {
  const { seen, touched, signal } = about
  await journal.awaitOthers(seen.touched, signal)
  // First, because what an interrupted publication left may be what fills the target's disk.
  if (seen.touched.size > 0) await store.dropStaged(seen.touched)
  await journal.begin([...touched])
  if ((await store.readNote(heldNote)) === seen.note) return
  if (seen.touched.size === 0) await journal.end()
  throw new CausedError(cause('target_busy'))
}

/** The current content of the target. */
async function readCurrent(store: RemoteStore, journal: Journal, release: OutgoingRelease): Promise<Seen> {
  const { files } = release
  const note = await store.readNote(heldNote)
  const held = note === null ? null : readHeld(note)
  if (note !== null && held === null) throw new CausedError(cause('target_foreign', { name: heldNote }))
  const touched = new Set(await journal.read())
  const noted = new Set((held?.files ?? []).map(({ path }) => path))
  const isOurs = (path: string): boolean => noted.has(path) || touched.has(path)
  const unknown = files.map(({ path }) => path).filter((path) => !noted.has(path))
  const sizes = unknown.length === 0 ? new Map<string, number>() : await store.sizes(unknown)
  const foreign = [...sizes.keys()].find((path) => !isOurs(path))
  if (foreign !== undefined) throw new CausedError(cause('target_foreign', { name: foreign }))
  const there = new Set<string>()
  const likely = files.filter(({ path, bytes }) => !isText(path) && sizes.get(path) === bytes)
  await forEachConcurrently(likely, store.atATime, never, async (file) => {
    if (await store.has(release, file)) there.add(file.path)
  })
  return { held, note, touched, there }
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
    readonly held: HeldFiles | null
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
function roomFor(files: readonly ReleaseFile[], held: HeldFiles | null): number {
  // Without a previous release there is nothing to keep whole.
  if (held === null) return 0
  const before = new Map(held.files.map(({ path, bytes }) => [path, bytes]))
  const growth = files.reduce((sum, { path, bytes }) => sum + Math.max(0, bytes - (before.get(path) ?? 0)), 0)
  return growth + files.reduce((most, { bytes }) => Math.max(most, bytes), 0)
}

/** What writing would change. */
function differences(files: readonly ReleaseFile[], { held, touched, there }: Seen, compressed: boolean) {
  const before = new Map((held?.files ?? []).map((file) => [file.path, file]))
  const reasonOf = (file: ReleaseFile): ChangeReason | null => {
    const old = before.get(file.path)
    if (there.has(file.path)) return null
    if (old === undefined) return touched.has(file.path) ? 'unfinished' : 'new'
    if (old.sha256 !== file.sha256) return 'content'
    if (!isText(file.path)) return null
    if (held !== null && held.compressed !== compressed) return 'form'
    return touched.has(file.path) ? 'unfinished' : null
  }
  const changes = files.flatMap((file): readonly PlannedChange[] => {
    const reason = reasonOf(file)
    const change = before.has(file.path) ? 'changed' : 'added'
    return reason === null ? [] : [{ path: file.path, change, reason, bytes: file.bytes }]
  })
  const now = new Set(files.map(({ path }) => path))
  const gone = [...new Set([...before.keys(), ...touched])].filter((path) => !now.has(path))
  return { changes, gone: removalOrder(gone) }
}
