import { setImmediate as nextTurn } from 'node:timers/promises'
import { shownName } from '@galley/wire'

import type {
  ChangeOf,
  LoggedDelivery,
  MediaReference,
  NewBlob,
  NewSnapshot,
  NewVersion,
} from '../../records/changes.ts'
import { asRead, deliveryAsRead } from '../../records/changes.ts'
import { referencesForm } from '../../records/media-references.ts'
import { limitedRemarks } from '../../records/remark.ts'
import type { Draft } from '../commit/commit.ts'
import type { References } from '../file/references.ts'

/** The blobs of a larger save are read in a separate turn of the event loop, before the one that writes the save. */
const blobsInATurn = 500

/** One stored save: what it brought, and the callback that brought it. */
export interface StoredSave {
  readonly blobs: readonly NewBlob[]
  readonly content:
    | {
        readonly version: NewVersion
        /** Of the page, for the search. */
        readonly text: string
        /** The references to earlier files of the site. A warning lists the missing ones. */
        readonly ownReferences?: readonly MediaReference[]
      }
    | { readonly snapshot: NewSnapshot }
  /** The references of its style sheets and other files. */
  readonly sheets?: ChangeOf<'references_found'>['sheets']
  /** Created when the save is written; null if it came without a callback of this library. */
  readonly delivery: () => LoggedDelivery | null
}

type SaveChange = ChangeOf<'version_stored' | 'fonts_stored'>

/**
 * The drafts of a save. Most of it is read before, so that the lock is not held meanwhile. What depends on other saves is
 * decided when the save has its place in the log.
 */
export async function draftsOfSave(
  { blobs, content, delivery, sheets = [] }: StoredSave,
  references: Pick<References, 'missing' | 'isUnread'>,
): Promise<() => readonly Draft[]> {
  const change = asRead<SaveChange>(
    'version' in content
      ? { kind: 'version_stored', version: content.version, blobs, delivery: null }
      : { kind: 'fonts_stored', snapshot: content.snapshot, blobs, delivery: null },
  )
  const found = sheets.length === 0 ? null : sheetsFound(sheets)
  if (blobs.length > blobsInATurn) await nextTurn()
  return () => {
    const missing = 'version' in content ? references.missing(content.ownReferences ?? []) : []
    const save: Draft = {
      change: { ...withWarnings(change, missing), delivery: deliveryAsRead(delivery()) },
      ...('version' in content && { beside: { pageText: content.text } }),
      isAsRead: true,
    }
    // An earlier save may have had the same ones.
    const unread = found?.sheets?.filter(({ sheet }) => references.isUnread(sheet)) ?? []
    return found === null || unread.length === 0
      ? [save]
      : [save, { change: { ...found, sheets: unread }, isAsRead: true }]
  }
}

const sheetsFound = (sheets: NonNullable<StoredSave['sheets']>): ChangeOf<'references_found'> =>
  asRead({ kind: 'references_found', versions: [], sheets, referencesForm })

function withWarnings(change: SaveChange, missing: readonly MediaReference[]): SaveChange {
  if (change.kind !== 'version_stored' || missing.length === 0) return change
  const added = missing.map(({ name }) => ({ code: 'stored_file_missing' as const, name: shownName(name) }))
  const warnings = limitedRemarks([...change.version.warnings, ...added])
  return { ...change, version: { ...change.version, warnings } }
}
