import type { Summary } from '@galley/compare'
import type { Sha256, SiteId } from '@galley/wire'
import type { Database } from 'better-sqlite3'

import type { ComparisonSummary } from '../../views/review.ts'

/** A compared pair, by the hashes of everything that belongs to each version. */
export interface ComparedPair {
  /** Empty: the pair has no first version. */
  readonly before: string
  readonly after: string
}

/** The oldest comparisons are forgotten first. They are made again when somebody asks. */
const keptAtMost = 20_000

/** SQL: the archive of the font set that a site had at this moment. */
const fontsSql = (site: string, at: string): string => `SELECT s.archive_sha256 FROM snapshot s
  WHERE s.site = ${site} AND s.received_at <= ${at} ORDER BY s.id DESC LIMIT 1`

/** SQL: the hashes of a version `v` of a site, with that of the font set that the site had when it arrived. */
export const hashesSql = (v: string, site: string): string =>
  `${v}.archive_sha256 || ' ' || coalesce((${fontsSql(site, `${v}.received_at`)}), '')`

interface Row {
  readonly summary: string
  readonly looks_equal: number | null
}

export const readComparison = (row: {
  readonly summary: string | null
  readonly looks_equal: number | null
}): ComparisonSummary | null =>
  row.summary === null
    ? null
    : {
        ...(JSON.parse(row.summary) as Omit<ComparisonSummary, 'looksEqual'>),
        looksEqual: row.looks_equal === null ? null : row.looks_equal === 1,
      }

/** What changed in pairs of versions, as computed on this machine. */
export function createComparisons(db: Database) {
  const one = db.prepare<[string, string], Row>(
    'SELECT summary, looks_equal FROM local.comparison WHERE before = ? AND after = ?',
  )
  const put = db.prepare<[string, string, string, number, number]>(
    `INSERT INTO local.comparison (before, after, summary, changes, words) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (before, after) DO UPDATE SET summary = excluded.summary, changes = excluded.changes, words = excluded.words`,
  )
  const look = db.prepare<[number, string, string]>(
    'UPDATE local.comparison SET looks_equal = ? WHERE before = ? AND after = ?',
  )
  const fonts = db.prepare<[string, string], Sha256>(fontsSql('?', '?')).pluck()
  let written = 0
  const forget = db.prepare('DELETE FROM local.comparison WHERE id <= (SELECT max(id) FROM local.comparison) - ?')

  return {
    find({ before, after }: ComparedPair): ComparisonSummary | null {
      const row = one.get(before, after)
      return row === undefined ? null : readComparison(row)
    },
    put({ before, after }: ComparedPair, { facts, changes, words }: Summary, isUnchanged: boolean): void {
      const text = JSON.stringify({ facts, changes, words, isUnchanged })
      written += put.run(before, after, text, changes, words.added + words.removed).changes
      written += forget.run(keptAtMost).changes
    },
    /** The archive of the font set that a site had at this moment; null if it had none. */
    fontsAt: (site: SiteId, at: string): Sha256 | null => fonts.get(site, at) ?? null,
    /** Records whether the pictures of a compared pair are equal. */
    look({ before, after }: ComparedPair, isEqual: boolean): void {
      written += look.run(Number(isEqual), before, after).changes
    },
    /** How many rows this object has written. */
    written: (): number => written,
  }
}
