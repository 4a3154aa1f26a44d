import type { CredentialsState, VersionId } from '@galley/wire'

import type { MaterialSession } from '../records/material.ts'
import type { MetadataReview } from '../records/metadata-review.ts'

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
