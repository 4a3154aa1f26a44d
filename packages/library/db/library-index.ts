import type { Database } from 'better-sqlite3'

import type { LibraryLog } from '../log/log.ts'
import { createApply } from './apply/apply.ts'
import { createCallbackMirror } from './apply/callback-mirror.ts'
import type { Unapplied } from './apply/lost-entries.ts'
import { lostEntriesIn, refusedEntriesIn } from './apply/lost-entries.ts'
import { createCallbackActivity } from './callback/callback-activity.ts'
import { createCallbackList } from './callback/callback-list.ts'
import { createCallbackRequests } from './callback/callback-request.ts'
import { createCallbacks } from './callback/callbacks.ts'
import { createFailedSaves } from './callback/failed-saves.ts'
import { createUnsignedSaves } from './callback/unsigned-saves.ts'
import { createCatchUp } from './catch-up.ts'
import type { Commit } from './commit/commit.ts'
import { createCommit } from './commit/commit.ts'
import { createSettings } from './commit/settings.ts'
import type { WriterLock } from './commit/writer-lock.ts'
import { createConsistency } from './consistency.ts'
import { copyIndex } from './copy.ts'
import { createCutOff } from './cut-off.ts'
import { foreignChanges } from './database/foreign-changes.ts'
import type { IndexFiles } from './database/open.ts'
import { nameIndex, openIndex } from './database/open.ts'
import { watchDamage } from './database/watch-damage.ts'
import { createFieldChanges, createFields } from './field/fields.ts'
import { createBlobUses } from './file/blob-uses.ts'
import { createBlobs } from './file/blobs.ts'
import { createReferences } from './file/references.ts'
import { createUnusedBlobs } from './file/unused-blobs.ts'
import { createPageFonts } from './font-set/page-fonts.ts'
import { createSnapshots } from './font-set/snapshots.ts'
import { copyLocal } from './local-copy.ts'
import { createMaterialList } from './material/material-list.ts'
import { createMaterials } from './material/materials.ts'
import { createSavedViews } from './material/saved-views.ts'
import { createAddresses } from './page/addresses.ts'
import { createOnlinePages } from './page/online-pages.ts'
import { createPageTexts } from './page/page-texts.ts'
import { createPages } from './page/pages.ts'
import { createPeople } from './people.ts'
import { createExports } from './release/exports.ts'
import { createReleases } from './release/releases.ts'
import { createReview } from './review/review.ts'
import type { SaveThread } from './save/large-saves.ts'
import { createLargeSaves } from './save/large-saves.ts'
import { createStoreSave } from './save/store-save.ts'
import { createWriteBack, writeBackNow } from './save/write-back.ts'
import { createSearch } from './search/search.ts'
import { createPublishing } from './site/publishing.ts'
import { createRules } from './site/rules.ts'
import { createSecretMarks } from './site/secret-marks.ts'
import { createSites } from './site/sites.ts'
import { createTargets } from './site/targets.ts'
import type { TeamCommit, TeamLink } from './team/team-commit.ts'
import { createTeamCommit } from './team/team-commit.ts'
import { createTeamConflicts } from './team/team-conflicts.ts'
import { createTotals } from './totals.ts'
import { createRetention } from './version/retention.ts'
import { createVersionList } from './version/version-list.ts'
import { createVersions } from './version/versions.ts'
import { createWebhookDeliveries } from './webhook/webhook-deliveries.ts'

export interface IndexPorts {
  readonly files: IndexFiles
  readonly log: LibraryLog
  readonly lock: WriterLock
  /** Called with entries of the log that cannot be applied. */
  readonly onUnapplied: (what: Unapplied) => void
  /** Called when a statement meets damage. */
  readonly onDamage?: () => void
  readonly report: (line: string) => void
  /** Whether the library has joined a team since it was opened. */
  readonly isShared: () => boolean
  /** For a member of a team: access to its bucket. */
  readonly team?: TeamLink
  /** Writes large saves of the library in this folder. */
  readonly saves?: SaveThread & { readonly folder: string }
}

/** The repositories of a library: those of its index, with `commit` for its changes, and those of this machine. */
export function createIndex(ports: IndexPorts) {
  const db = openIndex(ports.files)
  try {
    return indexOn(ports.onDamage ? watchDamage(db, ports.onDamage) : db, ports)
  } catch (error) {
    db.close()
    throw error
  }
}

function createCounts(db: Database) {
  const counts = db.prepare<[], { materials: number; versions: number }>(
    'SELECT (SELECT count(*) FROM material) AS materials, (SELECT count(*) FROM version) AS versions',
  )
  return (): { readonly materials: number; readonly versions: number } => counts.get() ?? { materials: 0, versions: 0 }
}

/** What belongs to this computer, besides its callbacks. */
const createMachineData = (db: Database) => ({
  settings: createSettings(db),
  secretMarks: createSecretMarks(db),
  savedViews: createSavedViews(db),
  webhooks: createWebhookDeliveries(db),
})

function createLosses(db: Database) {
  const cutOff = createCutOff(createSettings(db))
  return {
    cutOff,
    /** The entries of the log that the rows lack, and those of an end that was cut off. */
    lostEntries: () => [...lostEntriesIn(db), ...cutOff.list()],
    /** The entries that every computer skips. */
    refusedEntries: () => refusedEntriesIn(db),
  }
}

function optimize(db: Database, report: (line: string) => void): void {
  try {
    db.pragma('optimize')
  } catch (error) {
    // A disk that is full or read-only, or a damaged index: nothing depends on it.
    report(`the index was not optimized: ${error instanceof Error && 'code' in error ? String(error.code) : 'unknown'}`)
  }
}

const renaming =
  (db: Database, commit: Commit) =>
  (name: string, at: string): void => {
    commit.now(() => [{ kind: 'library_named', library: name, at }])
    nameIndex(db, name)
  }

const waitingIn = ({ marks, waitingComments, sendMarks, letWait }: TeamCommit) => ({
  ...marks,
  /** How many changes of comments wait. */
  comments: waitingComments,
  send: sendMarks,
  letWait,
})

function indexOn(db: Database, ports: IndexPorts) {
  const { files, log, lock, onUnapplied, report, isShared, team, saves } = ports
  const callbackMirror = createCallbackMirror(db)
  const apply = createApply(db)
  const commitPorts = { db, log, lock, apply, callbacks: callbackMirror, onUnapplied, report, isShared }
  const ofTeam = team ? createTeamCommit(commitPorts, team) : null
  const own = createCommit(commitPorts)
  const commit: Commit = ofTeam ?? own
  const storeLarge =
    saves && !team
      ? createLargeSaves({ ...saves, log, commit: own, onUnapplied, onDamage: ports.onDamage, report })
      : null
  const versions = createVersions(db)
  const addresses = createAddresses(db)
  const fieldChanges = createFieldChanges(db)
  const blobs = createBlobs(db, commit)
  const unusedBlobs = createUnusedBlobs(db, commit)
  const references = createReferences(db, commit)
  const writeBack = createWriteBack(db, report, saves ? () => saves.writeBack(files) : null)

  const library = db.prepare<[], string>('SELECT library FROM applied').pluck()
  const callbackList = createCallbackList(db)

  return {
    /** The library's own random name. */
    library: (): string => library.get() ?? '',
    /** Names it anew. The log has to say so too, as a sign that it belongs to this library. */
    becomeAnother: renaming(db, commit),
    ...createMachineData(db),
    sites: createSites(db, commit),
    blobs,
    callbacks: createCallbacks(db, commit),
    callbackList,
    callbackActivity: createCallbackActivity(db),
    callbackRequests: createCallbackRequests(db),
    exports: createExports(db, commit),
    releases: createReleases(db, commit),
    targets: createTargets(db, commit),
    failedSaves: createFailedSaves(db),
    onlinePages: createOnlinePages(db),
    ...createReview(db, commit),
    unsignedSaves: createUnsignedSaves(db),
    pageFonts: createPageFonts(db),
    pages: createPages(db, commit, addresses, fieldChanges),
    pageTexts: createPageTexts(db),
    search: createSearch(db, files.index, callbackList),
    publishing: createPublishing(db, commit, fieldChanges),
    rules: createRules(db, commit, fieldChanges),
    totals: createTotals(db),
    references,
    schema: (): number => Number(db.pragma('user_version', { simple: true })),
    fields: createFields(db, commit, fieldChanges),
    materials: createMaterials(db, commit, addresses, fieldChanges),
    materialList: createMaterialList(db),
    versions,
    versionList: createVersionList(db),
    snapshots: createSnapshots(db),
    blobUses: createBlobUses(db),
    unusedBlobs,
    people: createPeople(db, commit, unusedBlobs),
    retention: createRetention(db, commit, unusedBlobs),
    consistency: createConsistency(db),
    commit,
    /** Applies what the team has written, and returns how many entries that were; null outside a team. */
    followTeam: ofTeam && ofTeam.followTeam,
    /** Changes made here without the bucket, and writing them; null outside a team. */
    teamMarks: ofTeam && waitingIn(ofTeam),
    teamConflicts: createTeamConflicts(db),
    catchUp: createCatchUp({ db, log, lock, commit, callbacks: callbackMirror }),
    storeSave: createStoreSave({ commit, references, blobs, writeBack, storeLarge }),
    /** Grows when another process has written. This is the cheapest way to detect that. */
    foreignChanges: (): number => foreignChanges(db),
    counts: createCounts(db),
    ...createLosses(db),
    /** Writes a copy of the index into a new file, in small steps, so that reads and writes continue meanwhile. */
    copyTo: (copy: string, onBytes: (done: number, total: number) => void, signal: AbortSignal): Promise<void> =>
      copyIndex(files.index, copy, onBytes, signal),
    /** The same for the data of this machine, without its settings and keychain marks. */
    copyLocalTo: (copy: string, signal: AbortSignal): Promise<void> => copyLocal(files.local, copy, signal),
    /** Deletes the settings, including confirmed addresses, and the marks of stored secrets. */
    forgetMachine: (): void => void db.exec('DELETE FROM local.setting; DELETE FROM local.secret_mark'),
    /** Limits the size of SQLite's write-ahead log if there is little room. */
    writeBack: (): void => writeBackNow(db, report),
    close(): void {
      writeBack.stop()
      optimize(db, report)
      db.close()
    },
  }
}

export type Index = ReturnType<typeof createIndex>

/** What changes the library or the data of this computer, by repository. Everything else reads. */
type Operations = Checked<{
  blobs: 'move' | 'remember' | 'retire'
  callbacks: 'begin' | 'closeInterrupted' | 'finish' | 'record'
  comments: 'add' | 'answer' | 'eraseName' | 'forgetName' | 'settle'
  comparisons: 'look' | 'put'
  consistency: 'rebuildSearchIndex'
  exports: 'add'
  failedSaves: 'dismiss' | 'markSeen'
  fields: 'set'
  materials: 'recordOpen' | 'rename'
  pageFonts: 'put'
  pageTexts: 'fill'
  pages: 'change' | 'changeGroups' | 'decide' | 'move' | 'publish'
  people:
    | 'eraseBeside'
    | 'eraseCallbacks'
    | 'eraseDecisions'
    | 'eraseSnapshot'
    | 'eraseVersions'
    | 'forgetViews'
    | 'rewriteCallbacks'
  publishing: 'change'
  references: 'record'
  releases: 'add'
  retention: 'remove' | 'removeMaterial'
  rules: 'pause'
  savedViews: 'put' | 'remove'
  secretMarks: 'forget' | 'markBucketKeys' | 'markCallbackAuth' | 'markSecret' | 'markTargetKey' | 'noteTried'
  settings: 'forget' | 'getOrPut' | 'put'
  sites: 'put' | 'remove'
  targets: 'put' | 'remove'
  unsignedSaves: 'settle'
  unusedBlobs: 'drop'
  webhooks: 'again' | 'claim' | 'confirmed' | 'end' | 'forgetName' | 'giveUp' | 'postpone' | 'release' | 'test'
}>
type Checked<Named extends { [Name in keyof Named]: Name extends keyof Index ? keyof Index[Name] : never }> = Named

/** Members that are operations as a whole. */
type Whole =
  | 'becomeAnother'
  | 'catchUp'
  | 'close'
  | 'commit'
  | 'copyLocalTo'
  | 'copyTo'
  | 'cutOff'
  | 'followTeam'
  | 'forgetMachine'
  | 'storeSave'
  | 'teamMarks'
  | 'writeBack'

/** What answers questions about a library, and cannot change it: lists, details and checks take no more than this. */
export type IndexReads = {
  readonly [Name in Exclude<keyof Index, Whole>]: Name extends keyof Operations
    ? Omit<Index[Name], Operations[Name]>
    : Index[Name]
}

/** What answers questions, and what the named members write: whoever takes it shows what it may change. */
export type IndexWith<Name extends keyof Index> = IndexReads & Pick<Index, Name>
