/** The search over 100,000 versions of 10,000 pages, with 10,000 comments and 100,000 callbacks: time to the answer, and size of the index. */

import { createHash } from 'node:crypto'
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

import type { Draft } from '../../packages/library/db/commit/commit.ts'
import type { PageBlocks } from '../../packages/library/db/search/page-words.ts'
import type { SearchQuery } from '../../packages/library/views/search.ts'
import type { CallbackId, MaterialId, Sha256, SiteId, VersionId } from '../../packages/wire/ids.ts'
import { atMost, type Figure, withoutGoal } from './figure.ts'
import type { BenchOptions } from './stage.ts'
import { numbersFrom, titleOf } from './texts.ts'

const site = 'bench' as SiteId
const versionsEach = 10
const blocksEach = 25
const wordsEach = 35
const vocabulary = 30_000
const at = '2026-11-01T10:00:00.000Z'
const syllables = [
  'ha',
  'ri',
  'мо',
  'ste',
  'lun',
  'вер',
  'ka',
  'tor',
  'ны',
  'per',
  'sol',
  'ти',
  'dan',
  'gre',
  'ву',
  'mi',
]

const hashOf = (text: string): Sha256 => createHash('sha256').update(text).digest('hex') as Sha256

/** A word by its rank; the first ones are in nearly every sentence, as in a language. */
function wordOf(rank: number): string {
  let [word, rest] = ['', rank + 1]
  for (; rest > 0; rest = Math.floor(rest / syllables.length)) word += syllables[rest % syllables.length]
  return word
}

function sentence(next: () => number): string {
  const words = Array.from({ length: wordsEach }, () => wordOf(Math.floor(vocabulary ** next()) - 1))
  return words.join(' ')
}

export async function benchSearch({ root, isQuick }: BenchOptions): Promise<readonly Figure[]> {
  // Plain Node must support importing SQL before the first import of it.
  await import('../../tests/library/db/raw-sql.ts')
  const { openLibrary } = await import('../../packages/library/db/open/open-library.ts')
  const { putPages } = await import('../../packages/library/db/search/page-words.ts')
  const { searchKinds } = await import('../../packages/library/views/search.ts')
  const folder = join(root, 'search')
  mkdirSync(folder)
  const materials = isQuick ? 500 : 10_000
  const { index, close } = await openLibrary(
    folder,
    () => new Date(at),
    () => undefined,
  )
  try {
    index.sites.put(benchSite)
    const next = numbersFrom(20_261_130)
    const start = performance.now()
    let read = 0
    for (let first = 0; first < materials; first += 20) {
      const some = Array.from({ length: 20 }, (_, order) => versionsOf(first + order, next)).flat()
      index.commit.now(() => some.flatMap(({ drafts }) => drafts))
      const began = performance.now()
      for (let from = 0; from < some.length; from += 10) putPages(index.search.file, some.slice(from, from + 10))
      read += performance.now() - began
    }
    index.callbacks.record(callbacks(materials))
    const versions = materials * versionsEach
    console.log(`search: ${versions} versions written in ${((performance.now() - start) / 1000).toFixed(0)} s`)
    const typed = [0, 7, 300, 5_000, 25_000].map(wordOf)
    const asked = [
      ...typed,
      `${typed[2]} ${typed[3]}`,
      `${wordOf(20)} ${wordOf(40)} ${wordOf(60)}`,
      'ha',
      'per',
      'note 77',
      'anna',
      'nothing',
    ]
    const times = asked.map((text) => {
      const query: SearchQuery = { site: null, text, kinds: searchKinds, versions: 'newest', limit: 12 }
      index.search.ask(query)
      const began = performance.now()
      const { found } = index.search.ask(query)
      return { text, found: found.length, ms: performance.now() - began }
    })
    for (const { text, found, ms } of times) console.log(`  ${text}: ${found} found in ${ms.toFixed(1)} ms`)
    const bytes = statSync(index.search.file).size
    return [
      atMost(`search over ${versions} versions: longest answer`, Math.max(...times.map(({ ms }) => ms)), 100, ' ms'),
      withoutGoal('search: size of its index', bytes / 2 ** 20, ' MB'),
      withoutGoal('search: work in the thread for a version', read / versions, ' ms', 2),
    ]
  } finally {
    close()
  }
}

const benchSite = {
  id: site,
  name: 'Bench',
  environment: 'prod' as const,
  baseUrl: 'https://svc.test/integration',
  apiKey: 'key',
  callbackUrl: 'https://site.test/callback/bench',
  publicUrl: null,
  allowedDomains: [],
  downloadOrigins: [],
  signatureHeader: 'X-Service-Signature',
  publish: { kind: 'listener' as const },
  unknownMaterials: 'accept' as const,
  callbackAuth: 'none' as const,
  maxContentBytes: 1_000_000,
  requestTimeoutMs: 1000,
  downloadTimeoutMs: 1000,
}

/** The versions of a page, each with two texts that the one before lacks; every tenth has a comment. */
function versionsOf(
  material: number,
  next: () => number,
): readonly (PageBlocks & { readonly drafts: readonly Draft[] })[] {
  const blocks = Array.from({ length: blocksEach }, () => sentence(next))
  const [materialId, title] = [`post/${material}` as MaterialId, titleOf(material, next)]
  return Array.from({ length: versionsEach }, (_, number) => {
    for (let edits = 0; edits < 2; edits += 1) blocks[Math.floor(next() * blocksEach)] = sentence(next)
    const versionId = `v-${material}-${number}` as VersionId
    const sha256 = hashOf(versionId)
    const html = { sha256, sizeBytes: 1, pack: null }
    const version = {
      site,
      materialId,
      versionId,
      versionCdate: at,
      receivedAt: at,
      userEmail: 'anna@desk.example',
      html: sha256,
      state: sha256,
      metadata: null,
      archiveSha256: sha256,
      keptSha256: sha256,
      sizeBytes: 10,
      title,
      publicBase: 'https://site.test',
      warnings: [],
      media: [],
      references: [],
    }
    const stored: Draft = {
      change: { kind: 'version_stored', version, blobs: [html], delivery: null },
      beside: { pageText: number === versionsEach - 1 ? blocks.join(' ') : '' },
    }
    return {
      sha256,
      blocks: [...blocks],
      drafts: number === 4 ? [stored, commentOn(material, versionId, next)] : [stored],
    }
  })
}

function commentOn(material: number, versionId: VersionId, next: () => number): Draft {
  const exact = sentence(next).slice(0, 80)
  const anchor = { kind: 'text' as const, exact, prefix: '', suffix: '', start: 0 }
  const id = `00000000-0000-4000-8000-${String(material).padStart(12, '0')}`
  const said = { id, by: 'Anna', at, text: `note ${material}: ${sentence(next)}`, anchor }
  return {
    change: {
      kind: 'comment_added',
      comment: { site, materialId: `post/${material}` as MaterialId, versionId, ...said },
    },
  }
}

const callbacks = (materials: number) =>
  Array.from({ length: materials * versionsEach }, (_, order) => {
    const materialId = `post/${order % materials}` as MaterialId
    const answer = { outcome: 'stored' as const, httpStatus: 200, rc: 1 as const, code: null, rm: 'Saved successfully' }
    return {
      arrival: {
        id: `callback-${order}` as CallbackId,
        site,
        receivedAt: at,
        kind: 'article_saved' as const,
        materialId,
        contentUrl: `https://svc.test/download/media/s/${order}`,
        signature: 'valid' as const,
        payload: '{}',
      },
      result: { ...answer, versionId: `v-${order}` as VersionId, duplicateOf: null, steps: [], durationMs: 9 },
    }
  })
