import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { expect, onTestFinished } from 'vitest'

import type { CareFailure, CareRun, Progress } from '../../../packages/library/care/run.ts'
import type { Index } from '../../../packages/library/db/library-index.ts'
import type { Result } from '../../../packages/wire/result.ts'
import type { SaveParts } from '../../support/test-galley.ts'
import { aFontsSave, aSave, createTestGalley } from '../../support/test-galley.ts'

/** The context of an uninterrupted care operation; `seen` collects its progress. */
export function aRun(): CareRun & { readonly seen: Progress[] } {
  const seen: Progress[] = []
  return { signal: new AbortController().signal, onProgress: (progress) => void seen.push(progress), seen }
}

/** The report of a care operation; fails the test if the operation failed. */
export async function reportOf<Report>(done: Promise<Result<Report, CareFailure>>): Promise<Report> {
  const result = await done
  if (!result.ok) expect.fail(`It failed: ${JSON.stringify(result.failure)}`)
  return result.value
}

/** A library that accepts saves, with access to its internals for reading and damaging it. */
export async function aCaredLibrary(now?: () => Date) {
  const fixture = await createTestGalley({ edges: { ...(now && { now }) } })
  await fixture.know('post-1')
  const { galley, folder, service, post } = fixture
  const db = new BetterSqlite3(join(folder, 'index.db'))
  db.prepare('ATTACH ? AS local').run(join(folder, 'local.db'))
  onTestFinished(() => void db.close())
  /** Returns the delivery, so that it can be sent again. */
  const save = async (parts: SaveParts = {}) => {
    const { body, headers } = aSave(service, parts)
    const answer = await post(body, headers)
    expect(answer.json.rc, answer.text).toBe(1)
    return { again: () => post(body, headers), answer }
  }
  const saveFonts = async (snapshotId: string, entries: Record<string, string | Buffer>, fonts?: unknown) => {
    const { body, headers } = aFontsSave(service, snapshotId, entries, fonts)
    const answer = await post(body, headers)
    expect(answer.json.rc, answer.text).toBe(1)
  }
  const rows = (sql: string, ...values: unknown[]) => db.prepare(sql).all(...values) as Record<string, string>[]
  return {
    ...galley,
    ...fixture,
    isServedElsewhere: () => false,
    db,
    rows,
    save,
    saveFonts,
    /** The path of the file that contains a blob, found by a column of the index. */
    fileOf(sql: string): string {
      const [row] = rows(sql)
      const place = row && galley.index.blobs.find(Object.values(row)[0] as never)
      if (!place) throw new Error('There is no such blob')
      return galley.vault.pathOf(place.file)
    },
  }
}

export type CaredLibrary = Awaited<ReturnType<typeof aCaredLibrary>>

/** Small files for a pack and a large file of its own, with different content for each version. */
export const someFiles = (versionId: string) => ({
  'small.png': `small ${versionId}`,
  'other.png': `other ${versionId}`,
  'big.bin': Buffer.alloc(100_000, versionId),
})

/** Removes a version but leaves its blobs to the next collection, as an interrupted prune would. */
export const forget = (index: Index, versionId: string) =>
  index.commit.now(() => [
    {
      kind: 'versions_pruned',
      versions: [{ site: 'acme', materialId: 'post-1', versionId }],
      blobs: [],
    },
  ])
