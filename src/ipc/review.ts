import type { Answer, MaterialRef } from '@galley/library/records'
import { encodeSegment, percentDecoded } from '@galley/wire'
import type { z } from 'zod'

import { asks, inVersion, versionId } from './call.ts'
import type { CallTable } from './call.ts'
import { clipboardCalls } from './clipboard.ts'
import { commentCalls } from './comments.ts'
import { deskCalls } from './desk.ts'
import { diagnosticsCalls } from './diagnostics.ts'
import { fieldCalls } from './fields.ts'
import { filmCalls, mediaCalls } from './media.ts'
import { publishingCalls } from './publishing.ts'
import { reviewQueueCalls } from './review-queue.ts'
import { settingsCalls } from './settings.ts'
import { taskCalls } from './tasks.ts'
import { versionCalls } from './versions.ts'

/** A version that is shown in a review window, and the one that it is compared with; null: the one before it. */
export const openedReview = inVersion.extend({ compareWith: versionId.nullable() })
export type OpenedReview = z.output<typeof openedReview>

export const reviewWindowCalls = {
  /** Opens a version in its own window, offline, optionally beside another version of the same material. */
  openReview: asks(openedReview).gives<Answer<null>>(),
}

const { answeredComments: _answered, ...commentsHere } = commentCalls

/** What a review window may ask: a desk of its own, and what belongs to it. */
const reviewCalls = {
  ...deskCalls,
  ...commentsHere,
  ...clipboardCalls,
  ...taskCalls,
  ...mediaCalls,
  ...filmCalls,
  reviewRow: reviewQueueCalls.reviewRow,
  lastDecision: reviewQueueCalls.lastDecision,
  decideReview: reviewQueueCalls.decideReview,
  compareVersions: reviewQueueCalls.compareVersions,
  queryVersions: versionCalls.queryVersions,
  inspectVersion: versionCalls.inspectVersion,
  /** Of its material and the versions of it. */
  setFields: fieldCalls.setFields.refine(({ record }) => record === 'material' || record === 'version'),
  startPublishPage: publishingCalls.startPublishPage,
  readSettings: settingsCalls.readSettings,
  changeSettings: settingsCalls.changeSettings,
  reportFault: diagnosticsCalls.reportFault,
}
export type ReviewCalls = typeof reviewCalls

/** The calls of the window of one material: none takes the name of another one. */
export const reviewCallsFor = (own: MaterialRef): ReviewCalls =>
  Object.fromEntries(
    Object.entries<CallTable[string]>(reviewCalls).map(([name, input]) => [
      name,
      input.refine((asked) => isAbout(own, asked)),
    ]),
    // The same calls, whose inputs are checked once more.
  ) as unknown as ReviewCalls

function isAbout(own: MaterialRef, asked: unknown): boolean {
  if (typeof asked !== 'object' || asked === null) return true
  return Object.entries(asked).every(([name, value]: [string, unknown]) =>
    name === 'site' || name === 'materialId' ? value === own[name] : isAbout(own, value),
  )
}

/** The address of the page of a review window: that of the main window, with what it opens. */
export const reviewPage = (page: string, opened: OpenedReview): string =>
  `${page}?review=${encodeSegment(JSON.stringify(opened))}`

/** What the page at this address opens; null: it is the main window. */
export function openedAt(address: string): OpenedReview | null {
  const [, encoded = ''] = /\?review=([^&#]+)$/.exec(address) ?? []
  const text = percentDecoded(encoded)
  return text === null || text === '' ? null : openedReview.parse(JSON.parse(text))
}
