import { z } from 'zod'

import { manyIds } from './materials.ts'
import type { Answer, Inputs } from './problem.ts'
import { inSite } from './sites.ts'
import { siteIdText } from './site-id.ts'

/** Why saves are refused by hand, and since when. */
export interface SavePause {
  readonly reason: string
  readonly since: string
}

/** Saves that are refused by hand until somebody takes them again. */
export interface PausedSaves extends SavePause {
  /** Null: of all sites. */
  readonly site: { readonly id: string; readonly name: string } | null
}

/** Every pause of the library, that of all sites first, and how many of the sites they hold for together. */
export interface SavePauses {
  readonly reach: 'none' | 'some' | 'all'
  readonly pauses: readonly PausedSaves[]
}

/** The rules of one site that refuse a save before anything is downloaded (contract, Errors 4). */
export interface SiteRules {
  readonly pause: SavePause | null
  readonly unknownMaterials: 'refuse' | 'accept'
  readonly materials: readonly { readonly materialId: string; readonly reason: string; readonly since: string }[]
  /** `*` stands for any characters; matched against `user_email` of the callback's metadata, without regard to case. */
  readonly editors: readonly { readonly pattern: string; readonly reason: string }[]
  readonly expiredToken: {
    readonly action: 'refuse' | 'accept'
    /** The key of the callback's metadata that tells the moment; a JWT's `exp`, seconds, milliseconds or ISO 8601. */
    readonly key: string
  }
}

export const editableRules = z.strictObject({
  unknownMaterials: z.enum(['refuse', 'accept']),
  editors: z.array(z.strictObject({ pattern: z.string().min(1).max(300), reason: z.string().max(500) })).max(200),
  expiredToken: z.strictObject({ action: z.enum(['refuse', 'accept']), key: z.string().min(1).max(200) }),
})
export type EditableRules = z.infer<typeof editableRules>

export interface RuleCalls {
  readRules: {
    input: { site: string }
    output: Answer<{ readonly site: SiteRules; readonly everywhere: SavePause | null }>
  }
  saveRules: { input: { site: string; rules: EditableRules }; output: Answer<SiteRules> }
  savePauses: { input: undefined; output: SavePauses }
  /** Refuses every save of a site, or of all sites with null, until it is taken back. */
  pauseSaves: { input: { site: string | null; reason: string }; output: Answer<SavePause> }
  resumeSaves: { input: { site: string | null }; output: Answer<null> }
  /** Refuses saves of these materials; null takes it back. */
  refuseMaterials: {
    input: { site: string; materialIds: readonly string[]; reason: string | null }
    output: Answer<null>
  }
}

const reason = z.string().max(500)

export const ruleInputs: Inputs<RuleCalls> = {
  readRules: inSite,
  saveRules: inSite.extend({ rules: editableRules }),
  savePauses: z.undefined(),
  pauseSaves: z.strictObject({ site: siteIdText.nullable(), reason }),
  resumeSaves: z.strictObject({ site: siteIdText.nullable() }),
  refuseMaterials: z.strictObject({ site: siteIdText, materialIds: manyIds, reason: reason.nullable() }),
}
