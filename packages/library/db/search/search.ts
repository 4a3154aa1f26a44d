import type { CallbackId, MaterialId, Sha256, SiteId, Term, VersionId } from '@galley/wire'
import { shownTitle, termsOf } from '@galley/wire'

import type { CallbackRow } from '../../views/callbacks.ts'
import type { TextPiece } from '../../views/materials.ts'
import type { SearchAnswer, SearchFound, SearchKind, SearchQuery } from '../../views/search.ts'
import { searchKinds } from '../../views/search.ts'
import type { createCallbackList } from '../callback/callback-list.ts'
import { callbackText, likePattern } from '../callback/callback-list.ts'
import type { ReadHandle } from '../database/read-handle.ts'
import { searchWords } from '../database/search-words.ts'
import { excerptOf, hitPieces } from '../version/text-pieces.ts'
import { searchFile, withWords } from './page-words.ts'

/** A stored page that may not be in the search yet. */
export interface StoredPage {
  /** Grows with arrival. */
  readonly row: number
  readonly html: Sha256
}

interface Row {
  readonly site: SiteId
  readonly material_id: MaterialId
  readonly title: string
  readonly version_id: VersionId | null
  readonly number: number | null
  readonly is_current: number
  readonly by: string | null
  readonly at: string | null
}

interface SaidRow extends Row {
  readonly id: string | null
  readonly decision: SearchFound['decision']
  readonly said: string
}

type Ask = SearchQuery & { readonly terms: readonly Term[] }

const columns = `m.site, m.material_id, m.title, v.version_id, v.number, v.id IS m.current_version AS is_current`
const shownIn = 'm.archived_at IS NULL AND (@site IS NULL OR m.site = @site)'

/** Materials with the words that are ranked, newest first: of words that all pages have, the others say no more. */
const rankedAtMost = 500
/** Texts of earlier versions that are looked at, newest first: a word that all pages have ends here. */
const blocksAtMost = 400
/** Comments and reasons beyond the limit among which those on current versions come first: to sort all takes too long. */
const newestSaid = 100
/** Pages of a text that are looked at. */
const pagesOfBlock = 50

/** One search over everything that people have written and that they can open. */
export function createSearch(db: ReadHandle, index: string, callbacks: CallbackRows) {
  const file = searchFile(index)
  const pages = createFoundPages(db, file)
  const said = createFoundWords(db)
  const calls = createFoundCallbacks(db, callbacks)
  const after = db.prepare<[number, number], StoredPage>(
    'SELECT id AS row, html_sha256 AS html FROM version WHERE id > ? ORDER BY id LIMIT ?',
  )
  const stored = db.prepare<[], number>('SELECT count(DISTINCT html_sha256) FROM version').pluck()
  const last = db.prepare<[], number>('SELECT max(id) FROM version').pluck()

  /** Counted again when a version has come, or a page was read. */
  let counted = { of: '', unread: 0 }
  const unread = (): number =>
    withWords(file, (words) => {
      const of = `${last.get() ?? 0} ${words?.prepare<[], number>('SELECT max(id) FROM read_page').pluck().get() ?? 0}`
      const read = (): number => words?.prepare<[], number>('SELECT count(*) FROM read_page').pluck().get() ?? 0
      if (counted.of !== of) counted = { of, unread: Math.max(0, (stored.get() ?? 0) - read()) }
      return counted.unread
    })
  const find: Readonly<Record<SearchKind, (ask: Ask) => readonly SearchFound[]>> = {
    title: pages.titles,
    page: pages.texts,
    comment: (ask) => said.comments(ask),
    reason: (ask) => said.reasons(ask),
    person: (ask) => said.people(ask),
    callback: (ask) => calls(ask),
  }

  return {
    /** Where its pages are made searchable. */
    file,
    ask(query: SearchQuery): SearchAnswer {
      const ask = { ...query, terms: termsOf(query.text) }
      // A text without a word finds nothing.
      if (ask.terms.length === 0) return { found: [], unread: unread() }
      const kinds = searchKinds.filter((kind) => query.kinds.includes(kind))
      return { found: kinds.flatMap((kind) => find[kind](ask)), unread: unread() }
    },
    /** Of the versions after this row, those whose pages are not in the search, and the row to go on from; null at the end. */
    unreadAfter(row: number, limit: number): { readonly pages: readonly StoredPage[]; readonly next: number } | null {
      const some = after.all(row, limit)
      const last = some.at(-1)
      if (last === undefined) return null
      return withWords(file, (words) => {
        const isRead = words?.prepare<[string], number>('SELECT 1 FROM read_page WHERE sha256 = ?').pluck()
        const byHash = new Map(
          some.filter(({ html }) => isRead?.get(html) === undefined).map((page) => [page.html, page]),
        )
        return { pages: [...byHash.values()], next: last.row }
      })
    },
  }
}

type CallbackRows = Pick<ReturnType<typeof createCallbackList>, 'find'>

/**
 * Callbacks of this computer: by ID, by the whole ID of a material, and those that stored nothing by all that their list is searched
 * for. Stored ones are found by their material: reading all of them takes too long.
 */
function createFoundCallbacks(db: ReadHandle, { find }: CallbackRows) {
  const named = db.prepare<{ text: string; limit: number }, { id: string; arrival: number }>(
    `SELECT id, arrival FROM callback WHERE id = @text UNION
     SELECT c.id, c.arrival FROM site s CROSS JOIN callback c ON c.site = s.id AND c.material_id = @text
     ORDER BY arrival DESC LIMIT @limit`,
  )
  const failed = db.prepare<
    { outcome: string; site: string | null; text: string; limit: number },
    { id: string; arrival: number }
  >(
    `SELECT id, arrival FROM callback c WHERE c.outcome = @outcome AND (@site IS NULL OR c.site = @site)
       AND ${callbackText} LIKE @text ESCAPE '\\' ORDER BY c.arrival DESC LIMIT @limit`,
  )
  return ({ site, text, limit, terms }: Ask): readonly SearchFound[] => {
    const pattern = likePattern(text) ?? ''
    const rows = [
      ...named.all({ text: text.trim(), limit }),
      ...unsuccessful.flatMap((outcome) => failed.all({ outcome, site, text: pattern, limit })),
    ]
    const newestFirst = rows.toSorted((one, other) => other.arrival - one.arrival)
    return [...new Set(newestFirst.map(({ id }) => id))]
      .flatMap((id) => find(id) ?? [])
      .filter((row) => site === null || row.site === site)
      .slice(0, limit)
      .map((row) => callbackFound(row, terms))
  }
}

const unsuccessful = ['failed', 'rejected', 'refused', 'interrupted'] as const

const callbackFound = (row: CallbackRow, terms: readonly Term[]): SearchFound => ({
  kind: 'callback',
  site: row.site,
  materialId: row.materialId,
  title: row.materialTitle,
  versionId: row.versionId,
  olderNumber: null,
  id: row.id satisfies CallbackId,
  by: null,
  decision: null,
  excerpt: hitPieces([row.code, row.materialId ?? row.id].filter((text) => text !== null).join(' · '), terms),
  at: row.receivedAt,
})

/** A search of FTS5: every word is quoted, so that none is an operator, and matches as a prefix from `prefixFrom` letters on. */
const matching = (terms: readonly Term[], prefixFrom: number): string =>
  terms
    .map(({ tokens }) => `"${tokens.join(' ')}"${(tokens.at(-1)?.length ?? 0) >= prefixFrom ? '*' : ''}`)
    .join(' AND ')

/** The beginning of a word, without the letters in which its forms differ and in which people err. */
function stemOf(term: Term): Term {
  const stem = term.text.slice(0, Math.max(4, term.text.length - 2))
  return term.isJoined ? term : { ...term, text: stem, tokens: [stem] }
}

/** The words without each one of them; nothing for few words. */
const allButOne = (terms: readonly Term[]): readonly (readonly Term[])[] =>
  terms.length < 3 ? [] : terms.map((_, left) => terms.filter((_term, at) => at !== left))

function found(kind: SearchKind, row: Row, excerpt: readonly TextPiece[], id: string | null = null): SearchFound {
  return {
    kind,
    site: row.site,
    materialId: row.material_id,
    title: shownTitle(row.title),
    versionId: row.version_id,
    olderNumber: row.is_current === 1 ? null : row.number,
    id,
    by: row.by,
    decision: null,
    excerpt,
    at: row.at,
  }
}

const materialOf = ({ site, materialId }: Pick<SearchFound, 'site' | 'materialId'>): string =>
  JSON.stringify([site, materialId])

/** Titles, and pages of current and earlier versions. */
function createFoundPages(db: ReadHandle, file: string) {
  // CROSS JOIN keeps the text index outermost.
  const current = db.prepare<{ words: string; site: string | null; limit: number }, Row & { text: string | null }>(
    `SELECT ${columns}, v.user_email AS "by", coalesce(v.received_at, m.last_access) AS at, p.text
     FROM (SELECT t.rowid AS id, t.rank AS rank FROM material_text t CROSS JOIN material m ON m.id = t.rowid
         WHERE material_text MATCH @words AND ${shownIn} ORDER BY t.rowid DESC LIMIT ${rankedAtMost}) f
       CROSS JOIN material m ON m.id = f.id LEFT JOIN version v ON v.id = m.current_version
       LEFT JOIN page_text p ON p.material = m.id
     ORDER BY f.rank, f.id LIMIT @limit`,
  )
  const earlier = db.prepare<{ html: string; site: string | null; limit: number }, Row>(
    `SELECT ${columns}, v.user_email AS "by", v.received_at AS at FROM version v CROSS JOIN material m ON m.id = v.material
     WHERE v.html_sha256 = +@html AND v.id IS NOT m.current_version AND ${shownIn} ORDER BY v.id DESC LIMIT @limit`,
  )
  const inColumns = (names: string, terms: readonly Term[]): string => `{${names}} : (${matching(terms, 1)})`

  /** The blocks that have the words, newest first, with the pages that have them. */
  const blocksWith = (terms: readonly Term[]) =>
    withWords(file, (words) => {
      if (words === null) return []
      const pagesOf = words
        .prepare<[number, number], Sha256>(
          'SELECT p.sha256 FROM page_block b JOIN read_page p ON p.id = b.page WHERE b.block = ? ORDER BY b.page DESC LIMIT ?',
        )
        .pluck()
      return words
        .prepare<[string, number], { id: number; text: string }>(
          `SELECT b.id, b.text FROM block_text t CROSS JOIN block b ON b.id = t.rowid
           WHERE block_text MATCH ? ORDER BY t.rowid DESC LIMIT ?`,
        )
        .all(matching(terms, 2), blocksAtMost)
        .map(({ id, text }) => ({ text, pages: pagesOf.all(id, pagesOfBlock) }))
    })

  /** Each version once; with `newest`, each material once, and none that is found by its current page. */
  function earlierTexts({ site, terms, versions, limit }: Ask, shown: readonly SearchFound[]): readonly SearchFound[] {
    const keyOf = (each: SearchFound): string => `${materialOf(each)}${versions === 'all' ? each.versionId : ''}`
    const seen = new Set(shown.map(keyOf))
    const all: SearchFound[] = []
    for (const { text, pages } of blocksWith(terms))
      for (const html of pages)
        for (const row of earlier.all({ html, site, limit: pagesOfBlock })) {
          const each = found('page', row, [])
          if (seen.has(keyOf(each))) continue
          seen.add(keyOf(each))
          all.push({ ...each, excerpt: excerptOf(text, terms) })
          if (all.length === limit) return all
        }
    return all
  }

  /** With all words, or else as a person half remembers them: other endings, then one word that is not there. */
  function readTitles({ site, terms, limit }: Ask): readonly SearchFound[] {
    const stems = terms.map(stemOf)
    for (const [any, hits] of [
      [[terms], terms] as const,
      [[stems], stems] as const,
      [allButOne(stems), stems] as const,
    ]) {
      const words = any.map((each) => `(${inColumns('title material_id tags', each)})`).join(' OR ')
      const rows = words === '' ? [] : current.all({ words, site, limit })
      if (rows.length > 0) return rows.map((row) => found('title', row, hitPieces(shownTitle(row.title), hits)))
    }
    return []
  }
  const read = new WeakMap<Ask, readonly SearchFound[]>()
  /** Read once for a question, though two kinds need them. */
  function titles(ask: Ask): readonly SearchFound[] {
    const rows = read.get(ask) ?? readTitles(ask)
    read.set(ask, rows)
    return rows
  }

  return {
    titles,
    /** With `newest`, a material that is found by its title is not found by its page too. */
    texts(ask: Ask): readonly SearchFound[] {
      const { site, terms, versions, limit } = ask
      const titled = versions === 'newest' ? titles(ask) : []
      const isTitled = new Set(titled.map(materialOf))
      const now = current
        .all({ words: inColumns('page', terms), site, limit: limit + titled.length })
        .filter((row) => !isTitled.has(materialOf({ site: row.site, materialId: row.material_id })))
        .slice(0, limit)
        .map((row) => found('page', row, excerptOf(row.text ?? '', terms)))
      if (versions === 'current' || now.length === limit) return now
      return [...now, ...earlierTexts({ ...ask, limit: limit - now.length }, [...titled, ...now])]
    },
  }
}

/** Where something was said: its table, who said it, and what of it is shown. */
interface Said {
  readonly table: string
  readonly by: string
  readonly from: string
}

const comments: Said = {
  table: 'comment',
  by: 's.author',
  from: `coalesce(t.comment_id, s.comment_id) AS id, NULL AS decision, s.at,
      s.text || char(10) || coalesce(s.anchor ->> 'exact', s.anchor ->> 'label', '') AS said
    FROM comment s LEFT JOIN comment t ON t.id = s.thread`,
}
const reasons: Said = {
  table: 'decision',
  by: `s.verdict ->> 'by'`,
  from: `NULL AS id, s.verdict ->> 'decision' AS decision, s.verdict ->> 'at' AS at, s.verdict ->> 'reason' AS said FROM decision s`,
}

/** Around the words, or the beginning of what was found by a name. */
function excerptOrStart(said: string, terms: readonly Term[]): readonly TextPiece[] {
  const excerpt = excerptOf(said, terms)
  const start = said.slice(0, 200).toWellFormed()
  return excerpt.length > 0 || start === '' ? excerpt : [{ text: start, isHit: false }]
}

/** What people said, and who they are. */
function createFoundWords(db: ReadHandle) {
  const people = db.prepare<{ site: string | null }, { site: SiteId; by: string }>(
    `SELECT DISTINCT site, editor AS "by" FROM material WHERE editor IS NOT NULL AND (@site IS NULL OR site = @site)`,
  )
  const lastSave = db
    .prepare<[string, string], string | null>(
      'SELECT max(saved_at) FROM material WHERE site = ? AND editor = ? AND archived_at IS NULL',
    )
    .pluck()
  const tokens = (terms: readonly Term[]): readonly string[] => terms.map((term) => ` ${term.tokens.join(' ')}`)

  /** The names that have the words, of all that a table has. */
  function namesIn(table: string, by: string, terms: readonly Term[]): string {
    const names = db.prepare<[], string>(`SELECT DISTINCT ${by} FROM ${table} s WHERE ${by} <> ''`).pluck().all()
    return JSON.stringify(names.filter((name) => tokens(terms).every((token) => searchWords(name).includes(token))))
  }

  /** Reads the column `words`, which a person's texts have few of: no index of words is needed. Names are found too. */
  function said(kind: SearchKind, { table, by, from }: Said, { site, terms, limit, versions }: Ask) {
    const wanted = Object.fromEntries(tokens(terms).map((token, at) => [`word${at}`, token]))
    const clauses = Object.keys(wanted).map((name) => `instr(s.words, @${name}) > 0`)
    const names = namesIn(table, by, terms)
    return db
      .prepare<Record<string, string | number | null>, SaidRow>(
        `SELECT ${columns}, ${by} AS "by", ${from} CROSS JOIN version v ON v.id = s.version
           CROSS JOIN material m ON m.id = v.material
         WHERE (${clauses.join(' AND ')} OR ${by} IN (SELECT value FROM json_each(@names))) AND ${shownIn}
           ${versions === 'current' ? 'AND v.id = m.current_version' : ''}
         ORDER BY s.id DESC LIMIT @limit`,
      )
      .all({ ...wanted, names, site, limit: limit + newestSaid })
      .toSorted((one, other) => other.is_current - one.is_current)
      .slice(0, limit)
      .map((row) => ({
        ...found(kind, row, excerptOrStart(row.said, terms), row.id),
        decision: row.decision,
      }))
  }

  return {
    comments: (ask: Ask): readonly SearchFound[] => said('comment', comments, ask),
    reasons: (ask: Ask): readonly SearchFound[] => said('reason', reasons, ask),
    people: ({ site, terms, limit }: Ask): readonly SearchFound[] =>
      people
        .all({ site })
        .filter(({ by }) => {
          const words = searchWords(by)
          return tokens(terms).every((token) => words.includes(token))
        })
        .map(({ site: of, by }) => ({
          kind: 'person' as const,
          site: of,
          materialId: null,
          title: null,
          versionId: null,
          olderNumber: null,
          id: null,
          by,
          decision: null,
          excerpt: hitPieces(by, terms),
          at: lastSave.get(of, by) ?? null,
        }))
        .filter(({ at }) => at !== null)
        .toSorted((one, other) => ((one.at ?? '') < (other.at ?? '') ? 1 : -1))
        .slice(0, limit),
  }
}
