import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Network } from '@galley/platform'
import { storageCause, storageReason } from '@galley/platform'
import type { Cause } from '@galley/wire'
import { cause, causeSentence } from '@galley/wire'

import type { Release, ReleaseFile } from './feed.ts'
import { judged, readFeed } from './feed.ts'
import type { Notes } from './notes.ts'
import { readNotes, writeNotes } from './notes.ts'
import { downloadFile, isSignedFile, requestFeed } from './requests.ts'
import type { UpdateSource } from './source.ts'
import type { Off, UpdateState } from './state.ts'
import { stateOf } from './state.ts'

/** What a check needs to know of this app and this computer. */
export interface Here {
  readonly version: string
  /** null: it was built without. */
  readonly source: UpdateSource | null
  readonly isDevelopment: boolean
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Whether the settings allow checks. */
  readonly isOn: () => boolean
  /** Where this computer remembers updates. */
  readonly notesFile: string
}

/** How this kind of package is replaced. */
export interface Installer {
  /** As the feed calls it. */
  readonly system: string
  /** For downloads alone: what is left in it is deleted. */
  readonly folder: string
  /** Puts the file, which is checked, in place of this version, or has the system do so once the app has ended. */
  readonly install: (file: string) => Promise<void>
}

interface Edges extends Here {
  /** null: this package does not replace itself. */
  readonly installer: Installer | null
  readonly network: Network
  readonly now: () => Date
  readonly log: (line: string) => void
  /** Called after each change. */
  readonly onState: (state: UpdateState) => void
}

const dayMs = 24 * 60 * 60 * 1000
/** How often it is looked whether a day is over: a timer of a day would not count the time asleep. */
const lookEveryMs = 60 * 60 * 1000

const offFor = ({ isDevelopment, source, environment, isOn }: Omit<Here, 'version'>): Off | null =>
  isDevelopment
    ? 'development'
    : source === null
      ? 'not_set'
      : environment.GALLEY_NO_UPDATES
        ? 'environment'
        : isOn()
          ? null
          : 'settings'

/** The release in the notes: only one that the keys of this app have signed. */
function releaseIn({ feed }: Notes, source: UpdateSource | null): Release | null {
  if (feed === null || source === null) return null
  const read = readFeed(feed, source.keys)
  return read.ok ? read.value : null
}

/** What is known without asking anybody. */
export function storedState(here: Here): UpdateState {
  const notes = readNotes(here.notesFile)
  const release = releaseIn(notes, here.source)
  return stateOf({ ...here, off: offFor(here), notes, release, canInstall: false, loading: null, ready: null })
}

/** What is known of newer versions, on the disk and read back from it. */
function createMemory({ version, source, notesFile, log }: Pick<Edges, 'version' | 'source' | 'notesFile' | 'log'>) {
  let notes = readNotes(notesFile)
  let release = releaseIn(notes, source)
  function note(change: Partial<Notes>): void {
    notes = { ...notes, ...change }
    try {
      writeNotes(notesFile, notes)
    } catch (error) {
      log(`what is known of updates could not be stored: ${storageReason(error)}`)
    }
  }
  return {
    notes: () => notes,
    release: () => release,
    note,
    noteProblem(problem: Cause): void {
      log(`Galley stays at version ${version}: ${causeSentence(problem)}`)
      note({ problem })
    },
    noteRelease(found: Release, feed: string): void {
      release = found
      note({ problem: null, seenDate: found.date, feed })
    },
    /** Another window of this user may have written meanwhile. */
    renew(): Notes {
      notes = readNotes(notesFile)
      release = releaseIn(notes, source)
      return notes
    },
  }
}

type Memory = ReturnType<typeof createMemory>

interface Work extends Edges {
  readonly memory: Memory
  readonly signal: AbortSignal
}

async function ask({ feed, keys }: UpdateSource, { memory, version, network, signal, now }: Work): Promise<void> {
  const { seenDate } = memory.renew()
  // The time comes first, so that no fault leads to a second request.
  memory.note({ checkedAt: now().toISOString() })
  const sent = await requestFeed(feed, { network, signal })
  if (signal.aborted) return
  if (!sent.ok) return memory.noteProblem(sent.failure)
  const read = readFeed(sent.value, keys)
  const found = read.ok ? judged(read.value, { version, seenDate }) : read
  if (found.ok) memory.noteRelease(found.value, sent.value)
  else memory.noteProblem(found.failure)
}

const fileFor = ({ files }: Release, installer: Installer | null): ReleaseFile | null =>
  files.find(({ system }) => system === installer?.system) ?? null

/** Whether the file of a release for this system was downloaded, and is the one that was signed. */
async function load(
  wanted: Release,
  { feed }: UpdateSource,
  { memory, installer, network, signal }: Work,
  onShare: (done: number) => void,
): Promise<boolean> {
  const file = fileFor(wanted, installer)
  if (installer === null || file === null) {
    memory.noteProblem(cause('update_no_file', { name: wanted.version }))
    return false
  }
  const path = join(installer.folder, file.name)
  const got = await downloadFile({ feed, file, path, onShare }, { network, signal })
  if (signal.aborted) return false
  if (got.ok) memory.note({ problem: null })
  else memory.noteProblem(got.failure)
  return got.ok
}

/** Puts the downloaded file of a release in place of this version, if it is still the one that was signed. */
async function install(ready: Release, { memory, installer }: Work): Promise<void> {
  const file = fileFor(ready, installer)
  if (file === null || installer === null) return
  try {
    const path = join(installer.folder, file.name)
    if (await isSignedFile(path, file)) await installer.install(path)
    else memory.noteProblem(cause('update_bytes'))
  } catch (error) {
    memory.noteProblem(storageCause(error))
  }
}

function isDue({ checkedAt }: Notes, now: Date): boolean {
  const ageMs = checkedAt === null ? dayMs : now.getTime() - Date.parse(checkedAt)
  // A clock that was ahead must not stop checks.
  return ageMs >= dayMs || ageMs < 0
}

/** Finds newer versions, downloads one that a person wants, and has it installed at the end. */
export function createUpdates(edges: Edges) {
  const { source, installer, now } = edges
  const stop = new AbortController()
  const memory = createMemory(edges)
  const work = { ...edges, memory, signal: stop.signal }
  let loading: { readonly version: string; readonly done: number } | null = null
  /** The release whose file is downloaded and checked. */
  let ready: Release | null = null
  let running: Promise<unknown> | null = null
  let cleared: Promise<unknown> = Promise.resolve()

  const state = (): UpdateState => {
    const facts = { notes: memory.notes(), release: memory.release(), loading, ready: ready?.version ?? null }
    return stateOf({ ...edges, ...facts, off: offFor(edges), canInstall: installer !== null })
  }
  function told(): UpdateState {
    const shown = state()
    if (!stop.signal.aborted) edges.onState(shown)
    return shown
  }
  /** One at a time: two downloads would write one file. */
  async function alone(act: () => Promise<void>): Promise<UpdateState> {
    if (running !== null) return state()
    running = act().finally(() => (running = null))
    await running
    return told()
  }
  async function take(wanted: Release, from: UpdateSource): Promise<void> {
    memory.note({ skipped: null })
    const show = (done: number): void => {
      const isShown = loading === null || Math.floor(done * 100) > Math.floor(loading.done * 100)
      loading = { version: wanted.version, done }
      if (isShown) told()
    }
    show(0)
    await cleared
    const isLoaded = await load(wanted, from, work, show).finally(() => (loading = null))
    if (isLoaded) ready = wanted
  }
  /** Asks for the feed, unless updates are off. `isAsked`: by a person, so also if it was asked for today, or the switch is off. */
  async function check(isAsked: boolean): Promise<UpdateState> {
    const off = offFor(edges)
    if (source === null || (off !== null && !(off === 'settings' && isAsked))) return state()
    if (!isAsked && !isDue(memory.renew(), now())) return state()
    return alone(async () => {
      await ask(source, work)
      if (memory.release()?.version !== ready?.version) ready = null
    })
  }

  return {
    state,
    check,
    /** Downloads the newer version; it is installed at the next quit. */
    async take(): Promise<UpdateState> {
      const release = memory.release()
      if (source === null || release === null || state().offer?.step !== 'offered') return state()
      return alone(() => take(release, source))
    },
    /** Offers this version no more. */
    skip(): UpdateState {
      const { offer } = state()
      if (offer === null) return state()
      ready = null
      memory.note({ skipped: offer.version })
      return told()
    },
    /** Tells of a change of the settings. */
    told,
    /** Checks now if a day is over, and from then on. */
    start(): () => void {
      const look = (): void => void check(false)
      const timer = setInterval(look, lookEveryMs)
      if (installer !== null) cleared = rm(installer.folder, { recursive: true, force: true }).catch(() => undefined)
      look()
      return () => {
        clearInterval(timer)
        stop.abort()
      }
    },
    /** Installs what is ready, as the last act of the app. Never rejects. */
    install: async (): Promise<void> => void (ready && (await install(ready, work))),
  }
}
