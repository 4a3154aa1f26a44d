import type { Outcome } from '../protocol/answer.ts'
import type { CallbackId } from '../ids.ts'

/** How long one step of a callback took. */
export interface Step {
  readonly name: string
  readonly ms: number
}

/** One POST that reached the listener, with what became of it (docs/api.md, section 2, callback). */
export interface CallbackRecord {
  readonly id: CallbackId
  readonly site: string
  readonly receivedAt: string
  readonly kind: 'article_saved' | 'site_fonts_updated' | 'unknown'
  readonly materialId: string | null
  readonly contentUrl: string | null
  readonly signature: 'valid' | 'invalid' | 'missing'
  readonly outcome: Outcome
  readonly httpStatus: number
  readonly rc: 0 | 1
  readonly code: string | null
  readonly rm: string
  /** The version or, for fonts, the snapshot that was stored. */
  readonly versionId: string | null
  readonly duplicateOf: CallbackId | null
  readonly steps: readonly Step[]
}
