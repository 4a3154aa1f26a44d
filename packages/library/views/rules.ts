import type { MaterialId } from '@galley/wire'
import { z } from 'zod'

/** Why saves are paused, and since when. */
export interface SavePause {
  readonly reason: string
  readonly since: string
}

/** A pause that lasts until somebody resumes saves. */
export interface PausedSaves extends SavePause {
  /** null: all sites. */
  readonly site: { readonly id: string; readonly name: string } | null
}

/** All pauses of the library, the one for all sites first, and how many sites they affect. */
export interface SavePauses {
  readonly reach: 'none' | 'some' | 'all'
  readonly pauses: readonly PausedSaves[]
}

/** The rules of a site that block a save before anything is downloaded (contract, Errors 4). */
export interface SiteRules {
  readonly pause: SavePause | null
  readonly unknownMaterials: 'refuse' | 'accept'
  readonly materials: readonly { readonly materialId: MaterialId; readonly reason: string; readonly since: string }[]
  /** `*` stands for any characters. Matched against `user_email` of the callback's metadata, ignoring case. */
  readonly editors: readonly { readonly pattern: string; readonly reason: string }[]
  readonly expiredToken: {
    readonly action: 'refuse' | 'accept'
    /** The metadata key with the time limit: the `exp` of a JWT, seconds, milliseconds or ISO 8601. */
    readonly key: string
  }
}

export const editableRules = z.strictObject({
  unknownMaterials: z.enum(['refuse', 'accept']),
  editors: z.array(z.strictObject({ pattern: z.string().min(1).max(300), reason: z.string().max(500) })).max(200),
  expiredToken: z.strictObject({ action: z.enum(['refuse', 'accept']), key: z.string().min(1).max(200) }),
})

export type EditableRules = z.infer<typeof editableRules>

export const reason = z.string().max(500)
