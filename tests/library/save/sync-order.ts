import type fs from 'node:fs'
import { readlinkSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { ServerResponse } from 'node:http'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { basename, dirname, join, relative, sep } from 'node:path'
import { onTestFinished } from 'vitest'

/** What a save did to the disk and to the socket, in order. */
export type Event =
  /** Bytes of a file or the entries of a folder are on disk. */
  | { readonly kind: 'sync'; readonly what: string; readonly path: string }
  /** A file was renamed; `name` is the new name. */
  | {
      readonly kind: 'rename'
      readonly from: string
      readonly to: string
      readonly name: string
      readonly fromPath: string
      readonly toPath: string
    }
  /** A file was deleted. */
  | { readonly kind: 'remove'; readonly path: string }
  /** Bytes were appended to the log. */
  | { readonly kind: 'append'; readonly text: string }
  /** The first byte of an answer was passed to the socket. */
  | { readonly kind: 'answer' }

/** Which syncs are done, by place and by path in the folder. The others return as if they had been. */
export type Reaches = (what: string, path: string) => boolean

/** What else happens to a sync: it takes time, or throws an error of the disk. */
export type Befalls = (what: string) => void

const builtin = createRequire(import.meta.url)('node:fs') as typeof fs

/**
 * Records this process's calls that make a library durable, until `stop` or the end of the test. `what` names a place in the
 * library: `staging`, `files/3`, `log`, `.`. A sync that `reaches` rejects is neither done nor recorded, as if it had been
 * forgotten.
 */
export async function recordDisk(folder: string, reaches: Reaches = () => true, befalls: Befalls = () => undefined) {
  const events: Event[] = []
  const shortened = (path: string): string => {
    const [first = '', second = ''] = relative(folder, path).split(sep)
    if (first === '..') return 'outside'
    if (first === 'files') return `files/${second}`
    if (first === 'log') return second === '' ? 'log' : 'log/*'
    return first === '' ? '.' : first
  }
  const pathOf = (descriptor: number): string => readlinkSync(`/proc/self/fd/${descriptor}`)
  const nameOf = (descriptor: number): string => shortened(pathOf(descriptor))
  const inside = (path: string): string => relative(folder, path)
  const isReached = (path: string): boolean => reaches(shortened(path), inside(path))

  /** Recorded once it is done. */
  const synced = (path: string): void => void events.push({ kind: 'sync', what: shortened(path), path: inside(path) })

  const original = {
    fsync: builtin.fsync,
    fsyncSync: builtin.fsyncSync,
    fdatasyncSync: builtin.fdatasyncSync,
    writeSync: builtin.writeSync,
    renameSync: builtin.renameSync,
    rmSync: builtin.rmSync,
    rename: builtin.promises.rename,
    writeHead: ServerResponse.prototype.writeHead,
  }
  const handle = await open(folder)
  const prototype = Object.getPrototypeOf(handle) as { sync: (this: { fd: number }) => Promise<void> }
  const { sync } = prototype
  await handle.close()

  builtin.fsync = ((descriptor: number, done: (error: Error | null) => void) => {
    const path = pathOf(descriptor)
    if (!isReached(path)) return void setImmediate(done, null)
    original.fsync(descriptor, (error) => {
      if (!error) synced(path)
      done(error)
    })
  }) as typeof builtin.fsync
  for (const name of ['fsyncSync', 'fdatasyncSync'] as const)
    builtin[name] = (descriptor) => {
      const path = pathOf(descriptor)
      if (!isReached(path)) return
      befalls(shortened(path))
      original[name](descriptor)
      synced(path)
    }
  prototype.sync = async function () {
    const path = pathOf(this.fd)
    if (!isReached(path)) return
    await sync.call(this)
    synced(path)
  }
  const writeSync = original.writeSync as (...all: unknown[]) => number
  builtin.writeSync = (descriptor: number, ...rest: unknown[]) => {
    const written = writeSync(descriptor, ...rest)
    const [bytes] = rest
    if (nameOf(descriptor) === 'log/*') events.push({ kind: 'append', text: String(bytes) })
    return written
  }
  const renamed = (from: unknown, to: unknown): void =>
    void events.push({
      kind: 'rename',
      from: shortened(String(from)),
      to: shortened(String(to)),
      name: basename(String(to)),
      fromPath: inside(String(from)),
      toPath: inside(String(to)),
    })
  builtin.renameSync = (from, to) => {
    original.renameSync(from, to)
    renamed(from, to)
  }
  builtin.rmSync = (path, options) => {
    original.rmSync(path, options)
    events.push({ kind: 'remove', path: inside(String(path)) })
  }
  builtin.promises.rename = async (from, to) => {
    await original.rename(from, to)
    renamed(from, to)
  }
  ServerResponse.prototype.writeHead = function (this: ServerResponse, ...all: never[]) {
    // The test's service answers in this process too.
    if (this.req.url?.startsWith('/callback/')) events.push({ kind: 'answer' })
    return (original.writeHead as (...rest: unknown[]) => ServerResponse).apply(this, all)
  } as typeof original.writeHead
  syncBuiltinESMExports()

  const stop = (): void => {
    const { rename, writeHead, ...rest } = original
    Object.assign(builtin, rest)
    builtin.promises.rename = rename
    prototype.sync = sync
    ServerResponse.prototype.writeHead = writeHead
    syncBuiltinESMExports()
  }
  onTestFinished(stop)
  return { events, stop }
}

/**
 * The errors in the order of one answered save. Every staged file must be on disk before it is renamed, then every folder
 * that it moved to, all of this before the log's line is written, and the line before the answer.
 */
export function orderFaults(
  events: readonly Event[],
  { files, isNewSegment }: { files: number; isNewSegment: boolean },
): readonly string[] {
  const faults: string[] = []
  const first = (is: (event: Event) => boolean): number => events.findIndex(is)
  const answer = first(({ kind }) => kind === 'answer')
  const append = first(({ kind }) => kind === 'append')
  const renames = events.flatMap((event, at) =>
    event.kind === 'rename' && event.from === 'staging' ? [{ ...event, at }] : [],
  )
  const before = (what: string, from: number, to: number): number =>
    events.filter((event, at) => event.kind === 'sync' && event.what === what && at > from && at < to).length
  if (answer === -1) faults.push('there is no answer')
  if (append === -1) faults.push('nothing was appended to the log')
  if (renames.length < files) faults.push(`${renames.length} of ${files} files were moved`)
  const firstRename = renames[0]?.at ?? -1
  const lastRename = renames.at(-1)?.at ?? -1
  const staged = before('staging', -1, firstRename)
  if (staged < renames.length) faults.push(`${staged} of ${renames.length} files were synced before they were moved`)
  for (const shard of new Set(renames.map(({ to }) => to)))
    if (before(shard, lastRenameTo(renames, shard), append) === 0)
      faults.push(`${shard} was not synced between its files and the log`)
  if (lastRename > append) faults.push('a file was moved after the log named it')
  if (before('log/*', append, answer) === 0) faults.push('the log was not synced before the answer')
  if (isNewSegment)
    for (const folder of ['log', '.'])
      if (before(folder, append, answer) === 0) faults.push(`the folder ${folder} was not synced before the answer`)
  return faults
}

/**
 * The errors in the order in which something gets to its place, a file or a folder: all that it `holds` (paths below it; '' is
 * itself) is on disk before it is renamed, and the folder of its place after that and before `end`.
 */
export function placementFaults(
  events: readonly Event[],
  place: string,
  { holds = [''], end = events.length }: { readonly holds?: readonly string[]; readonly end?: number } = {},
): readonly string[] {
  const at = events.findIndex((event) => event.kind === 'rename' && event.toPath === place)
  const rename = events[at]
  if (rename?.kind !== 'rename' || at >= end) return [`nothing was moved to ${place}`]
  const isSynced = (path: string, from: number, to: number): boolean =>
    events.slice(from, to).some((event) => event.kind === 'sync' && event.path === path)
  const unsynced = holds.filter((path) => !isSynced(join(rename.fromPath, path), 0, at))
  const folder = relative('.', dirname(place))
  return [
    ...unsynced.map((path) => `${path || place} was not synced before it was moved`),
    ...(isSynced(folder, at + 1, end) ? [] : [`the folder of ${place} was not synced after it was moved`]),
  ]
}

const lastRenameTo = (renames: readonly { readonly to: string; readonly at: number }[], shard: string): number =>
  renames.findLast(({ to }) => to === shard)?.at ?? -1

/**
 * The same for concurrent saves: each line of the log names only files whose folders were synced after the move, and there
 * are never more answers than saves in synced lines.
 */
export function sharedOrderFaults(events: readonly Event[]): readonly string[] {
  const faults: string[] = []
  let [written, synced, answers] = [0, 0, 0]
  for (const [at, event] of events.entries()) {
    if (event.kind === 'append') {
      written += event.text.split('"kind":"version_stored"').length - 1
      for (const [moved, rename] of events.slice(0, at).entries()) {
        if (rename.kind !== 'rename' || rename.from !== 'staging' || !event.text.includes(rename.name)) continue
        const between = events.slice(moved + 1, at)
        if (!between.some((sync) => sync.kind === 'sync' && sync.what === rename.to))
          faults.push(`${rename.to} was not synced between ${rename.name} and the log`)
      }
    }
    if (event.kind === 'sync' && event.what === 'log/*') synced = written
    if (event.kind === 'answer') answers += 1
    if (answers > synced) faults.push(`${answers} saves were answered when ${synced} were in the log`)
  }
  return faults
}
