import type { CallbackId, MaterialId, Sha256, SiteId, SnapshotId } from '@galley/wire'
import type { Database } from 'better-sqlite3'

import type { ChangeOf, NewBlob, VersionName } from '../records/changes.ts'
import { nothingErased } from '../records/changes.ts'
import type { GivenVerdict } from '../records/fields.ts'
import type { Decider, Person } from '../records/person.ts'
import { withoutDecider } from '../records/person.ts'
import type { Commit } from './commit/commit.ts'
import { fieldValues } from './database/field-columns.ts'
import type { UnusedBlobs } from './file/unused-blobs.ts'

/** A version that may name a person. */
export interface NamedVersion extends VersionName {
  readonly row: number
  readonly userEmail: string | null
  readonly metadata: string | null
  readonly kept: Sha256
}

/** A version with its new values, without the person. */
export interface CleanVersion extends NamedVersion {
  readonly isEditor: boolean
  readonly cleanMetadata: string | null
  /** The archive without the person; null if unchanged. */
  readonly archive: NewBlob | null
}

export interface NamedSnapshot {
  readonly site: SiteId
  readonly snapshotId: SnapshotId
  readonly kept: Sha256
  readonly css: Sha256
  readonly tree: Sha256 | null
  readonly answer: Sha256 | null
}

type Erased = ChangeOf<'person_erased'>

/** A batch of rows and the start of the next one; null at the end. */
export interface Batch<Row> {
  readonly rows: readonly Row[]
  readonly next: number | null
}

/** Takes a few milliseconds. */
const batchRows = 1000

/** The columns of a callback that may name a person, besides its payload. */
const texts = ['content_url', 'headers', 'rm', 'facts'] as const
const isJson: Readonly<Record<(typeof texts)[number], boolean>> = {
  content_url: false,
  headers: true,
  rm: false,
  facts: true,
}
type CallbackRow = Readonly<Record<(typeof texts)[number] | 'payload', string | null>> & {
  readonly arrival: number
  readonly id: CallbackId
  readonly outcome: string | null
}

// A prefilter: text without a backslash is unescaped. The caller handles non-ASCII case.
const maybe = (column: string): string =>
  `(instr(lower(${column}), @part) > 0 OR instr(${column}, '\\') > 0 OR instr(${column}, '%') > 0)`

const partOf = ({ email }: Person): string => email.toLowerCase().split('@')[0] ?? ''

/** Finds a person in the library and removes them. Searches in batches of a few milliseconds. */
export const createPeople = (db: Database, commit: Commit, unusedBlobs: UnusedBlobs) => ({
  ...inSaves(db, commit, unusedBlobs),
  ...besideSaves(db, commit),
  ...inDecisions(db, commit),
  ...inCallbacks(db, commit),
})

/** Versions and font sets, with their archives. */
function inSaves(db: Database, commit: Commit, unusedBlobs: UnusedBlobs) {
  const inVersions = db.prepare<{ after: number; part: string }, NamedVersion>(
    `SELECT v.id AS row, m.site, m.material_id AS materialId, v.version_id AS versionId, v.user_email AS userEmail,
       v.metadata, v.kept_sha256 AS kept
     FROM version v JOIN material m ON m.id = v.material
     WHERE v.id IN (SELECT id FROM version WHERE id > @after ORDER BY id LIMIT ${batchRows})
       AND (${maybe('v.user_email')} OR ${maybe('v.metadata')} OR instr(v.warnings, 'metadata_no_object') > 0)
     ORDER BY v.id`,
  )
  const endOfVersions = db.prepare<[number], number>(
    `SELECT id FROM version WHERE id > ? ORDER BY id LIMIT 1 OFFSET ${batchRows - 1}`,
  )
  const now = db.prepare<[number], { metadata: string | null; kept: string }>(
    'SELECT metadata, kept_sha256 AS kept FROM version WHERE id = ?',
  )
  const snapshots = db.prepare<[], NamedSnapshot>(
    `SELECT site, snapshot_id AS snapshotId, kept_sha256 AS kept, css_sha256 AS css, tree_sha256 AS tree,
       answer_sha256 AS answer
     FROM snapshot ORDER BY id`,
  )

  /** Old archives that are unused after these versions and font sets get new ones. */
  function droppable(old: readonly Sha256[]): readonly Sha256[] {
    const needs = new Map<Sha256, number>()
    for (const blob of old) needs.set(blob, (needs.get(blob) ?? 0) + 1)
    return [...needs].flatMap(([blob, count]) => (unusedBlobs.needs(blob) === count ? [blob] : []))
  }

  return {
    /** Versions after this row that may name the person, or whose archive was stored unread. */
    versions(person: Person, after: number): Batch<NamedVersion> {
      const next = endOfVersions.pluck().get(after) ?? null
      return { rows: inVersions.all({ after, part: partOf(person) }), next }
    },
    /** All font sets: an archive of fonts may contain metadata that is in no row. */
    snapshots: (): readonly NamedSnapshot[] => snapshots.all(),
    /**
     * Removes the person from these versions in one transaction. Returns false if some have changed since they were read;
     * these stay unchanged.
     */
    eraseVersions(versions: readonly CleanVersion[]): boolean {
      let isWhole = true
      commit.now(() => {
        const same = versions.filter(({ row, metadata, kept }) => {
          const found = now.get(row)
          return found?.kept === kept && found.metadata === metadata
        })
        isWhole = same.length === versions.length
        if (same.length === 0) return []
        const rewritten = same.flatMap(({ archive }) => archive ?? [])
        return [
          {
            ...nothingErased,
            kind: 'person_erased',
            versions: same.map(({ site, materialId, versionId, isEditor, cleanMetadata: metadata, kept, archive }) => ({
              site,
              materialId,
              versionId,
              isEditor,
              metadata,
              keptSha256: archive?.sha256 ?? kept,
            })),
            blobs: rewritten,
            dropped: droppable(same.flatMap(({ kept, archive }) => (archive ? [kept] : []))),
          },
        ]
      })
      return isWhole
    },
    eraseSnapshot: ({ site, snapshotId, kept }: NamedSnapshot, archive: NewBlob): void =>
      commit.now(() => [
        {
          ...nothingErased,
          kind: 'person_erased',
          snapshots: [{ site, snapshotId, keptSha256: archive.sha256 }],
          blobs: [archive],
          dropped: droppable([kept]),
        },
      ]),
  }
}

/** Materials, deliveries of font sets, rules and saved views. */
function besideSaves(db: Database, commit: Commit) {
  const materials = db.prepare<{ part: string }, { site: SiteId; materialId: MaterialId; sentMetadata: string }>(
    `SELECT site, material_id AS materialId, sent_metadata AS sentMetadata FROM material
     WHERE ${maybe('sent_metadata')} ORDER BY id`,
  )
  const deliveries = db.prepare<{ part: string }, { id: CallbackId; payload: string }>(
    `SELECT callback AS id, payload FROM delivery WHERE ${maybe('payload')} ORDER BY id`,
  )
  const rules = db.prepare<[], { site: SiteId; editors: string }>(
    'SELECT site, editors FROM site_setting WHERE editors IS NOT NULL ORDER BY site',
  )
  const views = db.prepare<[], { site: SiteId; subject: string; name: string; query: string }>(
    'SELECT site, subject, name, query FROM saved_view',
  )
  const forgetView = db.prepare<[string, string, string]>(
    'DELETE FROM local.saved_view WHERE site = ? AND subject = ? AND name = ?',
  )

  /** The materials, deliveries of font sets and rules that name the person, with their new values. */
  function beside(person: Person) {
    const part = partOf(person)
    return {
      materials: materials.all({ part }).flatMap((row) => {
        const sentMetadata = person.withoutInJson(row.sentMetadata)
        return sentMetadata === row.sentMetadata ? [] : [{ ...row, sentMetadata }]
      }),
      deliveries: deliveries.all({ part }).flatMap((row) => {
        const payload = person.withoutInJson(row.payload)
        return payload === row.payload ? [] : [{ ...row, payload }]
      }),
      rules: rules.all().flatMap((row) => {
        const { editors } = fieldValues('site', row)
        const left = editors.filter(({ pattern }) => !person.isIn(pattern))
        if (left.length === editors.length) return []
        return [{ kind: 'fields_set' as const, record: 'site' as const, site: row.site, set: { editors: left } }]
      }),
    }
  }

  const viewsOf = (person: Person) => views.all().filter(({ name, query }) => person.isIn(name) || person.isIn(query))

  return {
    /** How many materials, deliveries of font sets, rules and saved views name the person. */
    countBeside(person: Person): number {
      const found = beside(person)
      return found.materials.length + found.rules.length + viewsOf(person).length
    },
    /** Removes the saved views of this computer that name the person. */
    forgetViews(person: Person): void {
      for (const { site, subject, name } of viewsOf(person)) forgetView.run(site, subject, name)
    },
    /** Removes the person from materials, deliveries of font sets and rules. */
    eraseBeside(person: Person): void {
      commit.now(() => {
        const { materials: opened, deliveries: fonts, rules: kept } = beside(person)
        const isNamed = opened.length > 0 || fonts.length > 0
        const erased = { ...nothingErased, kind: 'person_erased' as const, materials: opened, deliveries: fonts }
        return [...(isNamed ? [erased] : []), ...kept]
      })
    },
  }
}

interface NamedDecision extends VersionName {
  readonly verdict: string
}

/** What people have decided. */
function inDecisions(db: Database, commit: Commit) {
  const decisions = db.prepare<[], NamedDecision>(
    `SELECT m.site, m.material_id AS materialId, v.version_id AS versionId, d.verdict FROM decision d
       JOIN version v ON v.id = d.version JOIN material m ON m.id = v.material ORDER BY d.id`,
  )
  const waiting = db.prepare<[], { id: number; wanted: string }>(
    `SELECT id, wanted FROM local.waiting_mark WHERE field = 'verdict' AND wanted <> 'null'`,
  )
  const rewrite = db.prepare<[string, number]>('UPDATE local.waiting_mark SET wanted = ? WHERE id = ?')

  /** The decision without the person; null if it does not name them. */
  function cleaned(text: string, person: Decider): GivenVerdict | null {
    const verdict = JSON.parse(text) as GivenVerdict
    const [by, reason] = [withoutDecider(verdict.by, person), withoutDecider(verdict.reason, person)]
    return by === verdict.by && reason === verdict.reason ? null : { ...verdict, by, reason }
  }
  const named = (person: Decider): Erased['decisions'] =>
    decisions.all().flatMap(({ verdict, ...version }) => {
      const clean = cleaned(verdict, person)
      return clean === null ? [] : [{ ...version, at: clean.at, by: clean.by, reason: clean.reason }]
    })

  return {
    countDecisions: (person: Decider): number => named(person).length,
    /** Removes the person from decisions, also from those that wait on this computer for the bucket of a team. */
    eraseDecisions(person: Decider): void {
      for (const { id, wanted } of waiting.all()) {
        const clean = cleaned(wanted, person)
        if (clean !== null) rewrite.run(JSON.stringify(clean), id)
      }
      commit.now(() => {
        const found = named(person)
        return found.length === 0 ? [] : [{ ...nothingErased, kind: 'person_erased', decisions: found }]
      })
    },
  }
}

/** The callbacks of this computer. */
function inCallbacks(db: Database, commit: Commit) {
  const callbacks = db.prepare<{ after: number; part: string }, CallbackRow>(
    `SELECT arrival, id, outcome, payload, ${texts.join(', ')} FROM callback
     WHERE arrival IN (SELECT arrival FROM callback WHERE arrival > @after ORDER BY arrival LIMIT ${batchRows})
       AND (${['payload', ...texts].map(maybe).join(' OR ')})
     ORDER BY arrival`,
  )
  const endOfCallbacks = db.prepare<[number], number>(
    `SELECT arrival FROM callback WHERE arrival > ? ORDER BY arrival LIMIT 1 OFFSET ${batchRows - 1}`,
  )
  const rewrite = db.prepare<CallbackRow>(
    `UPDATE local.callback SET payload = @payload, ${texts.map((column) => `${column} = @${column}`).join(', ')}
     WHERE arrival = @arrival`,
  )

  return {
    /** Callbacks after this arrival that name the person, with any outcome, and their new values. */
    callbacks(person: Person, after: number): Batch<CallbackRow> {
      const next = endOfCallbacks.pluck().get(after) ?? null
      const rows = callbacks.all({ after, part: partOf(person) }).flatMap((row) => {
        const clean = { ...row, payload: row.payload && person.withoutInJson(row.payload) }
        for (const column of texts) {
          const text = row[column]
          if (text !== null) clean[column] = isJson[column] ? person.withoutInJson(text) : person.withoutIn(text)
        }
        const isSame = clean.payload === row.payload && texts.every((column) => clean[column] === row[column])
        return isSame ? [] : [clean]
      })
      return { rows, next }
    },
    /** Rewrites these callbacks of this computer. */
    rewriteCallbacks: (rows: readonly CallbackRow[]): void =>
      db.transaction(() => {
        for (const row of rows) rewrite.run(row)
      })(),
    /** Callbacks that stored something are also in the log. */
    eraseCallbacks(rows: readonly CallbackRow[]): void {
      commit.now(() => {
        const stored = rows.flatMap(({ id, outcome, payload }) =>
          outcome === 'stored' && payload !== null ? [{ id, payload }] : [],
        )
        return stored.length === 0 ? [] : [{ ...nothingErased, kind: 'person_erased', deliveries: stored }]
      })
    },
  }
}
