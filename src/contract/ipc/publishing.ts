import { z } from 'zod'

import type { Cause } from '../cause.ts'
import type { ReleaseCounts } from '../domain/release.ts'
import type { TargetPlace } from '../domain/target.ts'
import type { TaskId } from '../ids.ts'
import type { SecretsState } from '../protocol/failure.ts'
import type { ChosenPath } from './chosen-path.ts'
import { chosenToken } from './chosen-path.ts'
import type { BundlePlan, LeftOutFindings, ReferenceFindings } from './exports.ts'
import type { Answer, CallProblem, Inputs } from './problem.ts'
import { inSite } from './sites.ts'

/** One publication of a site, as the history of its target shows it. */
export interface ReleaseRow {
  readonly releaseId: string
  readonly at: string
  readonly by: 'person' | 'schedule'
  /** The release whose files it holds again; null: it is none that was rolled back to. */
  readonly rollbackOf: string | null
  readonly counts: ReleaseCounts
  /** How many pages it holds, and how they differ from those of the release before it. */
  readonly pages: { readonly all: number; readonly added: number; readonly changed: number; readonly removed: number }
  /** Whether the target shows it. */
  readonly isCurrent: boolean
  /** Whether it can be published again. */
  readonly isKept: boolean
  /** Broken references that its link check found; null: nothing was checked, or it was not kept. */
  readonly broken: number | null
}

/** A page that a publication brought, changed or took away, with its title of today. */
export interface ReleasePage {
  readonly materialId: string
  readonly title: string
  readonly change: 'added' | 'changed' | 'removed'
}

/** What a publication changed, and what its link check found. */
export interface ReleaseContents {
  /** At most 1,000, by title; null: too old, the library has let go of the list. */
  readonly pages: readonly ReleasePage[] | null
  /** Null: nothing was checked, or it was not kept. */
  readonly references: ReferenceFindings | null
}

/** A target with what the window shows of it; credentials stay in main. */
export interface TargetRow {
  readonly site: string
  readonly name: string
  readonly place: TargetPlace
  readonly publicUrl: string | null
  readonly compress: boolean
  /** Publishes every day at this local time when something has changed. */
  readonly schedule: string | null
  /** Whether a person on this computer has agreed to its address; nothing is sent there before. */
  readonly isConfirmed: boolean
  readonly credentials: 'stored' | SecretsState
  /** What it shows; null: nothing was published yet. */
  readonly current: ReleaseRow | null
  /** Whether it shows what would be published now; changes of theme files are seen by a plan alone. */
  readonly standing: 'never' | 'current' | 'behind'
  /** How the last attempt failed; null: it did not. */
  readonly lastFailure: { readonly at: string; readonly problem: CallProblem } | null
}

/** One thing that a check of a target looked at; `detail` is a fact to show, such as the fingerprint of a host key. */
export interface TargetFinding {
  readonly name: 'connect' | 'host_key' | 'write' | 'public_url'
  readonly ok: boolean
  readonly why: Cause | null
  readonly detail: string | null
}

const text = z.string().max(2000)
const secretText = z.string().min(1).max(4000)

const placeForm = z.discriminatedUnion('kind', [
  /** A folder that a dialog gave (`chooseTargetFolder`); null: the one it has. */
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
  /** A private key that a dialog gave (`chooseTargetKey`). */
  z.strictObject({ kind: z.literal('keyFile'), chosen: chosenToken, passphrase: secretText.nullable() }),
])

/** What a person types to add or change a target. Credentials go in and never come out; null: they stay as they are. */
const targetForm = inSite.extend({
  name: text,
  isNew: z.boolean(),
  place: placeForm,
  publicUrl: text.nullable(),
  compress: z.boolean(),
  schedule: text.nullable(),
  credentials: credentialsForm.nullable(),
})
export type TargetForm = z.infer<typeof targetForm>

/** What a publication would do to its target; nothing was written. */
export interface PublishPlan extends BundlePlan {
  readonly target: string
}

/** A publication that was read back; what has not changed is no new release. */
export interface PublishReport {
  readonly releaseId: string
  readonly target: string
  readonly counts: ReleaseCounts
  /** `files` were read back, `found` are media that were only looked up in their places. */
  readonly verified: { readonly files: number; readonly via: 'public_url' | 'target'; readonly found: number }
  readonly leftOut: LeftOutFindings
  readonly references: ReferenceFindings | null
}

/** A preview that runs on this computer; `problem`: why it shows the site as it was before. */
export interface PreviewState {
  readonly url: string
  readonly problem: CallProblem | null
}

const inTarget = inSite.extend({ target: z.string().max(100) })
/** `release`: an earlier release to publish again; null: the site as it is now. */
const publishOrder = inTarget.extend({ release: z.string().max(100).nullable() })
export type PublishOrder = z.infer<typeof publishOrder>

export interface PublishingCalls {
  listTargets: { input: { site: string }; output: Answer<readonly TargetRow[]> }
  /** Asks for a folder to publish to; null: nothing chosen. */
  chooseTargetFolder: { input: { site: string }; output: ChosenPath | null }
  /** Asks for the file of a private key; null: nothing chosen. */
  chooseTargetKey: { input: { site: string }; output: ChosenPath | null }
  /** Asks a person, by a dialog of the system, where a new address is no folder of this computer. */
  saveTarget: { input: TargetForm; output: Answer<null> }
  /** What is published there stays. */
  removeTarget: { input: { site: string; target: string }; output: Answer<null> }
  /** Connects, writes a small file, reads it back and deletes it. */
  checkTarget: { input: { site: string; target: string }; output: Answer<readonly TargetFinding[]> }
  /** Ends with a PublishPlan. */
  startPublishPlan: { input: PublishOrder; output: Answer<{ readonly task: TaskId }> }
  /** Ends with a PublishReport. */
  startPublish: { input: PublishOrder; output: Answer<{ readonly task: TaskId }> }
  /** Newest first, at most 50. */
  targetHistory: { input: { site: string; target: string }; output: Answer<readonly ReleaseRow[]> }
  readRelease: { input: { site: string; target: string; release: string }; output: Answer<ReleaseContents> }
  /** Opens what readers see: the public URL in the browser, else the folder in the file browser. */
  openTarget: { input: { site: string; target: string }; output: Answer<null> }
  /** Serves the site on this computer as it would be published; one preview a site. The window shows it by `showPreview`. */
  startPreview: { input: { site: string; where: 'browser' | 'window' }; output: Answer<PreviewState> }
  stopPreview: { input: { site: string }; output: null }
  previewState: { input: { site: string }; output: PreviewState | null }
}

export const publishingInputs: Inputs<PublishingCalls> = {
  listTargets: inSite,
  chooseTargetFolder: inSite,
  chooseTargetKey: inSite,
  saveTarget: targetForm,
  removeTarget: inTarget,
  checkTarget: inTarget,
  startPublishPlan: publishOrder,
  startPublish: publishOrder,
  targetHistory: inTarget,
  readRelease: inTarget.extend({ release: z.string().max(100) }),
  openTarget: inTarget,
  startPreview: inSite.extend({ where: z.enum(['browser', 'window']) }),
  stopPreview: inSite,
  previewState: inSite,
}
