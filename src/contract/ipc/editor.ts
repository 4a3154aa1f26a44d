import { z } from 'zod'

import type { SecretsState } from '../protocol/failure.ts'
import type { VersionId } from '../ids.ts'
import type { MaterialSession } from '../domain/material.ts'
import type { MetadataReview } from '../domain/metadata-review.ts'
import { inMaterial } from './materials.ts'
import type { Answer, Inputs } from './problem.ts'

/** What "Open editor" would send, before anything is sent. */
export interface OpenPreview {
  /** null: the editor begins with an empty page. */
  readonly state: { readonly versionId: VersionId; readonly savedAt: string; readonly sizeBytes: number } | null
  /** The caller's own metadata that goes out unless it is edited: what was sent last, else an empty object. */
  readonly metadata: string
  /** What was sent at the last open; null before the first. The service replaces the site's keys by what comes now. */
  readonly lastSent: string | null
  /** `metadata` held against `lastSent`; `reviewMetadata` of the contract does the same for an edited text. */
  readonly review: MetadataReview
  /** What Galley adds by itself; values of credentials are hidden. */
  readonly added: readonly { readonly key: string; readonly value: string | null }[]
  readonly session: MaterialSession | null
  /** Where it goes. */
  readonly baseUrl: string
  readonly callbackUrl: string
  /** False: nobody has confirmed where this site sends what it signs, so nothing is opened. */
  readonly isConfirmed: boolean
  /** True when the session was opened with another callback URL than the site has now. */
  readonly callbackUrlChanged: boolean
  /** Why secret or callback credentials cannot be had, without which nothing can be opened; null: they are at hand. */
  readonly lacksSecrets: SecretsState | null
}

/**
 * A session that was opened, and whether the browser shows it: its address may be unsafe, a person may not want it opened
 * at another origin than that of the service, or no browser starts.
 */
export interface OpenedEditor {
  readonly url: string
  readonly reused: boolean
  readonly browser: 'shown' | 'unsafe' | 'declined' | 'failed'
}

export interface EditorCalls {
  previewOpen: { input: { site: string; materialId: string }; output: Answer<OpenPreview> }
  openEditor: {
    input: {
      site: string
      materialId: string
      title: string | null
      slug?: string | null | undefined
      /** A JSON object as text, sent as it is; null or left out: what was sent last. */
      metadata?: string | null | undefined
    }
    output: Answer<OpenedEditor>
  }
}

export const editorInputs: Inputs<EditorCalls> = {
  previewOpen: inMaterial,
  openEditor: inMaterial.extend({
    title: z.string().max(1000).nullable(),
    slug: z.string().max(500).nullable().optional(),
    metadata: z
      .string()
      .max(4 * 1024 * 1024)
      .nullable()
      .optional(),
  }),
}
