import type { SiteRules } from '../../views/rules.ts'

/** Reads the patterns of blocked editors, which this library has stored as JSON. */
export const blockedEditors = (json: string): SiteRules['editors'] => JSON.parse(json) as SiteRules['editors']
