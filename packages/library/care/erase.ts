import { readFile, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isSystemError } from '@galley/platform'
import type { Result } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import { databaseFiles } from '../db/database/open.ts'
import type { CleanVersion, NamedVersion } from '../db/people.ts'
import { isHeld, ScrubError } from '../db/scrub.ts'
import type { BucketReport, CollectReport, EraseReport } from '../records/care-reports.ts'
import type { Decider, Person } from '../records/person.ts'
import { deciderOf, personOf } from '../records/person.ts'
import { createAppSettings } from '../settings/app-settings.ts'
import { planFold, sendCheckpoint } from '../team/checkpoints.ts'
import { countObjects } from './collect-objects.ts'
import { collect } from './collect.ts'
import type { FoldedSum } from './fold-bucket.ts'
import { checkpointMs, foldBucket } from './fold-bucket.ts'
import { isLogWhole } from './log-faults.ts'
import type { CarePorts } from './ports.ts'
import type { Rewrite } from './rewritten-archives.ts'
import { isHere, UnreadableArchiveError, withRewrittenArchives } from './rewritten-archives.ts'
import type { CareFailure, CareRun } from './run.ts'
import { asCareResult } from './run.ts'

/** By the e-mail address of an editor, or by the name in decisions and comments. */
export type ErasedPerson = { readonly email: string } | { readonly name: string }

export type EraseOptions = ErasedPerson & { readonly dryRun: boolean }

/** Versions per change. */
const versionsAtOnce = 300

/**
 * Removes a person from the library: from its rows, from the stored archives and, by folding it, from the log. Runs
 * concurrently with this process's listener. A team's log is in the bucket, where other computers read the change; each
 * must erase the person itself to remove its own copies. If an erase is stopped or killed, running it again completes
 * it. The caller handles `backups`, because it knows the folders.
 */
export function erase(
  ports: CarePorts,
  { dryRun, ...who }: EraseOptions,
  run: CareRun,
): Promise<Result<Omit<EraseReport, 'backups'>, CareFailure>> {
  const { index, library } = ports
  return asCareResult(run, async () => {
    // Other members may have stored something of the person just now.
    await index.followTeam?.()
    if (!dryRun && !(await isWhole(ports, run.signal))) return fail({ code: 'log_damaged' })
    try {
      const saved =
        'email' in who
          ? await inSaves(ports, personOf(who.email), dryRun, run)
          : { rows: 0, archives: 0, releaseTexts: 0, fontSets: 0 }
      const decider = 'email' in who ? personOf(who.email) : deciderOf(who.name)
      const comments = 'name' in who ? index.comments.countNamed(who.name) : 0
      const decisions = index.people.countDecisions(decider) + index.webhooks.countNamed(decider)
      if (!dryRun) await eraseDecisions(ports, decider)
      if (!dryRun && 'name' in who) await eraseComments(ports, who.name)
      const report = { ...saved, isDryRun: dryRun, rows: saved.rows + decisions + comments }
      if (dryRun) return ok({ ...report, ...(await wouldForget(ports, report.archives, run)) })
      const collected = await collect(ports, { dryRun: false, emptyLostAndFound: false }, run)
      if (!collected.ok) return collected
      // Built from pages that may name the person; the next export builds it again.
      await rm(join(ports.folder, 'derived'), { recursive: true, force: true })
      await scrubbed(ports)
      const position = await library.foldLog(run.signal)
      return ok({ ...report, ...(await forgotten(ports, collected.value, position, run)) })
    } catch (error) {
      if (isHeld(error)) return fail({ code: 'index_held' })
      if (error instanceof UnreadableArchiveError) return fail({ code: 'archive_damaged' })
      throw error
    }
  })
}

/** Everywhere but in decisions, which name people otherwise. */
async function inSaves(ports: CarePorts, person: Person, dryRun: boolean, run: CareRun) {
  const versions = await inVersions(ports, person, dryRun, run)
  const fonts = await inSnapshots(ports, person, dryRun, run)
  const beside = ports.index.people.countBeside(person)
  if (!dryRun) await eraseBeside(ports, person)
  const callbacks = await inCallbacks(ports, person, dryRun, run)
  return {
    rows: versions.rows + beside + callbacks,
    archives: versions.archives + fonts,
    releaseTexts: await namingTexts(ports, person, run.signal),
    fontSets: await namingFontSets(ports, person, run.signal),
  }
}

/** The name that this computer gives its decisions goes too. */
async function eraseDecisions({ index }: CarePorts, decider: Decider): Promise<void> {
  const settings = createAppSettings(index.settings)
  if (decider.is(settings.read().personName)) settings.change({ personName: '' })
  await index.commit.write(() => index.people.eraseDecisions(decider))
  index.webhooks.forgetName(decider)
}

async function eraseComments({ index }: CarePorts, name: string): Promise<void> {
  await index.commit.write(() => index.comments.eraseName(name))
  index.comments.forgetName(name)
}

async function eraseBeside({ index }: CarePorts, person: Person): Promise<void> {
  index.people.forgetViews(person)
  await index.commit.write(() => index.people.eraseBeside(person))
}

/**
 * Sends a checkpoint without the person to the team's bucket, folds the whole log before it, and removes earlier
 * checkpoints. The old archives were removed from the bucket before.
 */
async function forgotten(
  { bucket, library }: CarePorts,
  collected: CollectReport,
  position: number,
  run: CareRun,
): Promise<Pick<EraseReport, 'bucket'>> {
  if (bucket === null) return {}
  await bucket.run(sendCheckpoint(position), checkpointMs, library.teamCheckpoints)
  const folded = await foldBucket(bucket, await bucket.run(planFold(position, position)), run)
  return { bucket: inAll(collected.bucket ?? nothingThere, folded) }
}

/** The same as a forecast. Each archive that would be rewritten leaves an object to remove. */
async function wouldForget(ports: CarePorts, archives: number, run: CareRun): Promise<Pick<EraseReport, 'bucket'>> {
  const { bucket, index } = ports
  if (bucket === null) return {}
  const unneeded = await countObjects(ports, bucket, new Set(), run)
  const { position } = index.commit.mark()
  const { entries, checkpoints } = await bucket.run(planFold(position, position))
  return { bucket: { objects: unneeded + archives, entries, checkpoints } }
}

const nothingThere: BucketReport = { objects: 0, entries: 0, checkpoints: 0 }
const inAll = ({ objects, ...before }: BucketReport, after: FoldedSum): BucketReport => ({
  objects,
  entries: before.entries + after.entries,
  checkpoints: before.checkpoints + after.checkpoints,
})

/** Counts texts of releases that contain the address. Like pages, they are content and stay; the report counts them. */
async function namingTexts({ folder }: CarePorts, person: Person, signal: AbortSignal): Promise<number> {
  const releases = join(folder, 'releases')
  let naming = 0
  for (const shard of await namesIn(releases))
    for (const name of await namesIn(join(releases, shard))) {
      signal.throwIfAborted()
      if (person.isIn(await readFile(join(releases, shard, name), 'utf8'))) naming += 1
    }
  return naming
}

/**
 * Counts font sets whose style sheet or font tree contains the address, also as it is sent: the service stores them with the
 * site, so they are content.
 */
async function namingFontSets(ports: CarePorts, person: Person, signal: AbortSignal): Promise<number> {
  let naming = 0
  for (const { css, tree, answer } of ports.index.people.snapshots()) {
    signal.throwIfAborted()
    for (const blob of new Set([css, tree, answer])) {
      const slice = blob && ports.index.blobs.find(blob)
      if (!slice || !(await isHere(ports.vault, slice.file))) continue
      const text = (await ports.vault.readBytes(slice)).toString('utf8')
      if (person.withoutInJson(text) === text) continue
      naming += 1
      break
    }
  }
  return naming
}

/** Empty if the folder does not exist. */
async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isSystemError(error) && ['ENOENT', 'ENOTDIR'].includes(error.code)) return []
    throw error
  }
}

/** Runs in a thread, because it takes seconds in a large library. Saves that arrive meanwhile are stored afterwards. */
async function scrubbed({ folder, index, background }: CarePorts): Promise<void> {
  const code = await index.commit.holdBack(() => background.run('scrub', databaseFiles(folder)))
  if (code !== null) throw new ScrubError(code)
}

/** Folding a damaged log would make the loss of its entries permanent. */
async function isWhole({ library, index }: CarePorts, signal: AbortSignal): Promise<boolean> {
  if (!(await isLogWhole(library, signal))) return false
  index.commit.follow()
  return true
}

async function inVersions(ports: CarePorts, person: Person, dryRun: boolean, run: CareRun) {
  const { people } = ports.index
  let [rows, archives, done] = [0, 0, 0]
  for (let after: number | null = 0; after !== null;) {
    run.signal.throwIfAborted()
    const batch = people.versions(person, after)
    for (let at = 0; at < batch.rows.length; at += versionsAtOnce) {
      const some = batch.rows.slice(at, at + versionsAtOnce)
      await withRewrittenArchives(
        ports,
        run.signal,
        async (rewrite) => {
          const clean: CleanVersion[] = []
          for (const version of some) {
            const found = await cleaned(version, person, rewrite)
            if (found) clean.push(found)
          }
          rows += clean.length
          archives += clean.filter(({ archive }) => archive !== null).length
          if (dryRun || clean.length === 0) return null
          return () => {
            if (!people.eraseVersions(clean)) throw changedMeanwhile()
          }
        },
        dryRun,
      )
      done += some.length
      run.onProgress({ step: 'writing', done, total: null, unit: 'versions' })
    }
    after = batch.next
    await nextTurn()
  }
  return { rows, archives }
}

/** The version without the person; null if it does not name them. */
async function cleaned(version: NamedVersion, person: Person, rewrite: Rewrite): Promise<CleanVersion | null> {
  const { userEmail, metadata, kept } = version
  const isEditor = userEmail !== null && person.isIn(userEmail)
  const cleanMetadata = metadata && person.withoutInJson(metadata)
  const archive = await rewrite(kept, person.email)
  if (!isEditor && cleanMetadata === metadata && archive === null) return null
  return { ...version, isEditor, cleanMetadata, archive }
}

async function inSnapshots(ports: CarePorts, person: Person, dryRun: boolean, run: CareRun): Promise<number> {
  const { people } = ports.index
  let archives = 0
  for (const snapshot of people.snapshots())
    await withRewrittenArchives(
      ports,
      run.signal,
      async (rewrite) => {
        const archive = await rewrite(snapshot.kept, person.email)
        if (archive === null) return null
        archives += 1
        return dryRun ? null : () => people.eraseSnapshot(snapshot, archive)
      },
      dryRun,
    )
  return archives
}

async function inCallbacks({ index }: CarePorts, person: Person, dryRun: boolean, { signal }: CareRun) {
  let found = 0
  for (let after: number | null = 0; after !== null;) {
    signal.throwIfAborted()
    const { rows, next } = index.people.callbacks(person, after)
    if (!dryRun && rows.length > 0) {
      await index.commit.write(() => index.people.eraseCallbacks(rows))
      index.people.rewriteCallbacks(rows)
    }
    found += rows.length
    after = next
    await nextTurn()
  }
  return found
}

/** Another erase works on the same versions. */
const changedMeanwhile = (): Error => Object.assign(new Error('Versions changed meanwhile'), { code: 'SQLITE_BUSY' })
