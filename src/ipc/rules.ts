import type { Answer, SavePause, SavePauses, SiteRules } from '@galley/library/records'
import { editableRules, reason } from '@galley/library/records'
import { z } from 'zod'

import { asks, nothing, siteId, inSite } from './call.ts'

export const ruleCalls = {
  readRules: asks(inSite).gives<Answer<{ readonly site: SiteRules; readonly everywhere: SavePause | null }>>(),
  saveRules: asks(inSite.extend({ rules: editableRules })).gives<Answer<SiteRules>>(),
  savePauses: asks(nothing).gives<SavePauses>(),
  /** Pauses saves of a site, or of all sites if null, until somebody resumes them. */
  pauseSaves: asks(z.strictObject({ site: siteId.nullable(), reason })).gives<Answer<SavePause>>(),
  resumeSaves: asks(z.strictObject({ site: siteId.nullable() })).gives<Answer<null>>(),
}
