import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { isBundlePath } from '@galley/library/records'
import type { Store } from '@galley/platform'
import { textAt, textFile } from '@galley/platform'
import { cause, CausedError, parsedJson } from '@galley/wire'

const format = 'galley-unfinished'

/** What a publication may have changed, and who runs it. */
interface Entry {
  readonly paths: readonly string[]
  /** The site whose publication it is. */
  readonly owner: string
  readonly computer: string
  /** Changes as long as the publication runs. */
  readonly heartbeat: string
}

/** The folder of Galley's own records on a target. */
export const notesFolder = '.galley'
const unfinishedNote = `${notesFolder}/unfinished.json`

const never = new AbortController().signal

/** Galley's own records on a target. */
export const notesIn = (store: Pick<Store, 'get' | 'put' | 'delete'>) => ({
  /** Null if there is none. */
  read: (path: string): Promise<string | null> => textAt(store, path),
  write: async (path: string, text: string): Promise<void> => void (await store.put(textFile(path, text), never)),
  remove: (path: string): Promise<void> => store.delete([path], never),
})

export type Notes = ReturnType<typeof notesIn>

export interface JournalOptions {
  /** Tells this computer from others that publish to the target. */
  readonly computer: () => string
  readonly stallMs: number
}

/**
 * A note on a remote target that exists while a publication runs, and after an interruption: every path that it may have
 * changed, and the computer that runs it. While the note changes, publications of other computers fail. Once it has not
 * changed for half of `stallMs`, another computer takes over. No clocks are compared.
 */
export function createJournal(notes: Notes, { computer, stallMs }: JournalOptions) {
  const heartbeatMs = stallMs / 12
  const run = randomUUID()
  let heartbeats = 0
  let paths: readonly string[] = []
  let owner = ''
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> | null = null

  const read = async (): Promise<Entry | null> => entryIn(await notes.read(unfinishedNote))
  const isOfOther = (entry: Entry | null): entry is Entry => entry !== null && entry.computer !== computer()

  const write = (): Promise<void> =>
    notes.write(
      unfinishedNote,
      JSON.stringify({ format, owner, paths, computer: computer(), heartbeat: `${run}-${(heartbeats += 1)}` }),
    )

  async function heartbeat(): Promise<void> {
    if (isOfOther(await read())) clearInterval(timer ?? undefined)
    else await write()
  }

  async function mustBeOurs(): Promise<void> {
    if (isOfOther(await read())) throw new CausedError(cause('target_busy'))
  }

  async function stop(): Promise<void> {
    clearInterval(timer ?? undefined)
    timer = null
    await writing
  }

  return {
    read,

    /** Fails if another computer publishes, or has begun since `seen` was read. */
    async awaitOthers(seen: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
      const first = await read()
      if (first?.paths.some((path) => !seen.has(path)) === true) throw new CausedError(cause('target_busy'))
      for (let silentMs = 0; isOfOther(first) && silentMs < stallMs / 2; silentMs += heartbeatMs) {
        await wait(heartbeatMs, undefined, { signal })
        if ((await read())?.heartbeat !== first.heartbeat) throw new CausedError(cause('target_busy'))
      }
    },

    /** Notes that a publication of these paths begins. */
    async begin(by: string, touched: readonly string[]): Promise<void> {
      await stop()
      owner = by
      paths = touched
      await write()
      await mustBeOurs()
      timer = setInterval(() => {
        // The next heartbeat makes up for a lost one.
        writing ??= heartbeat()
          .catch(() => undefined)
          .finally(() => (writing = null))
      }, heartbeatMs).unref()
    },

    /** Fails if another computer has taken over. */
    mustBeOurs: async (): Promise<void> => (timer === null ? undefined : mustBeOurs()),
    async end(): Promise<void> {
      await stop()
      await notes.remove(unfinishedNote)
    },
    stop,
  }
}

export type Journal = ReturnType<typeof createJournal>

function entryIn(text: string | null): Entry | null {
  if (text === null) return null
  const entry = parsed(text)
  if (entry === null) throw new CausedError(cause('target_foreign', { name: unfinishedNote }))
  return entry
}

function parsed(text: string): Entry | null {
  const found = Object(parsedJson(text)) as { readonly [Key in keyof Entry | 'format']?: unknown }
  const { paths, owner, computer, heartbeat } = found
  const isOurs = found.format === format && Array.isArray(paths) && paths.every((path) => isBundlePath(path))
  if (!isOurs || typeof owner !== 'string' || typeof computer !== 'string') return null
  return { paths, owner, computer, heartbeat: String(heartbeat) }
}
