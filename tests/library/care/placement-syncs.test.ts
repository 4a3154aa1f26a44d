import { mkdir, readdir } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'

import { restore } from '../../../packages/library/care/restore.ts'
import { openLibrary } from '../../../packages/library/db/open/open-library.ts'
import { temporaryFolder } from '../../support/test-galley.ts'
import type { Event } from '../save/sync-order.ts'
import { placementFaults, recordDisk } from '../save/sync-order.ts'
import { aLibraryToBackUp, backUp } from './backed-up.ts'
import { aRun, reportOf } from './library.ts'

const now = () => new Date()

interface Act {
  /** The folder in which disk operations are recorded. */
  readonly folder: string
  /** Writes something to its place; can be called repeatedly. */
  readonly run: () => Promise<unknown>
  /** Violations of the order of disk operations. */
  readonly faults: (events: readonly Event[]) => readonly string[] | Promise<readonly string[]>
  /** The required syncs, by path; each is left out once. `*` stands for a random name. */
  readonly needed: readonly string[]
}

async function newName(): Promise<Act> {
  const parent = await temporaryFolder()
  let count = 0
  const name = () => `library-${count}`
  return {
    folder: parent,
    async run() {
      count += 1
      await mkdir(join(parent, name()))
      ;(await openLibrary(join(parent, name()), now, () => undefined)).close()
    },
    faults: (events) => placementFaults(events, join(name(), 'library.json')),
    needed: ['*/library.json.new', '*'],
  }
}

async function checkpoint(): Promise<Act> {
  const { library, folder } = await aLibraryToBackUp()
  let name = ''
  return {
    folder,
    async run() {
      const position = await library.writeCheckpoint(new AbortController().signal)
      name = join('checkpoints', `${String(position).padStart(20, '0')}.db.gz`)
    },
    faults: (events) => [
      ...placementFaults(events, name),
      ...(events.some((event) => event.kind === 'sync' && event.path === '') ? [] : ['its folder may be lost']),
    ],
    needed: ['checkpoints/*', 'checkpoints', ''],
  }
}

async function foldedLog(): Promise<Act> {
  const { library, folder } = await aLibraryToBackUp()
  return {
    folder,
    run: () => library.foldLog(new AbortController().signal),
    faults(events) {
      const first = events.findIndex((event) => event.kind === 'remove' && dirname(event.path) === 'log')
      if (first === -1) return ['no part of the log was deleted']
      const moved = events.findLast((event) => event.kind === 'rename' && event.to === 'checkpoints')
      return moved?.kind === 'rename' ? placementFaults(events, moved.toPath, { end: first }) : ['no checkpoint']
    },
    // The folder is synced again when earlier checkpoints are deleted, which also precedes the log.
    needed: ['checkpoints/*'],
  }
}

async function backup(): Promise<Act> {
  const library = await aLibraryToBackUp()
  return {
    folder: library.outside,
    run: () => backUp(library, library.file),
    faults: (events) => placementFaults(events, 'library.zip'),
    needed: ['*', ''],
  }
}

async function restored(): Promise<Act> {
  const library = await aLibraryToBackUp()
  await backUp(library, library.file)
  let count = 0
  const name = () => `restored-${count}`
  return {
    folder: library.outside,
    async run() {
      count += 1
      await reportOf(restore({ file: library.file, folder: join(library.outside, name()), now }, aRun()))
    },
    async faults(events) {
      const root = join(library.outside, name())
      const found = await readdir(root, { recursive: true, withFileTypes: true })
      const held = found
        .map((entry) => relative(root, join(entry.parentPath, entry.name)))
        // SQLite syncs its own files.
        .filter((path) => !/\.db(?:-wal|-shm)?$/.test(path))
        .map((path) => (path === 'library.json' ? `${path}.new` : path))
      return placementFaults(events, name(), { holds: ['', ...held] })
    },
    needed: ['*', '*/library.json.new', '*/log', '*/log/*', '*/files', '*/files/*', '*/files/*/*', ''],
  }
}

const isLike = (path: string, pattern: string): boolean =>
  new RegExp(`^${pattern.replaceAll(/[.+]/g, '\\$&').replaceAll('*', '[^/]+')}$`).test(path)

describe.runIf(process.platform === 'linux').each(Object.entries({ newName, checkpoint, foldedLog, backup, restored }))(
  'what is relied on is on disk before it is in its place, and its folder after: %s',
  (_, prepare) => {
    test('every sync is required', async () => {
      const { folder, run, faults, needed } = await prepare()
      const tried = async (without: string | null): Promise<readonly string[]> => {
        const { events, stop } = await recordDisk(folder, (_what, path) => without === null || !isLike(path, without))
        onTestFinished(stop)
        await run()
        stop()
        return faults(events)
      }
      expect(await tried(null)).toEqual([])
      for (const without of needed) expect(await tried(without), `without ${without || 'its folder'}`).not.toEqual([])
    })
  },
)
