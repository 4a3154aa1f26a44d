import type { SiteId } from '@galley/wire'
import { assertNever } from '@galley/wire'
import type { Database } from 'better-sqlite3'

import type { LogMark } from '../../log/mark.ts'
import type { Change, Entry } from '../../records/changes.ts'
import { createBlobWriter } from './blobs.ts'
import { createCommentWriter } from './comments.ts'
import { createDeliveryWriter } from './deliveries.ts'
import { createExportWriter } from './exports.ts'
import { createFieldWriter } from './fields.ts'
import type { Unapplied } from './lost-entries.ts'
import { createLostEntries } from './lost-entries.ts'
import { createMaterialDeletion } from './material-deletion.ts'
import { createMaterialWriter } from './materials.ts'
import { createPageWriter } from './pages.ts'
import { createPersonWriter } from './people.ts'
import { createReleaseWriter } from './releases.ts'
import type { NextId } from './row-ids.ts'
import { createRowIds } from './row-ids.ts'
import { createSaveWriter } from './saves.ts'
import { createSearchDocumentWriter } from './search-documents.ts'
import { createSiteWriter } from './sites.ts'
import { createSnapshotWriter } from './snapshots.ts'
import { createStyleSheetWriter } from './style-sheets.ts'
import { createVersionWriter } from './versions.ts'

/** Data about a change that is not part of the log: the text of a page that was just read. */
export interface UnloggedFacts {
  /** The text of the page for the search; absent if the change comes from the log. */
  readonly pageText?: string
}

/** The writers of the tables, by subject. */
function createWriters(db: Database, nextId: NextId, positionNow: () => number) {
  const blobs = createBlobWriter(db, positionNow)
  const deliveries = createDeliveryWriter(db, nextId)
  const documents = createSearchDocumentWriter(db)
  const materials = createMaterialWriter(db, { documents, nextId })
  const pages = createPageWriter(db, materials)
  const sheets = createStyleSheetWriter(db)
  const sites = createSiteWriter(db)
  const saves = createSaveWriter(db, { materials, blobs, deliveries, sheets, sites, nextId })
  const comments = createCommentWriter(db, { saves, nextId })
  return {
    sites,
    blobs,
    materials,
    fields: createFieldWriter(db, { blobs, documents, materials, pages, saves, nextId }),
    deletions: createMaterialDeletion(db, { blobs, deliveries, materials }),
    pages,
    saves,
    sheets,
    snapshots: createSnapshotWriter(db, { blobs, deliveries, sheets, sites, nextId }),
    versions: createVersionWriter(db, { blobs, deliveries, saves }),
    people: createPersonWriter(db, { blobs, comments, deliveries, saves }),
    comments,
    exports: createExportWriter(db, nextId),
    releases: createReleaseWriter(db, nextId),
  }
}

function applyTo(writers: ReturnType<typeof createWriters>, change: Change, beside: UnloggedFacts): void {
  const { sites, blobs, materials, fields, deletions, pages, saves, snapshots, versions, people } = writers
  const { comments, exports, releases, sheets } = writers
  switch (change.kind) {
    // An entry of another member must not decide which secrets and files are used: an index gets its name when it is built.
    case 'library_named':
      return
    case 'site_saved':
      return sites.put(change)
    case 'site_removed':
      return sites.remove(change.site, change.at)
    case 'addresses_decided':
      return pages.decide(change)
    case 'pages_published':
      return pages.publish(change.site, change.pages)
    case 'material_opened':
      return materials.open(change)
    case 'fields_set':
      return fields(change)
    case 'materials_deleted':
      return deletions.remove(change)
    case 'version_stored':
      return saves.addVersion(change, beside.pageText)
    case 'fonts_stored':
      return snapshots.add(change)
    case 'versions_pruned':
      return versions.prune(change)
    case 'references_found':
      sheets.addReferences(change)
      return saves.addReferences(change)
    case 'blobs_dropped':
      return blobs.drop(change.blobs)
    case 'files_dropped':
      return blobs.retire(change.files)
    case 'blobs_moved':
      return blobs.move(change.blobs)
    case 'person_erased':
      return people.erase(change)
    case 'comment_added':
      return comments.add(change.comment)
    case 'comment_answered':
      return comments.answer(change.answer)
    case 'comment_settled':
      return comments.settle(change)
    case 'exported':
      exports.add(change)
      return pages.publish(
        change.site,
        change.pages.map(({ materialId }) => ({ materialId, at: change.at })),
      )
    case 'target_saved':
      return releases.putTarget(change)
    case 'target_removed':
      return releases.removeTarget(change)
    case 'released':
      return releases.add(change.release)
    default:
      assertNever(change)
  }
}

/**
 * Applies changes to the index. The only writer of its tables, and deterministic: the same log creates the same rows on
 * every computer and in every later Galley version, so nothing here reads a clock, a file or the environment. Must run
 * inside a transaction. Throws SQLite errors, including for a change that contradicts the rows.
 */
export function createApply(db: Database) {
  const ids = createRowIds()
  const writers = createWriters(db, ids.next, ids.position)
  const lost = createLostEntries(db)
  const advance = db.prepare<LogMark>(
    `UPDATE applied SET position = @position, hash = @hash, segment = @segment, line_start = @start, line_end = @end`,
  )

  const lock = db.prepare('DELETE FROM applied WHERE only_row = 0')

  const apply = (change: Change, beside: UnloggedFacts): void => applyTo(writers, change, beside)

  /** Call before the changes of an entry. */
  function begin(at: number): void {
    ids.begin(at)
    lost.dropFrom(at)
  }

  return {
    /** Locks the index for writing, without `local.db`, and changes nothing. */
    lock: (): void => void lock.run(),
    begin,
    change: apply,
    /** How many row ids the entry has used. Pass it to `rewind` after a change was rolled back. */
    taken: ids.taken,
    rewind: ids.rewind,
    /** Call after the changes of an entry. Sets the position of the index. */
    end: (mark: LogMark): void => void advance.run(mark),
    /** Applies an entry of the log. */
    entry(entry: Entry, mark: LogMark): void {
      begin(entry.position)
      for (const change of entry.changes) apply(change, {})
      advance.run(mark)
    },
    /** Skips an entry of the log: its rows are none. */
    skip(entry: Entry, mark: LogMark): void {
      begin(entry.position)
      lost.refuse(entry)
      advance.run(mark)
    },
    lacksEntries: lost.some,
    /** Records which parts of the log the rows lack. Call after the entry, if it was applied in part. */
    lack: (what: Unapplied): void => lost.add(what),
    /** Applies a change after a gap in the log: adds a row for its site if that is missing. */
    changeAfterGap(change: Change): void {
      const site = siteOf(change)
      if (site !== null) writers.sites.standIn(site)
      apply(change, {})
    },
  }
}

/** The site whose row a change needs; null if it needs none. */
function siteOf(change: Change): SiteId | null {
  switch (change.kind) {
    case 'version_stored':
      return change.version.site
    case 'fonts_stored':
      return change.snapshot.site
    case 'released':
      return change.release.site
    case 'fields_set':
      return change.record === 'material' && change.set.refused ? change.site : null
    case 'material_opened':
    case 'exported':
    case 'target_saved':
      return change.site
    case 'library_named':
    case 'site_saved':
    case 'site_removed':
    case 'materials_deleted':
    case 'addresses_decided':
    case 'pages_published':
    case 'versions_pruned':
    case 'references_found':
    case 'blobs_dropped':
    case 'files_dropped':
    case 'blobs_moved':
    case 'person_erased':
    // Their versions are needed too: without these they are skipped.
    case 'comment_added':
    case 'comment_answered':
    case 'comment_settled':
    case 'target_removed':
      return null
  }
}

export type Apply = ReturnType<typeof createApply>
