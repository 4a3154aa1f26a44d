import type { MaterialId, SiteId, VersionId } from '@galley/wire'
import type { Database } from 'better-sqlite3'

import type { ChangeOf } from '../../records/changes.ts'
import { nothingErased } from '../../records/changes.ts'
import type { CommentAnchor, CommentId } from '../../records/comment.ts'
import type { MaterialRef } from '../../views/changes.ts'
import type { AnsweredMaterial, CommentThread } from '../../views/comments.ts'
import type { Commit } from '../commit/commit.ts'
import type { CommentChange } from './waiting-comments.ts'
import { createWaitingCommentList } from './waiting-comments.ts'

interface Row {
  readonly comment_id: CommentId
  readonly of: CommentId | null
  readonly site: SiteId
  readonly material_id: MaterialId
  readonly version_id: VersionId
  readonly number: number
  readonly anchor: string | null
  readonly text: string
  readonly author: string
  readonly at: string
  readonly resolved_by: string | null
  readonly resolved_at: string | null
}

const columns = `c.comment_id, t.comment_id AS "of", m.site, m.material_id, v.version_id, v.number, c.anchor, c.text,
  c.author, c.at, c.resolved_by, c.resolved_at`

/** Reads comments, with those that wait for the bucket of the team. */
function createThreads(db: Database) {
  const ofMaterial = db.prepare<[string, string], Row>(
    `SELECT ${columns} FROM material m CROSS JOIN version v ON v.material = m.id CROSS JOIN comment c ON c.version = v.id
       LEFT JOIN comment t ON t.id = c.thread WHERE m.site = ? AND m.material_id = ?`,
  )
  const placeOf = db.prepare<[string], { site: SiteId; materialId: MaterialId }>(
    `SELECT m.site, m.material_id AS materialId FROM comment c JOIN version v ON v.id = c.version
       JOIN material m ON m.id = v.material WHERE c.comment_id = ?`,
  )
  const numberOf = db
    .prepare<[string, string, string], number>(
      `SELECT v.number FROM material m JOIN version v ON v.material = m.id
     WHERE m.site = +? AND m.material_id = +? AND v.version_id = +?`,
    )
    .pluck()
  const waiting = createWaitingCommentList(db)

  /** All threads of a material, by when they were begun; with what waits for the bucket of the team. */
  function of(site: SiteId, materialId: MaterialId): readonly CommentThread[] {
    const rows = ofMaterial.all(site, materialId)
    const threads = new Map<CommentId, CommentThread>()
    for (const row of rows) if (row.of === null) threads.set(row.comment_id, threadOf(row))
    for (const row of rows)
      if (row.of !== null) extend(threads, row.of, { comments: [{ id: row.comment_id, ...saidOf(row) }] })
    for (const { change } of waiting()) lay(threads, change, { site, materialId })
    const byTime = [...threads.values()].map((thread) => ({
      ...thread,
      comments: [...thread.comments.slice(0, 1), ...thread.comments.slice(1).toSorted(byMoment)],
    }))
    return byTime.toSorted((one, other) => byMoment(one.comments[0], other.comments[0]))
  }

  /** Puts a change that waits into the threads of a material. */
  function lay(threads: Map<CommentId, CommentThread>, change: CommentChange, { site, materialId }: MaterialRef): void {
    switch (change.kind) {
      case 'comment_added': {
        const { comment } = change
        const number = numberOf.get(comment.site, comment.materialId, comment.versionId)
        if (comment.site !== site || comment.materialId !== materialId || number === undefined) return
        const { id, by, at, text, anchor, versionId } = comment
        const comments = [{ id, by, at, text }]
        if (!threads.has(id))
          threads.set(id, {
            id,
            site,
            materialId,
            versionId,
            number,
            anchor,
            comments,
            resolved: null,
            isWaiting: true,
          })
        return
      }
      case 'comment_answered': {
        const { id, by, at, text, thread } = change.answer
        const isThere = threads.get(thread)?.comments.some((comment) => comment.id === id)
        if (!isThere) extend(threads, thread, { comments: [{ id, by, at, text }], isWaiting: true })
        return
      }
      case 'comment_settled': {
        const { by, at, thread, isResolved } = change
        extend(threads, thread, { resolved: isResolved ? { by, at } : null, isWaiting: true })
      }
    }
  }

  return {
    of,
    /** The thread with this id, or with an answer of this id; null if there is none. */
    find(id: CommentId): CommentThread | null {
      const place = placeOf.get(id) ?? waitingPlaces(waiting().map(({ change }) => change)).get(id)
      if (place === undefined) return null
      return of(place.site, place.materialId).find(({ comments }) => comments.some((each) => each.id === id)) ?? null
    },
  }
}

/** What people say about places of versions. */
export function createComments(db: Database, commit: Commit) {
  const ids = (where: string) =>
    db.prepare<[string], CommentId>(`SELECT comment_id FROM comment WHERE ${where} ORDER BY id`).pluck()
  const [byAuthor, byResolver] = [ids('author = ?'), ids('resolved_by = ?')]
  const answered = db.prepare<{ site: SiteId | null; by: string }, AnsweredMaterial>(
    `SELECT m.site, m.material_id AS materialId, sum(c.is_answered) AS answered,
       max(iif(c.is_answered, c.last_at, NULL)) AS at, sum(c.version IS NOT m.current_version) AS older
     FROM (SELECT t.version, l.at AS last_at, l.author <> @by AND (t.author = @by OR EXISTS (
         SELECT 1 FROM comment a WHERE a.thread = t.id AND a.author = @by)) AS is_answered
       FROM comment t JOIN comment l ON l.id = coalesce((SELECT max(id) FROM comment WHERE thread = t.id), t.id)
       WHERE t.thread IS NULL AND t.resolved_at IS NULL) c
       JOIN version v ON v.id = c.version JOIN material m ON m.id = v.material
     WHERE m.archived_at IS NULL AND (@site IS NULL OR m.site = @site)
     GROUP BY m.id HAVING answered > 0 OR older > 0 ORDER BY m.id`,
  )
  const waiting = createWaitingCommentList(db)
  const rewrite = db.prepare<[string, number]>('UPDATE local.waiting_comment SET change = ? WHERE id = ?')
  const named = (name: string) => ({
    authors: byAuthor.all(name),
    resolvers: byResolver.all(name),
    waits: waiting().filter(({ change }) => nameIn(change) === name),
  })

  return {
    ...createThreads(db),
    /**
     * The materials with open threads in which the person wrote and somebody else has the last word, or which are on an
     * earlier version than the current one; of one site, or of all.
     */
    answered: (by: string, site: SiteId | null): readonly AnsweredMaterial[] => answered.all({ by, site }),
    add: (comment: NewComment): void => commit.now(() => [{ kind: 'comment_added', comment: { ...comment } }]),
    answer: (answer: ChangeOf<'comment_answered'>['answer']): void =>
      commit.now(() => [{ kind: 'comment_answered', answer }]),
    settle: (settled: Omit<ChangeOf<'comment_settled'>, 'kind'>): void =>
      commit.now(() => [{ kind: 'comment_settled', ...settled }]),
    /** How many comments, answers and resolved threads have this name. */
    countNamed(name: string): number {
      const { authors, resolvers, waits } = named(name)
      return authors.length + resolvers.length + waits.length
    },
    /** Takes a name out of all of them that are in the log; what was said stays. */
    eraseName(name: string): void {
      commit.now(() => {
        const { authors, resolvers } = named(name)
        return authors.length + resolvers.length === 0
          ? []
          : [{ ...nothingErased, kind: 'person_erased', comments: { authors, resolvers } }]
      })
    },
    /** Takes it out of what waits on this computer. */
    forgetName(name: string): void {
      for (const { id, change } of named(name).waits) rewrite.run(JSON.stringify(withoutName(change)), id)
    },
  }
}

/** A comment to add. */
export interface NewComment {
  readonly id: CommentId
  readonly site: SiteId
  readonly materialId: MaterialId
  readonly versionId: VersionId
  readonly anchor: CommentAnchor
  readonly text: string
  readonly by: string
  readonly at: string
}

const byMoment = (one: { readonly at: string } | undefined, other: { readonly at: string } | undefined): number =>
  (one?.at ?? '') < (other?.at ?? '') ? -1 : 1

const saidOf = ({ author, at, text }: Row) => ({ by: author, at, text })

const threadOf = (row: Row): CommentThread => ({
  id: row.comment_id,
  site: row.site,
  materialId: row.material_id,
  versionId: row.version_id,
  number: row.number,
  anchor: JSON.parse(row.anchor ?? '{}') as CommentAnchor,
  comments: [{ id: row.comment_id, ...saidOf(row) }],
  resolved: row.resolved_at === null ? null : { by: row.resolved_by ?? '', at: row.resolved_at },
  isWaiting: false,
})

function extend(
  threads: Map<CommentId, CommentThread>,
  id: CommentId,
  { comments = [], ...set }: Partial<CommentThread>,
): void {
  const thread = threads.get(id)
  if (thread !== undefined) threads.set(id, { ...thread, ...set, comments: [...thread.comments, ...comments] })
}

const nameIn = (change: CommentChange): string =>
  change.kind === 'comment_added'
    ? change.comment.by
    : change.kind === 'comment_answered'
      ? change.answer.by
      : change.by

function withoutName(change: CommentChange): CommentChange {
  switch (change.kind) {
    case 'comment_added':
      return { ...change, comment: { ...change.comment, by: '' } }
    case 'comment_answered':
      return { ...change, answer: { ...change.answer, by: '' } }
    case 'comment_settled':
      return { ...change, by: '' }
  }
}

/** By id, the material of comments that wait, and of what answers them. */
function waitingPlaces(changes: readonly CommentChange[]) {
  const places = new Map<CommentId, MaterialRef>()
  for (const change of changes) if (change.kind === 'comment_added') places.set(change.comment.id, change.comment)
  return places
}
