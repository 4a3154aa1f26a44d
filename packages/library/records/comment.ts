import { z } from 'zod'

import { count, idText, moment, shortList, siteId, text } from './logged-values.ts'

// What people say about a place of a version. A place is named by the selectors of the W3C, as packages/compare makes them.

/** Quotes go over some paragraphs at most. */
export const quoteMaxChars = 2_000
const context = z.string().max(200)
const fraction = z.number().min(0).max(1)
/** A block of a page. */
export const place = z.object({
  /** Browsers nest no deeper. */
  path: shortList(count, 512),
  run: z.object({ from: count, to: count }).nullable(),
})

export const anchor = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('text'),
    exact: z.string().min(1).max(quoteMaxChars),
    prefix: context,
    suffix: context,
    start: count,
  }),
  z.object({
    kind: z.literal('region'),
    block: place,
    picture: count.nullable(),
    region: z.object({ x: fraction, y: fraction, width: fraction, height: fraction }),
    label: z.string().max(1_000),
  }),
])
/** Where a comment is in its version. */
export type CommentAnchor = Readonly<z.output<typeof anchor>>

/** Who wrote it: the name of the person. Empty after the name was erased. */
const author = z.string().max(200)
export const commentText = text.min(1)
/** Random, so that two members of a team never make the same one. */
export const commentId = z.uuid()
export type CommentId = z.output<typeof commentId>

const written = { id: commentId, text: commentText, by: author, at: moment }

export const comment = z.object({ ...written, site: siteId, materialId: idText, versionId: idText, anchor })
export const answer = z.object({ ...written, thread: commentId })
export const settlement = z.object({ thread: commentId, isResolved: z.boolean(), by: author, at: moment })
