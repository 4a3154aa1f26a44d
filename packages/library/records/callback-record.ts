import type { CallbackId, MaterialId, Outcome, SiteId, Step } from '@galley/wire'

/** A POST that reached the listener, with its result (docs/api.md, section 2, callback). */
export interface CallbackRecord {
  readonly id: CallbackId
  readonly site: SiteId
  readonly receivedAt: string
  readonly kind: 'article_saved' | 'site_fonts_updated' | 'unknown'
  readonly materialId: MaterialId | null
  readonly contentUrl: string | null
  /** `unchecked`: the request had one, but was refused before it was looked at. */
  readonly signature: 'valid' | 'invalid' | 'missing' | 'unchecked'
  readonly outcome: Outcome
  readonly httpStatus: number
  readonly rc: 0 | 1
  readonly code: string | null
  readonly rm: string
  /** The id of the stored version or, for fonts, snapshot. */
  readonly versionId: string | null
  readonly duplicateOf: CallbackId | null
  readonly steps: readonly Step[]
}
