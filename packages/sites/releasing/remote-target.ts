import type { Store, StoredForm } from '@galley/platform'
import { forEachConcurrently } from '@galley/platform'
import { CausedError, cause } from '@galley/wire'

import type { Claim } from './claim.ts'
import type { Journal, JournalOptions, Notes } from './journal.ts'
import { createJournal, notesFolder, notesIn } from './journal.ts'
import type { HeldFile, HeldFiles, ReleaseFile } from './release-record.ts'
import { heldText } from './release-record.ts'
import type { Held, Seen } from './remote-state.ts'
import { differences, hashAt, heldNote, readCurrent } from './remote-state.ts'
import type { OutgoingRelease, PlannedChange, ReleaseTarget, TargetPlan, Update } from './target-port.ts'
import { countsOf, inOrder, isText, outgoing } from './target-port.ts'

/** What a release needs from a remote store beside its files. */
export interface RemoteStore extends Store {
  /** Like `put`, in two steps: the returned function does the second, quick one. */
  stage?(file: ReturnType<typeof outgoing>, signal: AbortSignal): Promise<() => Promise<void>>
  /**
   * Fails if the store reports that it has no room for this many bytes, which it tries at a path. Stores without `stage` have
   * it: their pages have nowhere to wait until all of them are sent.
   */
  mustHaveRoom?(bytes: number, path: string, signal: AbortSignal): Promise<void>
  /** Deletes the temporary files that an interrupted publication left for these paths. */
  dropStaged(paths: ReadonlySet<string>): Promise<void>
  /** Whether the store was seen to leave a moment without a file that is replaced. */
  hasGaps?(): boolean
}

const never = new AbortController().signal

interface RemoteOptions extends Pick<HeldFiles, 'compressed'>, JournalOptions {
  /** The same store, whose requests do not wait for files that are sent: the note of a publication must change while they are. */
  readonly noteStore?: Store
}

/**
 * A remote target. A note there lists what it holds, and only differences are sent. Media go first, with names made
 * from their hash; then what pages need, the pages, and files that lead to pages. Obsolete files are deleted last.
 */
export function remoteTarget(
  store: RemoteStore,
  { compressed, noteStore = store, ...options }: RemoteOptions,
): ReleaseTarget {
  const notes = notesIn(noteStore)
  const journal = createJournal(notes, options)
  let isTouched = false

  /** `begin` relies on what `plan` read: the target's lock keeps other publications out. */
  let lastSeen: { readonly files: readonly ReleaseFile[]; readonly seen: Seen } | null = null
  let gone: readonly string[] = []
  let claimed: Claim | null = null
  const forms = createForms()

  async function planned(release: OutgoingRelease, claim: Claim, signal: AbortSignal) {
    const { files } = release
    const ports = { store, notes, journal, claim, compressed, signal }
    const seen = lastSeen?.files === files ? lastSeen.seen : await readCurrent(release, ports)
    lastSeen = { files, seen }
    forms.know(seen.held?.files ?? [])
    return { seen, ...differences(files, seen, compressed) }
  }

  return {
    async plan(release, claim, signal): Promise<TargetPlan> {
      claimed = claim
      const { seen, changes, gone: going } = await planned(release, claim, signal)
      return planOf(release.files, seen, changes, going)
    },

    async begin(release, signal, sent) {
      if (claimed === null) throw new Error('Nothing was planned')
      const { seen, changes, gone: going } = await planned(release, claimed, signal)
      lastSeen = null
      gone = going
      if (changes.length === 0 && gone.length === 0 && seen.touched.size === 0) return null
      const paths = new Set(changes.map(({ path }) => path))
      const wanted = release.files.filter(({ path }) => paths.has(path))
      const touched = new Set([...seen.touched, ...paths, ...gone])
      await beginAlone({ store, notes, journal }, { owner: claimed.owner, seen, touched, signal })
      const send = (group: readonly ReleaseFile[]) =>
        forEachConcurrently(group, store.atATime, signal, async (file, stop) => {
          // A text that is on its way arrives: a storage may carry out a request that was broken off, and so after the
          // text was deleted again. Media are large, and no page shows them.
          forms.set(file, await store.put(outgoing(release, file), isText(file.path) ? never : stop))
          sent?.()
        })
      const isNew = new Set(changes.flatMap(({ path, reason }) => (reason === 'new' ? [path] : [])))
      const texts = wanted.filter(({ path }) => isText(path))
      const steps = store.stage
        ? stagedSteps({ ...store, stage: store.stage }, release, texts, { signal, sent, touched })
        : directSteps(store, texts, { signal, send, held: seen.held, isNew })
      const putMedia = () => send(wanted.filter(({ path }) => !isText(path)))
      return whole(putMedia, steps, { signal, switching: () => (isTouched = true) })
    },

    async finish({ files, note }) {
      await journal.mustBeOurs()
      await notes.write(heldNote, heldText({ ...note, compressed, files: files.map(forms.noted) }))
      await store.delete(gone, never)
      await store.dropStaged(new Set())
      await journal.end()
    },

    isTouched: () => isTouched,
    has: async (release, file) => (await store.head(outgoing(release, file), never)) === 'there',
    hash: (path) => hashAt(store, path),
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
    set: ({ path, sha256 }: ReleaseFile, form: StoredForm): void => void forms.set(path, { sha256, ...form }),
    noted({ path, bytes, sha256 }: ReleaseFile): HeldFile {
      const form = forms.get(path)
      return { path, bytes, sha256, ...(form?.sha256 === sha256 && form) }
    },
  }
}

/** Begins a publication, unless another computer publishes, or has published since the plan was made. */
async function beginAlone(
  { store, notes, journal }: { readonly store: RemoteStore; readonly notes: Notes; readonly journal: Journal },
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
  if ((await notes.read(heldNote)) === seen.note) return
  if (seen.touched.size === 0) await journal.end()
  throw new CausedError(cause('target_busy'))
}

/** How texts are written: everything that may fail for want of room, what undoes that, and what readers see. */
interface TextSteps extends Update {
  drop(): Promise<void>
}

/** The update of media, which no page shows yet, and then of texts. */
const whole = (
  putMedia: () => Promise<void>,
  texts: TextSteps,
  { signal, switching }: { readonly signal: AbortSignal; readonly switching: () => void },
): Update => ({
  async put() {
    try {
      await putMedia()
      await texts.put()
      signal.throwIfAborted()
    } catch (error) {
      // They may be what fills the target's disk. If the target does not respond, they stay until the next publication.
      await texts.drop().catch(() => undefined)
      throw error
    }
  },
  switch() {
    switching()
    return texts.switch()
  },
})

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
    put: () =>
      forEachConcurrently(texts, store.atATime, signal, async (file, stop) => {
        places.set(file.path, await store.stage(outgoing(release, file), stop))
        sent?.()
      }),
    drop: () => store.dropStaged(touched),
    async switch() {
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
    async put() {
      for (const group of unseen) await send(group)
      await store.mustHaveRoom?.(roomFor(replaced.flat(), held), `${notesFolder}/room`, signal)
    },
    drop: () =>
      store.delete(
        unseen.flat().map(({ path }) => path),
        never,
      ),
    async switch() {
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
