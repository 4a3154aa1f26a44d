import BetterSqlite3 from 'better-sqlite3'

import type { SaveThread } from './save/large-saves.ts'

/**
 * Work on files of the index that blocks its thread for a second in a large library. Each returns the code of its fault, or
 * null.
 */
export interface IndexWork {
  /** Takes the contents of `from` into the index file `to`. */
  readonly replace: (files: { readonly from: string; readonly to: string }) => Promise<string | null>
  /** Writes a compact copy of an index, without deleted data. */
  readonly compact: (file: string) => Promise<string | null>
  /** Without it, large saves are written on the thread that stores them. */
  readonly saves?: SaveThread
}

/** All pages in one step: writers wait until the index is replaced. */
const pagesAtOnce = 0x7fffffff

/** A thread passes on only the message of an error. */
async function codeOf(work: () => unknown): Promise<string | null> {
  try {
    await work()
    return null
  } catch (error) {
    if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
    throw error
  }
}

/**
 * Takes the contents of an unpacked checkpoint into an index that is open. Its readers see either the old rows or the new
 * ones, in this process and in others; writers wait.
 */
export const replaceIndex: IndexWork['replace'] = ({ from, to }) =>
  codeOf(async () => {
    const db = new BetterSqlite3(from, { readonly: true, timeout: 5000 })
    try {
      await db.backup(to, { progress: () => pagesAtOnce })
    } finally {
      db.close()
    }
  })

const compactIndex: IndexWork['compact'] = (file) =>
  codeOf(() => {
    const db = new BetterSqlite3(file)
    try {
      db.exec('VACUUM')
    } finally {
      db.close()
    }
  })

/** On the thread that asks. */
export const indexWork: IndexWork = { replace: replaceIndex, compact: compactIndex }

/** SQLite could not do it; nothing was changed. `code` is SQLite's, for `storageReason`. */
export class IndexWorkError extends Error {
  readonly code: string
  constructor(code: string) {
    super('A file of the index could not be written')
    this.code = code
  }
}
