import { setImmediate as nextTurn } from 'node:timers/promises'

import { archiveLimits } from '../../contract/archive.ts'
import type { EraseReport } from '../../contract/care-reports.ts'
import type { Sha256 } from '../../contract/ids.ts'
import type { NewBlob } from '../../contract/log/changes.ts'
import type { Person } from '../../contract/person.ts'
import { personOf } from '../../contract/person.ts'
import type { Result } from '../../contract/result.ts'
import { fail, ok } from '../../contract/result.ts'
import type { CleanVersion, NamedVersion } from '../db/people.ts'
import { isHeld } from '../db/scrub.ts'
import type { Adoption } from '../vault/vault.ts'
import { collect } from './collect.ts'
import { logFaults } from './log-faults.ts'
import type { CarePorts } from './ports.ts'
import type { CareFailure, CareRun } from './run.ts'
import { careful } from './run.ts'

export interface EraseWish {
  readonly email: string
  readonly dryRun: boolean
}

/** Versions that one change names. */
const versionsAtOnce = 300

/** A kept archive cannot be read, so nobody can tell whether it holds the person. */
class UnreadableArchiveError extends Error {
  readonly code = 'UNREADABLE_ARCHIVE'
}

/**
 * Takes a person out of the library: out of its rows, out of the archives that were kept, and, by folding it, out of the
 * log. Runs beside the listener of this process. Stopped or killed in the middle, running it again finishes it. `backups` is left to the
 * caller, who knows where they are.
 */
export function erase(
  ports: CarePorts,
  { email, dryRun }: EraseWish,
  run: CareRun,
): Promise<Result<Omit<EraseReport, 'backups'>, CareFailure>> {
  const { index, library } = ports
  const person = personOf(email)
  return careful(run, async () => {
    if (!dryRun && !(await isWhole(ports, run.signal))) return fail({ kind: 'log_damaged' })
    try {
      const versions = await inVersions(ports, person, dryRun, run)
      const fonts = await inSnapshots(ports, person, dryRun, run)
      const beside = index.people.countBeside(person)
      if (!dryRun) index.people.eraseBeside(person)
      const callbacks = await inCallbacks(ports, person, dryRun, run)
      const rows = versions.rows + beside + callbacks
      const report = { isDryRun: dryRun, rows, archives: versions.archives + fonts }
      if (dryRun) return ok(report)
      const collected = await collect(ports, { dryRun: false, emptyLostAndFound: false }, run)
      if (!collected.ok) return collected
      index.scrub()
      await library.foldLog(run.signal)
      return ok(report)
    } catch (error) {
      if (isHeld(error)) return fail({ kind: 'index_held' })
      if (error instanceof UnreadableArchiveError) return fail({ kind: 'archive_damaged' })
      throw error
    }
  })
}

/** Folding a log that has lost entries would make the loss final. */
async function isWhole({ library, index }: CarePorts, signal: AbortSignal): Promise<boolean> {
  if (library.state !== 'whole' || (await logFaults(library.log, signal)).length > 0) return false
  index.commit.follow()
  return true
}

async function inVersions(ports: CarePorts, person: Person, dryRun: boolean, run: CareRun) {
  const { people } = ports.index
  let [rows, archives, done] = [0, 0, 0]
  for (let after: number | null = 0; after !== null;) {
    run.signal.throwIfAborted()
    const stretch = people.versions(person, after)
    for (let at = 0; at < stretch.rows.length; at += versionsAtOnce) {
      const some = stretch.rows.slice(at, at + versionsAtOnce)
      await withArchives(ports, person, run, async (rewrite) => {
        const clean: CleanVersion[] = []
        for (const version of some) {
          const found = await cleaned(version, person, rewrite)
          if (found) clean.push(found)
        }
        rows += clean.length
        archives += clean.filter(({ archive }) => archive !== null).length
        if (!dryRun && clean.length > 0 && !people.eraseVersions(clean)) throw changedMeanwhile()
        return !dryRun
      })
      done += some.length
      run.onProgress({ step: 'writing', done, total: null, unit: 'versions' })
    }
    after = stretch.next
    await nextTurn()
  }
  return { rows, archives }
}

/** The version without the person; null when it does not name them. */
async function cleaned(
  version: NamedVersion,
  person: Person,
  rewrite: (kept: Sha256) => Promise<NewBlob | null>,
): Promise<CleanVersion | null> {
  const { userEmail, metadata, kept } = version
  const isEditor = userEmail !== null && person.isIn(userEmail)
  const cleanMetadata = metadata && person.withoutInJson(metadata)
  const archive = await rewrite(kept)
  if (!isEditor && cleanMetadata === metadata && archive === null) return null
  return { ...version, isEditor, cleanMetadata, archive }
}

async function inSnapshots(ports: CarePorts, person: Person, dryRun: boolean, run: CareRun): Promise<number> {
  const { people } = ports.index
  let archives = 0
  for (const snapshot of people.snapshots())
    await withArchives(ports, person, run, async (rewrite) => {
      const archive = await rewrite(snapshot.kept)
      if (archive === null) return false
      archives += 1
      if (!dryRun) people.eraseSnapshot(snapshot, archive)
      return !dryRun
    })
  return archives
}

async function inCallbacks({ index }: CarePorts, person: Person, dryRun: boolean, { signal }: CareRun) {
  let found = 0
  for (let after: number | null = 0; after !== null;) {
    signal.throwIfAborted()
    const { rows, next } = index.people.callbacks(person, after)
    if (!dryRun && rows.length > 0) index.people.eraseCallbacks(rows)
    found += rows.length
    after = next
    await nextTurn()
  }
  return found
}

/**
 * Gives `work` a way to write archives again; they are in their places, synced, when it commits what names them. `work`
 * says whether it did.
 */
async function withArchives(
  { index, vault, workers }: CarePorts,
  person: Person,
  { signal }: CareRun,
  work: (rewrite: (kept: Sha256) => Promise<NewBlob | null>) => Promise<boolean>,
): Promise<void> {
  // Whatever is read stays until it is named anew.
  const release = await vault.share()
  const folders: string[] = []
  const adoptions: Adoption[] = []
  let isStored = false
  try {
    isStored = await work(async (kept) => {
      signal.throwIfAborted()
      const place = index.blobs.find(kept)
      // What is lost holds nobody.
      if (place === null || (await vault.sizeOf(place.file)) === null) return null
      const stagingDir = await vault.stage()
      folders.push(stagingDir)
      const archive = { path: vault.pathOf(place.file), sha256: kept, sizeBytes: place.sizeBytes }
      const job = { kind: 'erasePerson', archive, stagingDir, limits: archiveLimits, email: person.email } as const
      const { result } = await workers.run(job)
      if (!result.ok) throw result.failure.kind === 'invalid_archive' ? new UnreadableArchiveError() : diskFault()
      const written = result.value.kept
      if (written === null) return null
      adoptions.push(await vault.adopt([written]))
      return { sha256: written.sha256, sizeBytes: written.sizeBytes, pack: null }
    })
  } finally {
    for (const adoption of adoptions) adoption.settle(isStored ? 'stored' : 'nothing_stored')
    release()
    for (const folder of folders) await vault.discard(folder)
  }
}

const diskFault = (): Error => Object.assign(new Error('An archive could not be written again'), { code: 'EIO' })

/** Another erase works on the same versions. */
const changedMeanwhile = (): Error => Object.assign(new Error('Versions changed meanwhile'), { code: 'SQLITE_BUSY' })
