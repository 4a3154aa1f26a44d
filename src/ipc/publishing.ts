import type { Answer, CallProblem, FileCounts, ReferenceFindings, TargetLocation } from '@galley/library/records'
import { chosenToken } from '@galley/library/records'
import type { Cause, MaterialId, SecretsState, SiteId } from '@galley/wire'
import { z } from 'zod'

import type { ChosenPath, Started } from './call.ts'
import { asks, inSite, inVersion } from './call.ts'

/** A publication in the history of a target. */
export interface ReleaseRow {
  readonly releaseId: string
  readonly at: string
  readonly by: 'person' | 'schedule'
  /** The release that this one restored; null: it is not a rollback. */
  readonly rollbackOf: string | null
  readonly counts: FileCounts
  /** The number of its pages, and how they differ from those of the previous release. */
  readonly pages: { readonly all: number; readonly added: number; readonly changed: number; readonly removed: number }
  /** Whether readers see it now. */
  readonly isCurrent: boolean
  /** Whether it can be published again from this computer. */
  readonly isKept: boolean
  /** The broken references of its link check; null: no check, or the result is no longer kept. */
  readonly broken: number | null
}

/** A page that a publication added, changed or removed, with its current title. */
export interface ReleasePage {
  readonly materialId: MaterialId
  readonly title: string
  readonly change: 'added' | 'changed' | 'removed'
}

/** What a publication changed, and what its link check found. */
export interface ReleaseContents {
  /** At most 1,000, sorted by title; null: the library no longer keeps the list of this release. */
  readonly pages: readonly ReleasePage[] | null
  /** Null: no check, or the result is no longer kept. */
  readonly references: ReferenceFindings | null
}

/** A target as the window shows it. Credentials stay in the main process. */
export interface TargetRow {
  readonly site: SiteId
  readonly name: string
  readonly place: TargetLocation
  readonly publicUrl: string | null
  readonly compress: boolean
  /** The local time of the daily publication, which runs only if something changed. */
  readonly schedule: string | null
  /** Whether it is marked as the target that readers see. */
  readonly isLive: boolean
  /** Whether a person confirmed its address on this computer; nothing is sent there before. */
  readonly isConfirmed: boolean
  readonly credentials: 'stored' | SecretsState
  /** The release that readers see; null: nothing was published yet. */
  readonly current: ReleaseRow | null
  /** Whether it is up to date. Only a plan detects changes of theme files. */
  readonly state: 'never' | 'current' | 'behind'
  /** Why the last attempt failed; null: it succeeded. */
  readonly lastFailure: { readonly at: string; readonly problem: CallProblem } | null
}

/** One result of a target check; `ok` with a reason is a note; `detail` is a fact to show, such as the fingerprint of a host key. */
export interface TargetFinding {
  readonly name: 'connect' | 'host_key' | 'write' | 'public_url' | 'home_page' | 'missing_page' | 'base_url'
  readonly ok: boolean
  readonly why: Cause | null
  readonly detail: string | null
}

const text = z.string().max(2000)

const secretText = z.string().min(1).max(4000)

const placeForm = z.discriminatedUnion('kind', [
  /** A folder chosen in a dialog (`chooseTargetFolder`); null: unchanged. */
  z.strictObject({ kind: z.literal('folder'), chosen: chosenToken.nullable() }),
  z.strictObject({
    kind: z.literal('s3'),
    bucket: text,
    prefix: text,
    endpoint: text.nullable(),
    region: text.nullable(),
  }),
  z.strictObject({ kind: z.literal('sftp'), user: text, host: text, port: z.number(), path: text }),
])

const credentialsForm = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('keys'), id: z.string().max(2000), secret: secretText }),
  z.strictObject({ kind: z.literal('password'), password: secretText }),
  /** A private key chosen in a dialog (`chooseTargetKey`). */
  z.strictObject({ kind: z.literal('keyFile'), chosen: chosenToken, passphrase: secretText.nullable() }),
])

/** The input to add or change a target. Credentials are write-only; null: unchanged. */
const targetForm = inSite.extend({
  name: text,
  isNew: z.boolean(),
  place: placeForm,
  publicUrl: text.nullable(),
  compress: z.boolean(),
  schedule: text.nullable(),
  isLive: z.boolean(),
  credentials: credentialsForm.nullable(),
})

export type TargetForm = z.infer<typeof targetForm>

/** A running preview; `problem`: why it still shows the previous state of the site. */
export interface PreviewState {
  readonly url: string
  readonly problem: CallProblem | null
}

const inTarget = inSite.extend({ target: z.string().max(100) })

/** `release`: an earlier release to restore; null: publishes the current site. */
const publishOrder = inTarget.extend({
  release: z.string().max(100).nullable(),
  /** What a person allows for this run; the window asks for the name of the site first. `isThorough`: every file is read. */
  permits: z
    .strictObject({ takeOver: z.boolean(), allowRemovals: z.boolean(), isThorough: z.boolean() })
    .partial()
    .optional(),
})

export type PublishOrder = z.infer<typeof publishOrder>

export const publishingCalls = {
  listTargets: asks(inSite).gives<Answer<readonly TargetRow[]>>(),
  /** Asks for a folder to publish to; null: nothing chosen. */
  chooseTargetFolder: asks(inSite).gives<ChosenPath | null>(),
  /** Asks for the file of a private key; null: nothing chosen. */
  chooseTargetKey: asks(inSite).gives<ChosenPath | null>(),
  /** Asks for confirmation in a system dialog if a new address is not a folder on this computer. */
  saveTarget: asks(targetForm).gives<Answer<null>>(),
  /** The published files stay on the target. */
  removeTarget: asks(inTarget).gives<Answer<null>>(),
  /** Connects, writes a small file, reads it back and deletes it. */
  checkTarget: asks(inTarget).gives<Answer<readonly TargetFinding[]>>(),
  /** Ends with a PublishPlan. */
  startPublishPlan: asks(publishOrder).gives<Started>(),
  /** Ends with a PublishReport. */
  startPublish: asks(publishOrder).gives<Started>(),
  /**
   * Publishes this version of a page on the target that is marked live, and leaves the versions of all other pages as readers see
   * them. Ends with a PublishReport. Fails with `no_live_target`.
   */
  startPublishPage: asks(inVersion).gives<Started>(),
  /** Newest first, at most 50. */
  targetHistory: asks(inTarget).gives<Answer<readonly ReleaseRow[]>>(),
  readRelease: asks(inTarget.extend({ release: z.string().max(100) })).gives<Answer<ReleaseContents>>(),
  /** Opens the public URL in the browser, or else the folder in the file manager. */
  openTarget: asks(inTarget).gives<Answer<null>>(),
  /** Serves the site on this computer as it would be published, once per site. `showPreview` shows it in the window. */
  startPreview: asks(inSite.extend({ where: z.enum(['browser', 'window']) })).gives<Answer<PreviewState>>(),
  stopPreview: asks(inSite).gives<null>(),
  previewState: asks(inSite).gives<PreviewState | null>(),
}
