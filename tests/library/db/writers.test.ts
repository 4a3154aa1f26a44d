import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it } from 'vitest'

import indexSchema from '../../../packages/library/db/database/schema/index.sql?raw'

const root = join(import.meta.dirname, '../../..')

/** The tables that are derived from the log, with those of the full-text index. */
function derivedTables(): ReadonlySet<string> {
  const db = new BetterSqlite3(':memory:')
  try {
    db.exec(indexSchema)
    return new Set(db.prepare<[], string>(`SELECT name FROM sqlite_schema WHERE type = 'table'`).pluck().all())
  } finally {
    db.close()
  }
}
const tables = derivedTables()

const writing =
  /\b(?:INSERT\s+(?:OR\s+\w+\s+)?INTO|REPLACE\s+INTO|UPDATE(?:\s+OR\s+\w+)?|DELETE\s+FROM|DROP\s+TABLE(?:\s+IF\s+EXISTS)?|ALTER\s+TABLE)\s+(?:main\.)?["'`[]?(\$\{|\w+)/gi

/** The derived tables that statements in a text write to; `${` if the table is not known. */
const writtenIn = (text: string): readonly string[] =>
  [...text.matchAll(writing)].flatMap(([, table = '']) =>
    table === '${' || tables.has(table.toLowerCase()) ? [table] : [],
  )

/**
 * Where they may be written: in `apply`, and with the words of pages. The service has its own store.
 */
const allowed = [
  /^packages\/service\//,
  /^packages\/library\/db\/apply\//,
  /^packages\/library\/db\/page\/page-texts\.ts$/,
  /^packages\/library\/db\/database\/schema\//,
]

/** Matches that are no rows of the library, each with a reason. */
const argued: readonly { readonly file: string; readonly table: string; readonly because: string }[] = [
  {
    file: 'packages/library/db/database/open.ts',
    table: 'applied',
    because: 'an empty index says that nothing has been applied',
  },
  {
    file: 'packages/library/db/database/open.ts',
    table: 'applied',
    because: 'the name of the library follows its folder, not its log',
  },
  {
    file: 'packages/library/db/open/log-from-index.ts',
    table: 'lost_entry',
    because: 'in the copy that a new log begins with: a person gives up what the old log has lost',
  },
  {
    file: 'packages/library/db/open/log-from-index.ts',
    table: 'refused_entry',
    because: 'the same: the new log does not have these entries',
  },
  {
    file: 'packages/library/db/open/log-from-index.ts',
    table: 'dropped_file',
    because: 'the same: a dropped file may be all that is left of a lost entry',
  },
  {
    file: 'packages/library/db/open/log-from-index.ts',
    table: 'retired_file',
    because: 'the same: positions of the old log',
  },
  {
    file: 'packages/library/db/consistency.ts',
    table: 'material_text',
    because: 'a command to the full-text index, not a row',
  },
]

const files = ['packages', 'src']
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile() && /\.(ts|tsx|sql)$/.test(entry.name))
  .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))

const found = files
  .filter((file) => !allowed.some((place) => place.test(file)))
  .flatMap((file) => writtenIn(readFileSync(join(root, file), 'utf8')).map((table) => ({ file, table })))

describe('the tables that are derived from the log', () => {
  it('are written only by apply', () => {
    expect(files.length).toBeGreaterThan(300)
    expect(found).toEqual(
      argued.map(({ file, table }) => ({ file, table })).toSorted((a, b) => (a.file < b.file ? -1 : 1)),
    )
  })

  it('are written where this test searches', () => {
    const applied = files.filter((file) => file.startsWith('packages/library/db/apply/'))
    const written = new Set(applied.flatMap((file) => writtenIn(readFileSync(join(root, file), 'utf8'))))
    // Fields that people set are written by the names in `records/fields.ts`.
    written.delete('${')
    const own = [...tables].filter((table) => !/^(sqlite_|material_text_)/.test(table))
    expect([...written].toSorted()).toEqual(own.toSorted())
  })

  it.each([
    ['db.prepare(`INSERT INTO version (id) VALUES (?)`)', 'version'],
    ['db.exec("insert or replace into main.blob values (1)")', 'blob'],
    ['`UPDATE material\n       SET title = ?`', 'material'],
    ['`UPDATE OR IGNORE "site" SET name = 1`', 'site'],
    ['DELETE FROM media_reference', 'media_reference'],
    ['REPLACE INTO delivery VALUES (1)', 'delivery'],
    ['DROP TABLE IF EXISTS unread_page', 'unread_page'],
    ['db.exec(`DELETE FROM ${table}`)', '${'],
    ['INSERT INTO material_text_config VALUES (1)', 'material_text_config'],
  ])('would be found in %j', (line, table) => expect(writtenIn(line)).toEqual([table]))

  it.each([
    'SELECT * FROM version',
    'INSERT INTO local.callback VALUES (1)',
    'UPDATE callbacks_of_log SET position = ?',
    'ON CONFLICT (id) DO UPDATE SET name = 1',
    'INSERT INTO new.setting SELECT * FROM setting',
    'a material that an update of versions left',
  ])('are not written by %j', (line) => expect(writtenIn(line)).toEqual([]))
})
