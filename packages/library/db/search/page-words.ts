import { createHash } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Sha256 } from '@galley/wire'
import { tokensOf } from '@galley/wire'
import type { Database } from 'better-sqlite3'
import BetterSqlite3 from 'better-sqlite3'

import { isDamage } from '../database/open.ts'
import { makePrivateFile } from '../database/private-file.ts'
import schema from '../database/schema/search.sql?raw'

/** The texts of all pages of a library, beside its index. */
export const searchFile = (index: string): string => join(dirname(index), 'search.db')

/** Increase with every change of `schema/search.sql`: a file of another version is made anew. */
const schemaVersion = 1

/** A stored page, by the hash of its file, and its texts. */
export interface PageBlocks {
  readonly sha256: Sha256
  readonly blocks: readonly string[]
}

/** Opens the texts for writing. What is damaged, or of another version, is deleted: all of it is read again. */
function openWords(file: string): Database {
  for (let isSecond = false; ; isSecond = true) {
    makePrivateFile(file)
    const db = new BetterSqlite3(file, { timeout: 10_000 })
    try {
      db.pragma('journal_mode = WAL')
      db.pragma('synchronous = NORMAL')
      db.pragma('secure_delete = ON')
      db.transaction(() => {
        if (db.pragma('user_version', { simple: true }) !== 0) return
        db.exec(schema)
        db.pragma(`user_version = ${schemaVersion}`)
      }).immediate()
      if (db.pragma('user_version', { simple: true }) === schemaVersion) return db
    } catch (error) {
      if (isSecond || !isDamage(error)) {
        db.close()
        throw error
      }
    }
    db.close()
    for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true })
  }
}

/** Collisions of hashes of 12 bytes are not expected in any library. */
const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest().subarray(0, 12)

/** What the full-text index has of a text. */
const wordsOf = (text: string): string => tokensOf(text).join(' ')

/** Adds pages to the search, in one transaction. Those that are there are skipped. */
export function putPages(file: string, pages: readonly PageBlocks[]): void {
  const db = openWords(file)
  try {
    const addPage = db.prepare<[string], { id: number }>(
      'INSERT OR IGNORE INTO read_page (sha256) VALUES (?) RETURNING id',
    )
    const known = db.prepare<[Buffer], number>('SELECT id FROM block WHERE hash = ?').pluck()
    const addBlock = db.prepare<[Buffer, string]>('INSERT INTO block (hash, text) VALUES (?, ?)')
    const addWords = db.prepare<[number, string]>('INSERT INTO block_text (rowid, words) VALUES (?, ?)')
    const link = db.prepare<[number, number]>('INSERT OR IGNORE INTO page_block (block, page) VALUES (?, ?)')
    db.transaction(() => {
      for (const { sha256, blocks } of pages) {
        const page = addPage.get(sha256)?.id
        if (page === undefined) continue
        for (const text of blocks) {
          const hash = hashOf(text)
          let block = known.get(hash)
          if (block === undefined) {
            block = Number(addBlock.run(hash, text).lastInsertRowid)
            addWords.run(block, wordsOf(text))
          }
          link.run(block, page)
        }
      }
    }).immediate()
  } finally {
    db.close()
  }
}

/** Removes the pages that no version of the library has any more, with their texts. Returns how many pages those were. */
export function forgetPages(file: string, index: string): number {
  if (!existsSync(file)) return 0
  const db = openWords(file)
  try {
    db.prepare('ATTACH ? AS library').run(index)
    const removed = db
      .transaction(() => {
        const { changes } = db
          .prepare('DELETE FROM read_page WHERE sha256 NOT IN (SELECT html_sha256 FROM library.version)')
          .run()
        if (changes === 0) return 0
        db.prepare('DELETE FROM page_block WHERE page NOT IN (SELECT id FROM read_page)').run()
        const unused = db
          .prepare<[], { id: number; text: string }>(
            'SELECT id, text FROM block b WHERE NOT EXISTS (SELECT 1 FROM page_block WHERE block = b.id)',
          )
          .all()
        const removeWords = db.prepare<[number, string]>(
          `INSERT INTO block_text (block_text, rowid, words) VALUES ('delete', ?, ?)`,
        )
        const remove = db.prepare<[number]>('DELETE FROM block WHERE id = ?')
        for (const { id, text } of unused) {
          removeWords.run(id, wordsOf(text))
          remove.run(id)
        }
        return changes
      })
      .immediate()
    // The write-ahead log would keep them until its next use.
    if (removed > 0) db.pragma('main.wal_checkpoint(TRUNCATE)')
    return removed
  } finally {
    db.close()
  }
}

/** Reads the texts of pages; each call sees what is there now. `read` gets null while there are none. */
export function withWords<Value>(file: string, read: (db: Database | null) => Value): Value {
  if (!existsSync(file)) return read(null)
  let db: Database | null = null
  try {
    db = new BetterSqlite3(file, { readonly: true, timeout: 1000 })
    if (db.pragma('user_version', { simple: true }) !== schemaVersion) return read(null)
    return read(db)
  } catch (error) {
    // The next page that is added finds the damage, and the texts are made anew.
    if (isDamage(error)) return read(null)
    throw error
  } finally {
    db?.close()
  }
}
