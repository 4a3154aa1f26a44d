import type BetterSqlite3 from 'better-sqlite3'

import { createApply } from '../../../packages/library/db/apply/apply.ts'
import { createCallbackMirror } from '../../../packages/library/db/apply/callback-mirror.ts'
import { createCallbackActivity } from '../../../packages/library/db/callback/callback-activity.ts'
import { createCallbackList } from '../../../packages/library/db/callback/callback-list.ts'
import { createCallbackRequests } from '../../../packages/library/db/callback/callback-request.ts'
import { createCallbacks } from '../../../packages/library/db/callback/callbacks.ts'
import { createFailedSaves } from '../../../packages/library/db/callback/failed-saves.ts'
import { createUnsignedSaves } from '../../../packages/library/db/callback/unsigned-saves.ts'
import type { Commit } from '../../../packages/library/db/commit/commit.ts'
import { createSettings } from '../../../packages/library/db/commit/settings.ts'
import { createFieldChanges, createFields } from '../../../packages/library/db/field/fields.ts'
import { createBlobUses } from '../../../packages/library/db/file/blob-uses.ts'
import { createBlobs } from '../../../packages/library/db/file/blobs.ts'
import { createUnusedBlobs } from '../../../packages/library/db/file/unused-blobs.ts'
import { createPageFonts } from '../../../packages/library/db/font-set/page-fonts.ts'
import { createSnapshots } from '../../../packages/library/db/font-set/snapshots.ts'
import { createMaterialList } from '../../../packages/library/db/material/material-list.ts'
import { createMaterials } from '../../../packages/library/db/material/materials.ts'
import { createSavedViews } from '../../../packages/library/db/material/saved-views.ts'
import { createAddresses } from '../../../packages/library/db/page/addresses.ts'
import { createPageTexts } from '../../../packages/library/db/page/page-texts.ts'
import { createPages } from '../../../packages/library/db/page/pages.ts'
import { createExports } from '../../../packages/library/db/release/exports.ts'
import { createReview } from '../../../packages/library/db/review/review.ts'
import { createPublishing } from '../../../packages/library/db/site/publishing.ts'
import { createRules } from '../../../packages/library/db/site/rules.ts'
import { createSecretMarks } from '../../../packages/library/db/site/secret-marks.ts'
import { createSites } from '../../../packages/library/db/site/sites.ts'
import { createTotals } from '../../../packages/library/db/totals.ts'
import { createRetention } from '../../../packages/library/db/version/retention.ts'
import { createVersionList } from '../../../packages/library/db/version/version-list.ts'
import { createVersions } from '../../../packages/library/db/version/versions.ts'
import { createWebhookDeliveries } from '../../../packages/library/db/webhook/webhook-deliveries.ts'
import { acme } from './sample.ts'

/** Commits nothing: only the prepared statements are examined. */
const commit = { now: () => undefined, soon: () => Promise.resolve() } as Partial<Commit> as Commit

/** Every statement that the repositories and `apply` prepare. */
export function preparedOn(db: BetterSqlite3.Database): readonly string[] {
  const prepared: string[] = []
  const recording = new Proxy(db, {
    get(target, name) {
      if (name === 'prepare') return (sql: string) => (prepared.push(sql), target.prepare(sql))
      return name === 'transaction' || name === 'function' ? target[name].bind(target) : undefined
    },
  })
  const reading = [
    createApply,
    createBlobUses,
    createCallbackActivity,
    createCallbackMirror,
    askTheLog,
    createCallbackRequests,
    createWebhookDeliveries,
    createFailedSaves,
    createUnsignedSaves,
    createMaterialList,
    createPageFonts,
    createPageTexts,
    createSavedViews,
    createSecretMarks,
    createSettings,
    createSnapshots,
    createTotals,
    createVersions,
  ]
  for (const create of reading) create(recording)
  for (const create of [createBlobs, createCallbacks, createExports, createReview, createSites, createVersionList])
    create(recording, commit)
  const addresses = createAddresses(recording)
  const fieldChanges = createFieldChanges(recording)
  createFields(recording, commit, fieldChanges)
  createMaterials(recording, commit, addresses, fieldChanges)
  createPages(recording, commit, addresses, fieldChanges)
  createPublishing(recording, commit, fieldChanges)
  createRules(recording, commit, fieldChanges)
  createRetention(recording, commit, createUnusedBlobs(recording, commit))
  return [...new Set(prepared.map((sql) => sql.replaceAll(/\s+/g, ' ').trim()))]
}

/** The callback log generates its SQL: every order and count, for all sites, one site, one material, and a search. */
function askTheLog(db: BetterSqlite3.Database): void {
  const log = createCallbackList(db)
  const all = { outcomes: [], kinds: [], signatures: [], from: null, to: null, text: '' }
  const whole = { ...all, site: null, materialId: null }
  const ofSite = { ...whole, site: acme.id }
  const failed = { ...ofSite, outcomes: ['failed' as const] }
  for (const filters of [whole, ofSite, failed, { ...ofSite, materialId: 'post' }, { ...ofSite, text: 'post' }]) {
    for (const by of ['arrival', 'duration'] as const)
      for (const direction of ['up', 'down'] as const)
        log.query({ filters, sort: { by, direction }, upTo: null, offset: 0, limit: 10 })
    log.counts(filters)
  }
}

/** SQLite's query plan of a statement. */
export function planOf(db: BetterSqlite3.Database, sql: string): readonly string[] {
  const names = Object.fromEntries([...sql.matchAll(/@(\w+)/g)].map(([, name = '']) => [name, null]))
  const values = sql.includes('@') ? [names] : Array.from(sql.matchAll(/\?/g), () => null)
  return db
    .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
    .all(...values)
    .map(({ detail }) => detail)
}
