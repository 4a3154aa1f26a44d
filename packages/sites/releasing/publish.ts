import { randomBytes } from 'node:crypto'
import type { IndexReads, IndexWith, TaskContext } from '@galley/library'
import type { FileCounts, LinkReport, Release, Target } from '@galley/library/records'
import { brokenLinksKept, bundlePath, compare, countBroken, keptReleases, targetAddress } from '@galley/library/records'
import { forEachConcurrently, isStorageFault, probeFile, recordSteps, sha256Of, storageCause } from '@galley/platform'
import type { Steps } from '@galley/platform'
import type { Cause, Result, Step } from '@galley/wire'
import { fail, ok } from '@galley/wire'
import type { Agent } from 'undici'

import type { TargetNote } from '../bundle/manifest.ts'
import { movedPages } from '../bundle/moved-pages.ts'
import { redirectedBy } from '../bundle/render/redirects.ts'
import { bytesOf } from '../exporting/content.ts'
import { withLockOn, withTargetLock } from '../exporting/target-lock.ts'
import { claimOn, noteWriting, pageKey } from './claim.ts'
import type { PublishFailure, Removals } from './failure.ts'
import { removesMany } from './failure.ts'
import { FolderRefusedError } from './folder-target.ts'
import { shareTexts, sweepTexts } from './kept-texts.ts'
import type { PreparedPage } from './prepare.ts'
import { addressOf, awaitFolderPage, awaitPublicCopy, missingAddressFault } from './public-check.ts'
import { putBack } from './put-back.ts'
import type { ReleaseSources } from './release-files.ts'
import { isKept, releaseReader } from './release-files.ts'
import { readRecord, recordText } from './release-record.ts'
import type { ReleaseFile } from './release-record.ts'
import type { OutgoingRelease, PlannedChange, ReleaseTarget, TargetPlan } from './target-port.ts'
import { isRepair, isText, update } from './target-port.ts'
import type { TextStore } from './text-store.ts'

/** The result of publishing a release. */
export interface Published {
  /** The release that the target shows; null after a dry run. */
  readonly release: string | null
  readonly target: string
  readonly counts: FileCounts
  readonly changes: readonly PlannedChange[]
  /** Pages of materials that the target shows and this removes; a page that moves stays. */
  readonly removals: Removals
  readonly pages: readonly PreparedPage[]
  /** The previous file of each moved page, by its file. */
  readonly moved: ReadonlyMap<string, string>
  /** Files that were read back (`via` says how), and media that were only looked up, see `ReleaseTarget.has`. */
  readonly verified: { readonly files: number; readonly via: 'public_url' | 'target'; readonly found: number } | null
  readonly links: LinkReport | null
  /** What readers of the target see and its publisher may not expect. */
  readonly remarks: readonly Cause[]
  /** The steps and their durations. */
  readonly steps: readonly Step[]
}

/** The files that a target should have. */
export interface Wanted {
  readonly files: readonly ReleaseFile[]
  readonly pages: readonly PreparedPage[]
  readonly links: LinkReport | null
  readonly rollbackOf: string | null
  readonly by: Release['by']
  readonly isDryRun: boolean
  readonly permits: Permits
}

/** What a person allows or asks for in one publication. */
export interface Permits {
  /** To replace what another site has there. */
  readonly takeOver?: boolean | undefined
  /** To remove more than half of the pages. */
  readonly allowRemovals?: boolean | undefined
  /** To read every file of the target. */
  readonly isThorough?: boolean | undefined
}

export interface PublishPorts extends ReleaseSources {
  readonly index: IndexWith<'commit' | 'followTeam' | 'releases' | 'settings'>
  readonly connect: (target: Target) => Promise<ReleaseTarget>
  readonly publicAgent: (url: string) => Promise<Agent>
  readonly now: () => Date
  readonly waitsMs: readonly number[]
  readonly stallMs: number
}

/** How many media files are read back through the public URL: enough to see that they can be fetched. */
const mediaReadBack = 20
const readsAtATime = 16

/** Publishes while no other publication runs to this target, on this machine and for this user. */
export const withPublishLock = <Value>(
  { place }: Target,
  work: () => Promise<Result<Value, PublishFailure>>,
): Promise<Result<Value, PublishFailure>> =>
  place.kind === 'folder'
    ? withTargetLock({ kind: 'folder', directory: place.directory }, work)
    : withLockOn(targetAddress(place), work)

/**
 * Updates a target to match the wanted files: writes only differences, pages last, and reads back what was written
 * before the release counts. On failure, the files of the previous release are restored.
 */
export async function publishTo(
  target: Target,
  wanted: Wanted,
  ports: PublishPorts,
  context: TaskContext,
  steps: Steps = recordSteps(),
): Promise<Result<Published, PublishFailure>> {
  const { takeOver = false, isThorough = false } = wanted.permits
  let connected: ReleaseTarget | null = null
  let held: TargetPlan['held'] = []
  let note = noNote
  try {
    const claim = claimOn(target, { takeOver, isThorough }, ports)
    const id = releaseId(ports.now())
    const keys = wanted.pages.map(({ materialId }) => pageKey(target.site, materialId))
    note = { owner: claim.owner, release: id, pages: [...new Set(keys)].toSorted(compare) }
    const release = { files: wanted.files, note, read: releaseReader(ports) }
    const opened = await ports.connect(target)
    connected = opened
    const plan = await steps.time('compare', () => opened.plan(release, claim, context.signal))
    held = plan.held
    note = plan.note ?? note
    const updated = await updateTarget(connected, target, { wanted, release, plan, steps }, ports, context)
    return updated.ok ? ok({ ...updated.value, steps: steps.list() }) : updated
  } catch (error) {
    const aftermath = connected ? await putBack(connected, { held, note }, ports) : 'unchanged'
    if (error instanceof NotVerifiedError)
      return fail({
        code: 'not_verified',
        ...error.facts,
        state: error.facts.reason === null ? aftermath : `unread_${aftermath}`,
      })
    if (error instanceof FolderRefusedError) return fail(error.failure)
    if (error instanceof NotRecordedError) return fail({ code: 'not_recorded', reason: error.reason, state: aftermath })
    if (context.signal.aborted) return fail({ code: 'publish_stopped', state: aftermath })
    if (!isStorageFault(error)) throw error
    const reason = storageCause(error)
    if (foreignCodes.has(reason.code)) return fail({ code: 'target_foreign', reason })
    return fail({ code: 'target_failed', reason, state: aftermath })
  } finally {
    await connected?.close()
  }
}

const noNote: TargetNote = { owner: '', release: '', pages: [] }

const foreignCodes: ReadonlySet<string> = new Set(['target_foreign', 'target_other_site', 'target_other_copy'])

/** How many pages of materials a plan removes. Without a note, the log knows what the target shows. */
function removalsOf({ note, held }: TargetPlan, latest: Release | undefined, { site, pages }: RemovalFacts) {
  const stay = new Set(pages.map(({ materialId }) => pageKey(site, materialId)))
  const logged = held.length > 0 ? (latest?.pages ?? []) : []
  const shown = note?.pages ?? logged.map(({ materialId }) => pageKey(site, materialId))
  return { removed: shown.filter((key) => !stay.has(key)).length, pages: shown.length }
}

type RemovalFacts = Pick<Target, 'site'> & Pick<Wanted, 'pages'>

async function updateTarget(
  connected: ReleaseTarget,
  target: Target,
  {
    wanted,
    release,
    plan,
    steps,
  }: {
    readonly wanted: Wanted
    readonly release: OutgoingRelease
    readonly plan: TargetPlan
    readonly steps: Steps
  },
  ports: PublishPorts,
  { signal, progress }: TaskContext,
): Promise<Result<Omit<Published, 'steps'>, PublishFailure>> {
  const { permits } = wanted
  const { note } = release
  const [latest] = ports.index.releases.of(target.site, target.name, 1)
  const record = recordText(wanted.files)
  const isShown = latest?.record === sha256Of(record)
  const facts = factsOf(target, wanted, plan, { latest, isShown })
  const { counts, changes, removals } = facts
  if (wanted.isDryRun) return ok({ ...facts, release: null, verified: null })
  if (removesMany(removals) && permits.allowRemovals !== true) return fail({ code: 'many_removals', ...removals })
  const isThorough = permits.isThorough === true
  /** Those that were read for the plan. */
  const readFirst = isThorough ? release.files.length - counts.added - counts.changed : 0
  /** The release that the target shows already, at most with faults. */
  const shown = isShown && changes.every(isRepair) ? latest.id : null
  const isNoted = plan.note?.owner === note.owner && plan.note.release === shown
  if (shown !== null && changes.length === 0 && isNoted && !plan.isUnfinished && !isThorough)
    return ok({ ...facts, release: shown, verified: { files: 0, via: 'target', found: 0 } })
  const outgoingRelease = shown === null ? release : { ...release, note: { ...note, release: shown } }

  await ports.texts.put(sha256Of(record), bytesOf(record))
  noteWriting(ports, target, outgoingRelease.note.release)
  const notPublic = await mustBePublic(connected, target, ports, signal)
  if (notPublic !== null) return fail(notPublic)
  const outgoingChanges = changes.filter(({ change }) => change !== 'removed')
  const counter = (step: 'writing' | 'verifying') => {
    let done = 0
    const tell = (): void => progress({ step, done, total: outgoingChanges.length, unit: 'files' })
    tell()
    return (): void => {
      // The folder's manifest is one more file.
      done = Math.min(done + 1, outgoingChanges.length)
      tell()
    }
  }
  await steps.time('write', () => update(connected, outgoingRelease, signal, counter('writing')))
  const read = counter('verifying')
  const { files, via, found, remarks } = await steps.time('verify', () =>
    verify(connected, target, { release, changes, isThorough, read }, ports, signal),
  )
  const verified = { files: files + readFirst, via, found }
  await steps.time('finish', () => connected.finish(outgoingRelease))
  if (shown === null) await recordRelease(target, wanted, { id: note.release, record: sha256Of(record), counts }, ports)
  return ok({ ...facts, release: shown ?? note.release, verified, remarks })
}

/** What a plan means for the pages of a site. */
function factsOf(
  target: Target,
  { pages, links }: Wanted,
  plan: TargetPlan,
  { latest, isShown }: { readonly latest: Release | undefined; readonly isShown: boolean },
) {
  // Without its note, the target does not say what it has lost.
  const isLost = isShown && plan.note === null && plan.held.length > 0
  const changes = plan.changes.map((each) =>
    isLost && each.reason === 'new' ? { ...each, reason: 'missing' as const } : each,
  )
  const changeAt = new Map(changes.map(({ path, change }) => [path, change]))
  const moved = movedPages(pages, {
    isAdded: (path) => changeAt.get(path) === 'added',
    isChanged: (path) => changeAt.get(path) === 'changed',
  })
  const removals = removalsOf(plan, latest, { site: target.site, pages })
  return { target: target.name, counts: plan.counts, changes, removals, pages, moved, links, remarks: [] }
}

/** Adds a finished release to the history of its target. */
async function recordRelease(
  target: Target,
  { pages, links, rollbackOf, by }: Wanted,
  { id, record, counts }: Pick<Release, 'id' | 'record' | 'counts'>,
  ports: PublishPorts,
): Promise<void> {
  const { index, now } = ports
  const held = pages.map(({ materialId, versionId }) => ({ materialId, versionId }))
  const released = {
    id,
    site: target.site,
    target: target.name,
    at: now().toISOString(),
    record,
    rollbackOf,
    by,
    counts,
    pages: held,
    links: links && {
      checked: links.checked,
      broken: countBroken(links),
      list: links.broken.slice(0, brokenLinksKept),
    },
  }
  await index.commit.write(() => index.releases.add(released)).catch(failedToRecord)
  await sweepTexts(ports)
  await shareTexts(ports)
}

/** Sorts by time. Two IDs of the same second differ. */
const releaseId = (at: Date): string =>
  `${at.toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')}-${randomBytes(2).toString('hex')}`

const publicUrlOf = (publicUrl: string, path: string): string => `${publicUrl}/${path}`

/** Tests the public URL with a small file first, so that a wrong URL fails before anything changes. */
async function mustBePublic(
  connected: ReleaseTarget,
  { publicUrl }: Target,
  { publicAgent, waitsMs, stallMs }: PublishPorts,
  signal: AbortSignal,
): Promise<PublishFailure | null> {
  if (publicUrl === null) return null
  const path = probeFile('probe')
  const text = `Galley checks that readers see this folder. ${path}\n`
  const remove = await connected.probe(path, text)
  try {
    const agent = await publicAgent(publicUrl)
    const reader = { agent, signal, waitsMs, stallMs }
    const found = await awaitFolderPage(publicUrl, path, sha256Of(text), reader)
    if (found === 'same') return null
    if (found.reason) return { code: 'not_public', reason: found.reason }
    return { code: 'not_verified', path, reason: null, state: 'unchanged' }
  } finally {
    await remove()
  }
}

class NotVerifiedError extends Error {
  readonly facts: Pick<Extract<PublishFailure, { code: 'not_verified' }>, 'path' | 'reason'>
  constructor(facts: NotVerifiedError['facts']) {
    super(facts.path)
    this.facts = facts
  }
}

/** The library did not take the record of a release; the target may use the same kind of storage, and is not at fault. */
class NotRecordedError extends Error {
  readonly reason: Cause
  constructor(reason: Cause) {
    super('A release was not recorded')
    this.reason = reason
  }
}

function failedToRecord(error: unknown): never {
  throw isStorageFault(error) ? new NotRecordedError(storageCause(error)) : error
}

/**
 * The files of a release that a web server may answer in its own way instead of sending them: it may apply the list of
 * redirects, hide it, and send the error page with an error only.
 */
async function mayBeApplied({ files }: OutgoingRelease, publicUrl: string, texts: TextStore) {
  const list = files.find(({ path }) => path === bundlePath.redirects)
  const text = list === undefined ? null : await texts.read(list.sha256)
  const isRedirected = redirectedBy(text?.toString() ?? '', new URL(`${publicUrl}/`).pathname)
  return (path: string): boolean => path === bundlePath.redirects || path === bundlePath.notFound || isRedirected(path)
}

/** Reads back what was written: all texts and a sample of the media. The other media are only looked up. */
async function verify(
  connected: ReleaseTarget,
  { publicUrl }: Target,
  {
    release,
    changes,
    isThorough,
    read,
  }: {
    readonly release: OutgoingRelease
    readonly changes: readonly PlannedChange[]
    readonly isThorough: boolean
    /** Called for each file that was read or looked up. */
    readonly read: () => void
  },
  { texts, publicAgent, waitsMs, stallMs }: PublishPorts,
  signal: AbortSignal,
): Promise<NonNullable<Published['verified']> & Pick<Published, 'remarks'>> {
  const written = new Set(changes.filter(({ change }) => change !== 'removed').map(({ path }) => path))
  const files = release.files.filter(({ path }) => written.has(path))
  const media = files.filter(({ path }) => !isText(path))
  const step = isThorough ? 1 : Math.max(1, Math.ceil(media.length / mediaReadBack))
  const checked = [...media.filter((_, at) => at % step === 0), ...files.filter(({ path }) => isText(path))]
  const agent = publicUrl === null ? null : await publicAgent(publicUrl)
  const isApplied = publicUrl === null ? () => true : await mayBeApplied(release, publicUrl, texts)
  await forEachConcurrently(checked, readsAtATime, signal, async ({ path, sha256 }, stop) => {
    const found =
      agent === null || publicUrl === null || isApplied(path)
        ? (await connected.hash(path)) === sha256
          ? 'same'
          : { reason: null }
        : await awaitPublicCopy(publicUrlOf(publicUrl, path), sha256, { agent, signal: stop, waitsMs, stallMs })
    if (found !== 'same') throw new NotVerifiedError({ path, reason: found.reason })
    read()
  })
  const sample = new Set(checked)
  const rest = media.filter((file) => !sample.has(file))
  await forEachConcurrently(rest, readsAtATime, signal, async (file) => {
    if (!(await connected.has(release, file))) throw new NotVerifiedError({ path: file.path, reason: null })
    read()
  })
  const about = { files: checked.length, found: rest.length }
  if (agent === null || publicUrl === null) return { ...about, via: 'target', remarks: [] }
  const reader = { agent, signal, waitsMs, stallMs }
  for (const { path, sha256 } of readerPages(release.files.filter((file) => !isApplied(file.path)))) {
    const found = await awaitFolderPage(publicUrl, path, sha256, reader)
    if (found !== 'same') throw new NotVerifiedError({ path: `/${addressOf(path)}`, reason: found.reason })
  }
  const fault = await missingAddressFault(publicUrl, release.files, reader)
  return { ...about, via: 'public_url', remarks: fault === null ? [] : [fault] }
}

/** The home page, and another one as an example of the addresses that end with a folder. */
function readerPages(files: readonly ReleaseFile[]): readonly ReleaseFile[] {
  const home = files.find(({ path }) => path === bundlePath.home)
  const other = files.find(({ path }) => path.endsWith('/index.html'))
  return [home, other].filter((file) => file !== undefined)
}

/** The files of an earlier release; null if some of them are lost. */
export async function filesOf(release: Release, ports: ReleaseSources): Promise<readonly ReleaseFile[] | null> {
  const text = await ports.texts.read(release.record)
  const files = text && readRecord(text.toString())
  return files && (await isKept(files, ports)) ? files : null
}

/** The list of a release is stored after its texts. */
const isListed = async (
  { readHere, shared }: Pick<TextStore, 'readHere' | 'shared'>,
  { record }: Release,
): Promise<boolean> => (await readHere(record)) !== null || (await shared?.has(record)) === true

/**
 * The releases of a target. `hasPages`: the index still has its list of pages. `isKept`: it can be published again, because
 * its texts are on this computer or in the bucket of its team. After a restore they are not.
 */
export const historyOf = (
  {
    index,
    texts,
  }: { readonly index: Pick<IndexReads, 'releases'>; readonly texts: Pick<TextStore, 'readHere' | 'shared'> },
  target: Target,
  limit?: number,
) =>
  Promise.all(
    index.releases.of(target.site, target.name, limit).map(async (release, at) => {
      const hasPages = at < keptReleases
      return {
        ...release,
        isCurrent: at === 0,
        hasPages,
        isKept: hasPages && (await isListed(texts, release)),
      }
    }),
  )
