import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it } from 'vitest'

import { createBlobs } from '../../../src/main/db/blobs.ts'
import { createCallbacks } from '../../../src/main/db/callbacks.ts'
import { createMaterials } from '../../../src/main/db/materials.ts'
import { createSettings } from '../../../src/main/db/settings.ts'
import { createSites } from '../../../src/main/db/sites.ts'
import { createSnapshots } from '../../../src/main/db/snapshots.ts'
import { createVersions } from '../../../src/main/db/versions.ts'
import { acme, aSnapshot, aVersion, openLibrary, sha, storeSnapshot, storeVersion } from './sample.ts'

/** Every statement that the repositories prepare, as they prepare it. */
function preparedOn(db: BetterSqlite3.Database): readonly string[] {
  const prepared: string[] = []
  const recording = new Proxy(db, {
    get: (target, name) =>
      name === 'prepare' ? (sql: string) => (prepared.push(sql), target.prepare(sql)) : undefined,
  })
  for (const create of [createBlobs, createCallbacks, createSettings, createSites, createSnapshots]) create(recording)
  createVersions(recording, createMaterials(recording))
  return prepared.map((sql) => sql.replaceAll(/\s+/g, ' ').trim())
}

function planOf(db: BetterSqlite3.Database, sql: string): readonly string[] {
  const names = Object.fromEntries([...sql.matchAll(/@(\w+)/g)].map(([, name = '']) => [name, null]))
  const values = sql.includes('@') ? [names] : Array.from(sql.matchAll(/\?/g), () => null)
  return db
    .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
    .all(...values)
    .map(({ detail }) => detail)
}

/** What reads a table from end to end, or sorts. */
const isDear = (step: string): boolean =>
  /TEMP B-TREE/.test(step) || (step.startsWith('SCAN ') && !/ USING (COVERING )?INDEX | VIRTUAL TABLE /.test(step))

/** The statements that may be dear, each with its reason. */
const argued: readonly { readonly sql: RegExp; readonly dear: readonly string[]; readonly because: string }[] = [
  {
    sql: /^SELECT \* FROM callback WHERE outcome IS NOT NULL AND \(@outcome/,
    dear: ['SCAN callback'],
    because: 'the log is walked from its newest end by primary key, and the walk ends at the limit',
  },
  {
    sql: /^SELECT sha256 AS file, size_bytes FROM blob/,
    dear: ['SCAN blob'],
    because: 'the check after a crash reads every row, that is its purpose',
  },
  {
    sql: /^SELECT \* FROM site WHERE removed_at IS NULL ORDER BY id/,
    dear: ['SCAN site'],
    because: 'all sites, a handful',
  },
  {
    sql: /^SELECT m\.site.* WHERE m\.site = \? ORDER BY m\.id$/,
    dear: ['USE TEMP B-TREE FOR ORDER BY'],
    because: 'an export reads all materials of a site; sorting them is nothing beside writing them',
  },
  {
    sql: /^SELECT DISTINCT v\.public_base/,
    dear: ['USE TEMP B-TREE FOR DISTINCT'],
    because: 'holds one row for each address a site ever had; asked once an export',
  },
]

const argumentFor = (sql: string) => argued.find((each) => each.sql.test(sql))

async function filled() {
  const library = await openLibrary()
  library.index.sites.put({ ...acme, id: 'other' as typeof acme.id })
  for (let at = 0; at < 60; at += 1) {
    const media = [{ name: `m${at}.png`, sha256: sha(`m${at}`), sizeBytes: 1 }]
    const materialId = `post-${at % 20}` as never
    storeVersion(library.index, aVersion(`v${at}`, { materialId, media, text: `words ${at}` }))
    if (at % 6 === 0) storeSnapshot(library.index, aSnapshot(`s${at}`))
  }
  library.other.exec('ANALYZE')
  // What ANALYZE found is read at open.
  return new BetterSqlite3(library.file)
}

const libraries: readonly (readonly [string, () => Promise<BetterSqlite3.Database>])[] = [
  ['an empty library', async () => (await openLibrary()).other],
  ['a filled library that was analysed', filled],
]

describe.each(libraries)('every statement on %s', (_name, open) => {
  it('finds its rows by an index and in order, or has a reason not to', async () => {
    const db = await open()
    const statements = preparedOn(db).filter((sql) => !/^INSERT (OR \w+ )?INTO \w+ \([^)]*\) VALUES/.test(sql))
    expect(statements.length).toBeGreaterThan(30)
    const dear = statements.map((sql) => ({ sql, dear: planOf(db, sql).filter(isDear) }))
    expect(dear.filter((each) => each.dear.length > 0 && !argumentFor(each.sql))).toEqual([])
    for (const each of dear)
      expect(argumentFor(each.sql)?.dear ?? [], each.sql).toEqual(expect.arrayContaining(each.dear))
  })

  it('has an argument only for statements that are there', async () => {
    const statements = preparedOn(await open())
    for (const each of argued)
      expect(
        statements.filter((sql) => each.sql.test(sql)),
        each.because,
      ).toHaveLength(1)
  })
})

describe('the lists that people look at', () => {
  const plans: readonly (readonly [string, RegExp, readonly string[]])[] = [
    [
      'materials of a site',
      /ORDER BY m\.saved_at DESC, m\.id DESC LIMIT \?$/,
      ['SEARCH m USING INDEX material_by_saved (site=?)', 'SEARCH v USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN'],
    ],
    [
      'versions of a material',
      /ORDER BY v\.cdate_ms DESC, v\.id DESC$/,
      [
        'SEARCH m USING INDEX sqlite_autoindex_material_1 (site=? AND material_id=?)',
        'SEARCH v USING INDEX version_by_order (material=?)',
      ],
    ],
    [
      'callbacks of a site',
      /outcome IS NOT NULL AND site = @site/,
      ['SEARCH callback USING INDEX callback_by_site (site=?)'],
    ],
    [
      'font sets of a site',
      /^SELECT \* FROM snapshot WHERE site = \? ORDER BY id DESC$/,
      ['SEARCH snapshot USING INDEX snapshot_by_site (site=?)'],
    ],
    [
      'search',
      /material_text MATCH/,
      [
        expect.stringMatching(/^SCAN t VIRTUAL TABLE INDEX/),
        'SEARCH m USING INTEGER PRIMARY KEY (rowid=?)',
        'SEARCH v USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN',
      ],
    ],
    [
      'the ledger',
      /content_url = \? AND outcome = 'stored'$/,
      ['SEARCH callback USING INDEX callback_ledger (site=? AND kind=? AND material_id=? AND content_url=?)'],
    ],
    [
      'media by address',
      /^SELECT name, sha256, size_bytes FROM media WHERE sha256/,
      ['SEARCH media USING INDEX media_by_blob (sha256>? AND sha256<?)'],
    ],
  ]

  it.each(plans)('%s', async (_name, which, expected) => {
    const { other } = await openLibrary()
    const [sql = '', ...more] = preparedOn(other).filter((each) => which.test(each))
    expect(more).toEqual([])
    expect(planOf(other, sql)).toEqual(expected)
  })
})
