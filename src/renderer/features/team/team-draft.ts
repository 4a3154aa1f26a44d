import type { ChosenPath } from '../../../ipc/call.ts'
import type { TeamLocationForm } from '../../../ipc/team.ts'
import { textOrNull } from '../../domain/typed-text.ts'

/** Form input for a team library: every field is text, so that nothing typed is lost before it is checked. */
export interface TeamDraft {
  readonly bucket: string
  readonly prefix: string
  readonly endpoint: string
  readonly region: string
  /** Never prefilled. */
  readonly keyId: string
  readonly keySecret: string
  readonly folder: ChosenPath | null
}

export const emptyDraft: TeamDraft = {
  bucket: '',
  prefix: '',
  endpoint: '',
  region: '',
  keyId: '',
  keySecret: '',
  folder: null,
}

export const placeOf = ({ bucket, prefix, endpoint, region }: TeamDraft): TeamLocationForm => ({
  bucket: bucket.trim(),
  prefix: prefix.trim().replace(/^\/+|\/+$/g, ''),
  endpoint: textOrNull(endpoint),
  region: textOrNull(region),
})

export const keysOf = ({ keyId, keySecret }: TeamDraft) => ({ id: keyId.trim(), secret: keySecret })
