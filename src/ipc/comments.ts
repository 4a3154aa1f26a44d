import type { FoundAnchor, TextBlock } from '@galley/compare'
import { commentAnchor, commentId, commentText, quoteMaxChars } from '@galley/library/records'
import type { AnsweredMaterial, Answer, CommentThread, Verdict, VersionFacts } from '@galley/library/records'
import { z } from 'zod'

import { asks, inMaterial, inVersion, nothing } from './call.ts'

/** A thread, and where its place is in the version that was asked for. */
export interface PlacedThread extends CommentThread {
  readonly found: FoundAnchor
}

/** For each element on the way from the root element, its number among the elements of its parent. */
export const elementPath = z.array(z.int().min(0)).max(512)

/** What was selected in a page: a quote with the text around it, or a region of a picture or of another element. */
export const commentSelection = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('text'),
    exact: z.string().min(1).max(quoteMaxChars),
    prefix: z.string().max(quoteMaxChars),
    suffix: z.string().max(quoteMaxChars),
    /** The element in which the selection begins. */
    near: elementPath.nullable(),
  }),
  z.strictObject({
    kind: z.literal('element'),
    path: elementPath,
    ...commentAnchor.options[1].pick({ region: true }).shape,
  }),
])
/** What a message to the author of a version is made of. */
export interface MessageFacts {
  readonly version: Pick<VersionFacts, 'number' | 'versionCdate' | 'receivedAt'> & { readonly verdict: Verdict | null }
  /** Who saved it; null: not known. */
  readonly to: string | null
  /** Open comments on this version and those before it: the quoted text, and what was said about it. */
  readonly quotes: readonly { readonly quote: string; readonly texts: readonly string[] }[]
  readonly editLink: string | null
  /** Shows the version in Galley. */
  readonly appLink: string
}

export type CommentSelection = z.output<typeof commentSelection>

/** How a mail to an author went: in the mail program, or on the clipboard, because it is too long for a link or no program opens. */
export type SentMail = 'mail' | 'too_long' | 'no_program'

export const commentCalls = {
  /** The comments on all versions of the material, and where they are in this one. */
  listComments: asks(inVersion).gives<Answer<readonly PlacedThread[]>>(),
  /** The texts of a version, in the order of its page. */
  readTexts: asks(inVersion).gives<Answer<readonly TextBlock[]>>(),
  messageFacts: asks(inVersion).gives<Answer<MessageFacts>>(),
  /** Fails with `quote_not_found` and `quote_ambiguous` where the selection does not say one place of the page. */
  addComment: asks(inVersion.extend({ selection: commentSelection, text: commentText })).gives<
    Answer<{ readonly id: string }>
  >(),
  answerComment: asks(z.strictObject({ thread: commentId, text: commentText })).gives<Answer<null>>(),
  settleComment: asks(z.strictObject({ thread: commentId, isResolved: z.boolean() })).gives<Answer<null>>(),
  /** What others have answered to the person at this computer, and open threads on earlier versions, of all sites. */
  answeredComments: asks(nothing).gives<readonly AnsweredMaterial[]>(),
  /** Opens a draft in the mail program; where that cannot be, the text is on the clipboard. */
  mailAuthor: asks(
    inMaterial.extend({ to: z.string().max(320), subject: z.string().max(2_000), body: z.string().max(200_000) }),
  ).gives<Answer<SentMail>>(),
}
