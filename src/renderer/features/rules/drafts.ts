import { createDrafts } from '../../stores/drafts.ts'
import type { RefusalDraft } from './materials.tsx'
import type { RulesDraft } from './rules-form.tsx'

/** What is typed into the forms of the rules, by site. */
export const createRulesDrafts = () => ({
  useRules: createDrafts<RulesDraft>(),
  usePauseReasons: createDrafts<string>(),
  useRefusals: createDrafts<RefusalDraft>(),
})
