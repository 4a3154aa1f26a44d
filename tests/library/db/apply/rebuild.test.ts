import { randomUUID } from 'node:crypto'
import { copyFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it } from 'vitest'

import { createApply } from '../../../../packages/library/db/apply/apply.ts'
import { createCallbackMirror } from '../../../../packages/library/db/apply/callback-mirror.ts'
import { followLog } from '../../../../packages/library/db/apply/follow-log.ts'
import { databaseFiles, makeIndex, prepareLocal } from '../../../../packages/library/db/database/open.ts'
import { compareIndexes, compareWithLog } from '../../../../packages/library/db/open/compare-index.ts'
import type { OpenedLibrary } from '../../../../packages/library/db/open/open-library.ts'
import { buildIndex } from '../../../../packages/library/db/open/rebuild.ts'
import { logStart } from '../../../../packages/library/log/mark.ts'
import type { Change, ChangeKind } from '../../../../packages/library/records/changes.ts'
import { fields as allFields, fieldsOf } from '../../../../packages/library/records/fields.ts'
import { keysIn } from '../../../../packages/wire/members.ts'
import { aVerdict } from '../../../support/a-verdict.ts'
import { playHistory } from '../../../support/histories.ts'
import { anExport } from '../../../support/logged-export.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { acme, aSnapshot, aVersion, blobsOf, openAgain, sha } from '../sample.ts'

/** More for a long run: `GALLEY_REBUILD_ROUNDS=2000`. */
const histories = Number(process.env['GALLEY_REBUILD_ROUNDS'] ?? 20)
const roundsEach = 20

/** A copy of the index as it is now. */
/** The kind of a change; for `fields_set` each field that it sets. */
const namesOf = (change: Change): readonly string[] =>
  change.kind === 'fields_set' ? Object.keys(change.set).map((name) => `${change.record}.${name}`) : [change.kind]

/** The change without a kind or a field. */
function without(left: string, change: Change): readonly Change[] {
  if (change.kind !== 'fields_set') return change.kind === left ? [] : [change]
  const kept = Object.entries(change.set).filter(([name]) => `${change.record}.${name}` !== left)
  // Fewer of the fields that it sets.
  return kept.length === 0 ? [] : [{ ...change, set: Object.fromEntries(kept) } as Change]
}

async function copyOf({ index }: OpenedLibrary): Promise<string> {
  const copy = join(await temporaryFolder(), 'copy.db')
  await index.copyTo(copy, () => undefined, new AbortController().signal)
  return copy
}

/** Another machine that has the same log under its eyes, and an index of its own. */
async function aFollower(folder: string): Promise<{ readonly library: OpenedLibrary; readonly folder: string }> {
  const other = await temporaryFolder()
  copyFileSync(join(folder, 'library.json'), join(other, 'library.json'))
  symlinkSync(join(folder, 'log'), join(other, 'log'))
  return { library: await openAgain(other), folder: other }
}

/** Deliveries as the list of callbacks of a machine shows them. */
function storedCallbacks(folder: string): readonly unknown[] {
  const db = new BetterSqlite3(databaseFiles(folder).local, { readonly: true })
  try {
    const columns =
      'id, site, received_at, kind, material_id, content_url, payload, headers, body_bytes, rm, version_id'
    return db.prepare(`SELECT ${columns}, steps, duration_ms FROM callback WHERE outcome = 'stored' ORDER BY id`).all()
  } finally {
    db.close()
  }
}

const changesOf = ({ log }: OpenedLibrary): readonly Change[] =>
  [...log.read(logStart)].flatMap((item) => (item.kind === 'entry' ? item.entry.changes : []))

describe('an index is the result of applying its log', () => {
  it.each(Array.from({ length: histories }, (_, at) => 20_261_122 + at))('history %i', async (seed) => {
    const folder = await temporaryFolder()
    const live = await openAgain(folder)
    const follower = await aFollower(folder)
    let checkpointAt = 0
    const afterRound = (round: number) => {
      if (round % 2 === 0) follower.library.index.commit.follow()
    }
    await playHistory(live.index, { seed, rounds: roundsEach / 2, afterRound })
    checkpointAt = await live.checkpoints.write(databaseFiles(folder).index, new AbortController().signal)
    const { refused } = await playHistory(live.index, { seed: -seed, rounds: roundsEach / 2, afterRound })
    follower.library.index.commit.follow()

    const { log } = live
    const library = live.index.library()
    const copy = await copyOf(live)
    // From its first entry.
    const whole = await compareWithLog(copy, { log, library, scratch: await temporaryFolder() })
    expect(whole.differences).toEqual([])
    expect(whole.built).toMatchObject({
      unapplied: [],
      fromCheckpoint: null,
      position: live.index.commit.mark().position,
    })
    // From a checkpoint, and the entries after it.
    const scratch = databaseFiles(await temporaryFolder())
    prepareLocal(scratch.local)
    const { unpackNewest: unpackCheckpoint } = live.checkpoints
    const tail = await buildIndex(scratch.index, { log, library, local: scratch.local, unpackCheckpoint })
    expect(tail).toMatchObject({ fromCheckpoint: checkpointAt, unapplied: [] })
    expect(await compareIndexes(copy, scratch.index)).toEqual([])
    // Entry by entry, as they arrived, on another machine.
    expect(follower.library.notes.filter(({ kind }) => kind !== 'local_lost' && kind !== 'rebuilt')).toEqual([])
    expect(await compareIndexes(copy, await copyOf(follower.library))).toEqual([])
    expect(storedCallbacks(follower.folder)).toEqual(storedCallbacks(folder))
    // The log contains exactly the changes that the index accepted.
    expect(refused).toBeLessThan((roundsEach / 2) * 5)
    expect(live.index.consistency.tables().map((table) => live.index.consistency.quickCheck(table))).not.toContainEqual(
      expect.stringMatching(/^(?!ok$)/),
    )
  })
})

describe('the comparison', () => {
  /** The index that a broken `apply` builds from the log of a library. */
  async function brokenTwin(
    live: OpenedLibrary,
    breakEntry: (changes: readonly Change[]) => readonly Change[],
    shift = 0,
  ) {
    const folder = await temporaryFolder()
    const files = databaseFiles(folder)
    prepareLocal(files.local)
    const db = new BetterSqlite3(files.index)
    try {
      db.prepare('ATTACH ? AS local').run(files.local)
      db.pragma('foreign_keys = ON')
      makeIndex(db, live.index.library())
      const apply = createApply(db)
      const broken: typeof apply = {
        ...apply,
        entry: (entry, mark) =>
          apply.entry({ ...entry, position: entry.position + shift, changes: breakEntry(entry.changes) }, mark),
      }
      const ports = { db, log: live.log, apply: broken, callbacks: createCallbackMirror(db) }
      db.transaction(() => {
        for (const step of followLog(ports, logStart)) expect(['applied', 'unapplied']).toContain(step.kind)
      })()
    } finally {
      db.close()
    }
    return files.index
  }

  /** One change of every kind that no later change undoes: an undone one would not be missed. */
  function lastWords(): readonly Change[] {
    const site = 'the-last'
    const [kept, pruned, deleted] = ['kept', 'pruned', 'deleted'].map((id) => {
      const named = id === 'deleted' ? { materialId: 'the-deleted' } : {}
      const { text: _text, ...version } = aVersion(id, { site, ...named })
      return { kind: 'version_stored', version, blobs: [...blobsOf(version)], delivery: null } as const
    })
    if (!kept || !pruned || !deleted) return []
    const { materialId, versionId } = kept.version
    const snapshot = aSnapshot('last', { site })
    const blobs = [snapshot.css, snapshot.keptSha256, sha('loose')].map((sha256) => ({
      sha256,
      sizeBytes: 1,
      pack: null,
    }))
    const names = { site, materialId, versionId }
    const at = '2026-11-03T00:00:00.000Z'
    const said = { id: randomUUID(), text: 'Why?', by: 'Ida', at }
    const aQuote = { kind: 'text', exact: 'the bridge', prefix: '', suffix: '', start: 0 } as const
    return [
      { kind: 'site_saved', site: { ...acme, id: site }, owner: '5b4c5d80-6f0e-4d6e-9a36-3f1b7f6f0a01' },
      {
        kind: 'fields_set',
        record: 'site',
        site,
        set: {
          outgoing: 'approved',
          home: materialId,
          language: 'pt',
          timeZone: 'Europe/Lisbon',
          baseUrl: 'https://example.org/',
          description: 'Last',
          theme: 'magazine',
          themeSettings: { last: true },
          menu: [{ label: 'Last', target: { url: 'last/' } }],
          footer: 'Last',
          postsPerPage: 7,
          headSnippet: '<!-- last -->',
          bodySnippet: '<!-- last -->',
          editors: [{ pattern: 'x', reason: 'last' }],
          expiredToken: { action: 'refuse', key: 'k' },
          editLink: 'https://cms.example/{material_id}',
          pause: { reason: 'r', since: at },
        },
      },
      pruned,
      deleted,
      { kind: 'materials_deleted', site, materialIds: [deleted.version.materialId], blobs: [] },
      kept,
      { kind: 'fonts_stored', snapshot, blobs, delivery: null },
      {
        kind: 'fields_set',
        record: 'version',
        site,
        of: [{ materialId, versionId }],
        set: { pinned: true, tags: ['last'], note: 'the last', verdict: aVerdict('approved') },
      },
      { kind: 'versions_pruned', versions: [{ ...names, versionId: pruned.version.versionId }], blobs: [] },
      { kind: 'references_found', versions: [{ ...names, references: [{ hashStart: '0'.repeat(32), name: 'n' }] }] },
      {
        kind: 'person_erased',
        versions: [{ ...names, isEditor: true, metadata: '{"erased":true}', keptSha256: kept.version.keptSha256 }],
        snapshots: [],
        materials: [],
        deliveries: [],
        decisions: [],
        blobs: [],
        dropped: [],
      },
      { kind: 'comment_added', comment: { ...said, ...names, anchor: aQuote } },
      { kind: 'comment_answered', answer: { ...said, id: randomUUID(), thread: said.id } },
      { kind: 'comment_settled', thread: said.id, isResolved: true, by: 'Ida', at },
      { kind: 'blobs_dropped', blobs: [sha('loose')] },
      {
        kind: 'blobs_moved',
        blobs: [{ sha256: snapshot.css, sizeBytes: 1, pack: { sha256: sha('pack'), offset: 5 } }],
      },
      {
        kind: 'target_saved',
        site: 'other',
        name: 'gone',
        settings: { place: { kind: 'folder', directory: '/srv' }, publicUrl: null, compress: false, schedule: null },
      },
      { kind: 'target_removed', site: 'other', name: 'gone' },
      { kind: 'pages_published', site, pages: [{ materialId, at: '2026-11-02T00:00:00.000Z' }] },
      { kind: 'exported', id: 'last', site, at, ...anExport, pages: [{ materialId, versionId }] },
      {
        kind: 'material_opened',
        site,
        materialId,
        title: null,
        slug: null,
        sessionId: 's',
        fingerprint: 'f',
        url: 'u',
        at,
        sentMetadata: '{}',
        callbackUrl: 'https://site.test/callback',
      },
      {
        kind: 'fields_set',
        record: 'material',
        site,
        of: [{ materialId }],
        set: {
          title: 'The last',
          slug: 'last',
          tags: { add: ['last'], remove: [] },
          archivedAt: at,
          refused: { reason: 'r', since: at },
        },
      },
      {
        kind: 'fields_set',
        record: 'page',
        site,
        of: [{ materialId }],
        set: {
          path: 'last',
          redirectsFrom: ['before-last'],
          feedPath: 'first',
          state: 'hidden',
          type: 'page',
          published: '2026-11-01T00:00:00.000Z',
          updated: 'none',
          firstSaved: '2026-11-01T00:00:00.000Z',
          notBefore: at,
          pinned: true,
          language: 'pt',
          description: 'Last',
          tags: ['last'],
          author: 'Ida',
          socialImage: 'a.png',
          canonical: 'https://elsewhere.test/x',
          version: 'approved',
        },
      },
      { kind: 'site_removed', site, at },
    ]
  }

  const seed = 2
  async function aLibrary() {
    const live = await openAgain(await temporaryFolder())
    await playHistory(live.index, { seed, rounds: 40 })
    live.index.commit.now(lastWords)
    return { live, copy: await copyOf(live) }
  }

  it('finds nothing if nothing is wrong', async () => {
    const { live, copy } = await aLibrary()
    expect(await compareIndexes(copy, await brokenTwin(live, (changes) => changes))).toEqual([])
  })

  it('finds every kind of change that is skipped, even once', async () => {
    const { live, copy } = await aLibrary()
    const kinds = new Set(changesOf(live).flatMap(namesOf))
    const all: Record<Exclude<ChangeKind, 'fields_set'>, true> = {
      library_named: true,
      site_saved: true,
      site_removed: true,
      materials_deleted: true,
      addresses_decided: true,
      pages_published: true,
      target_saved: true,
      target_removed: true,
      released: true,
      material_opened: true,
      version_stored: true,
      fonts_stored: true,
      versions_pruned: true,
      references_found: true,
      person_erased: true,
      comment_added: true,
      comment_answered: true,
      comment_settled: true,
      blobs_dropped: true,
      blobs_moved: true,
      exported: true,
      files_dropped: true,
    }
    // A history without some kind of change proves nothing about that kind.
    const fields = keysIn(allFields).flatMap((record) =>
      Object.keys(fieldsOf(record)).map((name) => `${record}.${name}`),
    )
    expect([...kinds].toSorted()).toEqual([...Object.keys(all), ...fields].toSorted())
    for (const kind of kinds) {
      // The name is passed to an index that is created.
      if (kind === 'library_named') continue
      const twin = await brokenTwin(live, (changes) => changes.flatMap((change) => without(kind, change)))
      expect(await compareIndexes(copy, twin), kind).not.toEqual([])
    }
    let isSkipped = false
    const twin = await brokenTwin(live, (changes) =>
      changes.filter((change) => {
        const isFirst = !isSkipped && change.kind === 'exported'
        isSkipped ||= isFirst
        return !isFirst
      }),
    )
    expect(await compareIndexes(copy, twin)).toEqual(expect.arrayContaining([{ table: 'export', rows: 1 }]))
  })

  it('finds a time that is read from the clock, and row ids that do not follow from the position', async () => {
    const { live, copy } = await aLibrary()
    const withClock = await brokenTwin(live, (changes) =>
      changes.map((change) =>
        change.kind === 'material_opened' ? { ...change, at: new Date().toISOString() } : change,
      ),
    )
    expect((await compareIndexes(copy, withClock)).map(({ table }) => table)).toContain('material')
    const shifted = await brokenTwin(live, (changes) => changes, 1)
    expect((await compareIndexes(copy, shifted)).map(({ table }) => table)).toEqual(
      expect.arrayContaining(['material', 'version', 'export']),
    )
  })

  it('finds a row that was inserted, deleted or changed without the log', async () => {
    const { copy } = await aLibrary()
    for (const [statement, table] of [
      [`INSERT INTO blob VALUES ('${'0'.repeat(64)}', 1, NULL, 0)`, 'blob'],
      ['DELETE FROM media_reference WHERE version = (SELECT max(version) FROM media_reference)', 'media_reference'],
      [`UPDATE material SET title_key = title_key || 'x' WHERE id = (SELECT max(id) FROM material)`, 'material'],
      [`UPDATE material_text SET title = title || 'x' WHERE rowid = (SELECT max(id) FROM material)`, 'material_text'],
      [`UPDATE applied SET hash = replace(hash, substr(hash, 1, 1), 'x')`, 'applied'],
      [`UPDATE site SET api_key = api_key || ' '`, 'site'],
    ] as const) {
      const changed = `${copy}.changed`
      copyFileSync(copy, changed)
      const db = new BetterSqlite3(changed)
      db.exec(statement)
      db.close()
      expect(
        (await compareIndexes(changed, copy)).map((difference) => difference.table),
        statement,
      ).toEqual([table])
      expect(
        (await compareIndexes(copy, changed)).map((difference) => difference.table),
        statement,
      ).toEqual([table])
    }
  })
})
