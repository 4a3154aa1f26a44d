import type { MaterialId } from '@galley/wire'
import { z } from 'zod'

import type { FieldValues } from '../records/fields.ts'
import { settable } from '../records/fields.ts'

/** Why saves are paused, and since when. */
export type SavePause = NonNullable<FieldValues<'site'>['pause']>

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

/** The rules of a site that block a save before anything is downloaded (contract, Errors 4), and those of its review. */
export interface SiteRules extends Pick<
  FieldValues<'site'>,
  'pause' | 'editors' | 'expiredToken' | 'samePersonMayApprove' | 'approveUnchanged' | 'editLink'
> {
  readonly unknownMaterials: 'refuse' | 'accept'
  readonly materials: readonly { readonly materialId: MaterialId; readonly reason: string; readonly since: string }[]
}

export const editableRules = settable('site')
  .pick({ editors: true, expiredToken: true, samePersonMayApprove: true, approveUnchanged: true, editLink: true })
  .required({ editors: true, expiredToken: true })
  .extend({ unknownMaterials: z.enum(['refuse', 'accept']) })

export type EditableRules = z.output<typeof editableRules>
