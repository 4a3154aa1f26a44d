import type { Answer, EditableRules, SavePause, SavePauses, SiteRules } from '@galley/library/records'
import { editableRules, reason, siteIdText } from '@galley/library/records'
import type { MaterialId, SiteId } from '@galley/wire'
import { z } from 'zod'

import { manyIds } from './materials.ts'
import type { Inputs } from './problem.ts'
import { inSite } from './sites.ts'

export interface RuleCalls {
  readRules: {
    input: { site: SiteId }
    output: Answer<{ readonly site: SiteRules; readonly everywhere: SavePause | null }>
  }
  saveRules: { input: { site: SiteId; rules: EditableRules }; output: Answer<SiteRules> }
  savePauses: { input: undefined; output: SavePauses }
  /** Pauses saves of a site, or of all sites if null, until somebody resumes them. */
  pauseSaves: { input: { site: SiteId | null; reason: string }; output: Answer<SavePause> }
  resumeSaves: { input: { site: SiteId | null }; output: Answer<null> }
  /** Pauses saves of these materials; null resumes them. */
  refuseMaterials: {
    input: { site: SiteId; materialIds: readonly MaterialId[]; reason: string | null }
    output: Answer<null>
  }
}

export const ruleInputs: Inputs<RuleCalls> = {
  readRules: inSite,
  saveRules: inSite.extend({ rules: editableRules }),
  savePauses: z.undefined(),
  pauseSaves: z.strictObject({ site: siteIdText.nullable(), reason }),
  resumeSaves: z.strictObject({ site: siteIdText.nullable() }),
  refuseMaterials: z.strictObject({ site: siteIdText, materialIds: manyIds, reason: reason.nullable() }),
}
