import type BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'

import { databaseFiles, openIndex } from '../../../packages/library/db/database/open.ts'
import { acme, aSnapshot, aVersion, openLibrary, sha, storeSnapshot, storeVersion } from './sample.ts'
import { planOf, preparedOn } from './statements.ts'

/** Plan steps that scan a whole table, or sort. */
const isDear = (step: string): boolean =>
  /TEMP B-TREE/.test(step) ||
  // A constant row is one that is given.
  (/^SCAN (?!CONSTANT ROW$)/.test(step) && !/ USING (COVERING )?INDEX | VIRTUAL TABLE /.test(step))

/** The statements that may be expensive, each with its reason. */
const argued: readonly {
  readonly sql: RegExp
  readonly dear: readonly string[]
  readonly because: string
  /** The number of statements of this form; one by default. */
  readonly many?: number
}[] = [
  {
    sql: /^SELECT id FROM callback WHERE outcome IS NOT NULL AND \(@outcome/,
    dear: ['SCAN callback'],
    because: 'the log is walked from its newest end by primary key, and the walk ends at the limit',
  },
  {
    sql: /^SELECT sha256 AS file, size_bytes AS sizeBytes FROM blob/,
    dear: ['SCAN blob'],
    because: 'the check after a crash and a backup read every row, that is their purpose',
  },
  {
    sql: /^WITH RECURSIVE own AS \(SELECT v\.\* FROM version v/,
    dear: ['USE TEMP B-TREE FOR ORDER BY', 'USE TEMP B-TREE FOR DISTINCT', 'SCAN n'],
    because: 'gathers the files of a whole site, once an hour at most; each table is read by an index',
  },
  {
    sql: /^SELECT name, sha256 FROM media_file$/,
    dear: ['SCAN media_file'],
    because: 'reads every file once, only for `site republish`',
  },
  {
    sql: /^SELECT \(SELECT count\(\*\) FROM material\) AS materials/,
    dear: ['SCAN blob'],
    because: 'adds up the sizes of all files, when somebody asks how large the library is',
  },
  {
    sql: /^SELECT sha256 FROM dropped_file$/,
    dear: ['SCAN dropped_file'],
    because: 'every file that may go; each is deleted soon after',
  },
  {
    sql: /^(UPDATE|SELECT .* FROM) (applied|callbacks_of_log)\b/,
    dear: ['SCAN applied', 'SCAN callbacks_of_log'],
    because: 'a table of one row',
    many: 5,
  },
  {
    sql: /FROM webhook_delivery WHERE site = \? AND last_at IS NOT NULL/,
    dear: ['USE TEMP B-TREE FOR ORDER BY'],
    because: 'the thousand messages that are kept of one site, after each message and for Health',
  },
  {
    sql: /^DELETE FROM blob WHERE sha256 = \?/,
    dear: ['SCAN snapshot', 'SCAN s', 'SCAN site_setting'],
    because: 'sites and font sets are few, and what names a theme or the four parts of a set has no index',
  },
  {
    sql: /^WITH RECURSIVE naming .* SELECT ('version' AS kind|1 AS yes)/,
    dear: ['SCAN n', 'SCAN s'],
    because: 'a file and the few texts that name it, each found by an index; font sets are few',
    many: 2,
  },
  {
    sql: /(NOT \(|SELECT \()(EXISTS )?\(?SELECT (1|count\(\*\)) FROM version WHERE kept_sha256/,
    dear: ['SCAN b', 'SCAN snapshot', 'SCAN site_setting', 'SCAN CONSTANT ROW'],
    because: 'asks of a stretch of blobs, or of one, what needs it: sites and font sets are few and asked last',
    many: 3,
  },
  {
    sql: /^SELECT m\.id, .* AS since FROM json_each\(@sites\) t/,
    dear: ['USE TEMP B-TREE FOR ORDER BY', 'SCAN m', 'SCAN s'],
    because: 'sorts the pages that wait; since when and what they are compared with, no index can hold',
    many: 4,
  },
  {
    sql: /^SELECT m\.id FROM json_each\(@sites\) t .* c\.looks_equal = 1/,
    dear: ['SCAN m', 'SCAN s'],
    because: 'asks every page of a site whether its pictures are equal, if those of any are',
  },
  {
    sql: /^SELECT m\.site, m\.material_id AS materialId, v\.version_id AS versionId FROM decision d/,
    dear: ['SCAN d'],
    because: 'decisions from the newest on, until one of this person holds',
  },
  {
    sql: /^SELECT arrival, body FROM webhook_delivery$/,
    dear: ['SCAN webhook_delivery'],
    because: 'erasing a name reads all messages that are kept',
  },
  {
    sql: /^SELECT m\.site, m\.material_id AS materialId, sum\(c\.is_answered\)/,
    dear: ['USE TEMP B-TREE FOR GROUP BY'],
    because: 'groups the open threads of one person by their pages',
  },
  {
    sql: /^SELECT id, change FROM local\.waiting_comment/,
    dear: ['SCAN local.waiting_comment'],
    because: 'few wait for the bucket of a team, and all of them are read',
  },
  {
    sql: /^SELECT r\.\*, c\.summary, c\.looks_equal/,
    dear: ['SCAN s'],
    because: 'font sets are few',
    many: 2,
  },
  {
    sql: /^SELECT 1 FROM lost_entry LIMIT 1$/,
    dear: ['SCAN lost_entry'],
    because: 'the first row of any, if there is one',
  },
  {
    sql: /^SELECT site, CASE title .* FROM material WHERE site = \? AND session_id IS NOT NULL AND last_access BETWEEN/,
    dear: ['USE TEMP B-TREE FOR ORDER BY'],
    because: 'the materials of one site, once after this computer slept or Galley was closed',
  },
  {
    sql: /JOIN pragma_foreign_key_list/,
    dear: ['SCAN s'],
    because: 'the tables of the schema',
  },
  {
    sql: /^SELECT \* FROM site WHERE removed_at IS NULL ORDER BY id/,
    dear: ['SCAN site'],
    because: 'all sites, a handful',
  },
  {
    sql: /FROM page_redirect r WHERE r\.material = m\.id.*\) AS redirects(?!.*ORDER BY m\.id$)/,
    dear: ['USE TEMP B-TREE FOR json_group_array(ORDER BY)'],
    because: 'sorts the redirects of one page',
    many: 7,
  },
  {
    sql: /AS redirects FROM material m LEFT JOIN page p .* ORDER BY m\.id$/,
    dear: ['USE TEMP B-TREE FOR json_group_array(ORDER BY)', 'USE TEMP B-TREE FOR ORDER BY'],
    because: 'an export decides the addresses of all materials of a site',
  },
  {
    sql: /^SELECT m\.site.* WHERE m\.site = \? ORDER BY m\.id$/,
    dear: ['USE TEMP B-TREE FOR ORDER BY'],
    because: 'an export reads all materials of a site; sorting them is nothing beside writing them',
  },
  {
    sql: /FROM material m INDEXED BY material_archived .*GROUP BY/,
    dear: ['USE TEMP B-TREE FOR GROUP BY'],
    because: 'archived materials alone, found by an index of their own',
    many: 3,
  },
  {
    sql: /^SELECT DISTINCT g\.value FROM page p JOIN json_each/,
    dear: ['USE TEMP B-TREE FOR DISTINCT', 'USE TEMP B-TREE FOR ORDER BY'],
    because: 'the tags of all pages of one site, when somebody edits tags, or when it is exported',
    many: 2,
  },
  {
    sql: /^INSERT OR REPLACE INTO material_text/,
    dear: ['USE TEMP B-TREE FOR group_concat(ORDER BY)'],
    because: 'sorts the tags of one material: the same rows come of every plan',
  },
  {
    sql: /^UPDATE material SET current_version = v\.id/,
    dear: ['SCAN v'],
    because: 'v is one row, found by an index',
  },
  {
    sql: /FROM json_each\(\?\) e JOIN callback c/,
    dear: ['USE TEMP B-TREE FOR ORDER BY'],
    because: 'sorts the rows of one page',
  },
  {
    sql: /^SELECT min\(@last/,
    dear: ['SCAN callback', 'USE TEMP B-TREE FOR GROUP BY'],
    because: 'both walk the log from its newest end and no further than a day back; there are 24 hours to group',
  },
  {
    sql: /^SELECT c\.(outcome|kind) AS value, count/,
    dear: ['USE TEMP B-TREE FOR GROUP BY', 'USE TEMP B-TREE FOR ORDER BY'],
    because: 'counts every row that fits; there are six outcomes and three events to sort',
    many: 8,
  },
  {
    sql: /^SELECT c\.(id|arrival).* ORDER BY c\.duration_ms/,
    dear: ['USE TEMP B-TREE FOR ORDER BY'],
    because: 'an order that is asked for seldom is not worth an index on every callback: 35 ms for 50,000 rows',
    many: 10,
  },
  {
    sql: /^SELECT m\.id FROM material_text t .* ORDER BY (m|t)\./,
    dear: ['USE TEMP B-TREE FOR ORDER BY'],
    because: 'hits come in the order of the text index; sorting their ids takes 10 ms for 10,000',
    many: 16,
  },
  {
    sql: /^SELECT m\.id, m\.site, .* json_group_array\(tag\)/,
    dear: ['SCAN (subquery-1)'],
    because: 'up to 200 tags of one material, found by an index, gathered into one text',
    many: 2,
  },
  {
    sql: /^SELECT m\.material_id AS materialId.* FROM export e/,
    dear: ['USE TEMP B-TREE FOR ORDER BY'],
    because: 'the pages of one export by title, when somebody opens it',
  },
  {
    sql: /^SELECT (status|tag|editor) AS value, count/,
    dear: ['USE TEMP B-TREE FOR ORDER BY'],
    because: 'sorts as many rows as there are statuses, tags or editors; they are counted along an index',
    many: 3,
  },
  {
    sql: /^SELECT (name, sha256, 0 AS isOwn|f\.name, f\.sha256, b\.size_bytes) FROM \(WITH RECURSIVE named/,
    dear: ['USE TEMP B-TREE FOR ORDER BY', 'USE TEMP B-TREE FOR ORDER BY', 'SCAN n'],
    because: 'the files of one version, found by indexes; its own files have to come last',
    many: 2,
  },
]

const argumentFor = (sql: string) => argued.find((each) => each.sql.test(sql))

async function filled() {
  const library = await openLibrary()
  library.index.sites.put({ ...acme, id: 'other' })
  for (let at = 0; at < 60; at += 1) {
    const media = [{ name: `m${at}.png`, sha256: sha(`m${at}`), sizeBytes: 1 }]
    const materialId = `post-${at % 20}` as never
    storeVersion(library.index, aVersion(`v${at}`, { materialId, media, text: `words ${at}` }))
    if (at % 6 === 0) storeSnapshot(library.index, aSnapshot(`s${at}`))
  }
  library.other.exec('ANALYZE')
  // The results of ANALYZE are read at opening.
  const db = openIndex(databaseFiles(library.folder))
  onTestFinished(() => void db.close())
  return db
}

const libraries: readonly (readonly [string, () => Promise<BetterSqlite3.Database>])[] = [
  ['an empty library', async () => (await openLibrary()).other],
  ['a filled library that was analysed', filled],
]

describe.each(libraries)('every statement on %s', (_name, open) => {
  it('finds its rows by an index and in order, or is listed with a reason', async () => {
    const db = await open()
    const statements = preparedOn(db).filter((sql) => !/^INSERT (OR \w+ )?INTO \w+ \([^)]*\) VALUES/.test(sql))
    expect(statements.length).toBeGreaterThan(30)
    const dear = statements.map((sql) => ({ sql, dear: planOf(db, sql).filter(isDear) }))
    expect(dear.filter((each) => each.dear.length > 0 && !argumentFor(each.sql))).toEqual([])
    for (const each of dear)
      expect(argumentFor(each.sql)?.dear ?? [], each.sql).toEqual(expect.arrayContaining(each.dear))
  })

  it('lists reasons only for existing statements', async () => {
    const statements = preparedOn(await open())
    for (const each of argued)
      expect(
        statements.filter((sql) => each.sql.test(sql)),
        each.because,
      ).toHaveLength(each.many ?? 1)
  })
})
