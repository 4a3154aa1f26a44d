import { z } from 'zod'

import type { MaterialSession } from '../domain/material.ts'
import { titleMaxChars } from '../domain/material.ts'
import type { MetadataReview } from '../domain/metadata-review.ts'
import type { MaterialId, SiteId, VersionId } from '../ids.ts'
import type { CredentialsState } from '../protocol/failure.ts'
import { inMaterial } from './materials.ts'
import type { Answer, Inputs } from './problem.ts'

/** The request that "Open editor" would send. Nothing is sent yet. */
export interface OpenPreview {
  /** null: the editor opens an empty page. */
  readonly state: { readonly versionId: VersionId; readonly savedAt: string; readonly sizeBytes: number } | null
  /** The caller's metadata that is sent unless a person edits it: the metadata sent last, otherwise an empty object. */
  readonly metadata: string
  /** The metadata sent last; null before the first session. The service replaces the site's keys by the new ones. */
  readonly lastSent: string | null
  /** Compares `metadata` with `lastSent`. `reviewMetadata` of the contract does the same for an edited text. */
  readonly review: MetadataReview
  /** Members that Galley adds automatically. Credential values are hidden. */
  readonly added: readonly { readonly key: string; readonly value: string | null }[]
  readonly session: MaterialSession | null
  /** The service that receives the request. */
  readonly baseUrl: string
  readonly callbackUrl: string
  /** False if the addresses of the site are not confirmed; then no session can be opened. */
  readonly isConfirmed: boolean
  /** True if the previous session used a different callback URL. */
  readonly callbackUrlChanged: boolean
  /** Why the secret or the callback credentials cannot be read, so that no session can be opened; null if they can. */
  readonly lacksSecrets: CredentialsState | null
}

/**
 * An opened session, and whether the browser shows it. It may not, because its URL is unsafe, because a person declined a
 * URL outside the service's origin, or because no browser starts.
 */
export interface OpenedEditor {
  readonly url: string
  readonly reused: boolean
  readonly browser: 'shown' | 'unsafe' | 'declined' | 'failed'
}

export interface EditorCalls {
  previewOpen: { input: { site: SiteId; materialId: MaterialId }; output: Answer<OpenPreview> }
  openEditor: {
    input: {
      site: SiteId
      materialId: MaterialId
      title: string | null
      slug?: string | null | undefined
      /** A JSON object as text, sent unchanged. null or absent: the metadata sent last. */
      metadata?: string | null | undefined
    }
    output: Answer<OpenedEditor>
  }
}

export const editorInputs: Inputs<EditorCalls> = {
  previewOpen: inMaterial,
  openEditor: inMaterial.extend({
    title: z.string().max(titleMaxChars).nullable(),
    slug: z.string().max(500).nullable().optional(),
    metadata: z
      .string()
      .max(4 * 1024 * 1024)
      .nullable()
      .optional(),
  }),
}
