import type { IndexWith, SavePauseSwitch } from '@galley/library'
import type { Site, SiteRules } from '@galley/library/records'
import { fail, ok, withoutUndefined } from '@galley/wire'

import type { HandlersOf } from '../../../ipc/call.ts'
import type { ruleCalls } from '../../../ipc/rules.ts'
import { unknownSite } from './unknown.ts'

export interface RulePorts {
  readonly index: IndexWith<'commit' | 'fields' | 'sites'>
  readonly pauses: SavePauseSwitch
}

/** Calls about the rules that block saves. */
export function ruleHandlers({ index, pauses }: RulePorts, changed: () => void): HandlersOf<typeof ruleCalls> {
  const rulesOf = (site: Site): SiteRules => ({
    ...index.rules.of(site.id),
    unknownMaterials: site.unknownMaterials,
    materials: index.rules.refusedMaterials(site.id),
  })

  return {
    readRules({ site }) {
      const found = index.sites.find(site)
      return found ? ok({ site: rulesOf(found), everywhere: index.rules.pauseEverywhere() }) : unknownSite(site)
    },
    async saveRules({ site, rules }) {
      const found = index.sites.find(site)
      if (!found) return unknownSite(site)
      const editors = rules.editors.map(({ pattern, reason }) => ({ pattern: pattern.trim(), reason: reason.trim() }))
      const bad = editors.find(({ pattern }) => pattern === '' || /[\s,;]/.test(pattern))
      if (bad) {
        return fail({ code: 'invalid_pattern', field: 'editors', pattern: bad.pattern })
      }
      const { samePersonMayApprove, approveUnchanged, editLink } = rules
      const review = withoutUndefined({ samePersonMayApprove, approveUnchanged, editLink })
      const next: Site = { ...found, unknownMaterials: rules.unknownMaterials }
      const expiredToken = { ...rules.expiredToken, key: rules.expiredToken.key.trim() }
      if (expiredToken.key === '') return fail({ code: 'invalid_name', field: 'expiredToken' })
      await index.commit.write(() => {
        index.sites.put(next)
        index.fields.set('site', site, [{}], { ...review, editors, expiredToken })
      })
      changed()
      return ok(rulesOf(next))
    },
    savePauses: pauses.read,
    async pauseSaves({ site, reason }) {
      if (site !== null && !index.sites.find(site)) return unknownSite(site)
      return ok(await pauses.pause(site, reason))
    },
    async resumeSaves({ site }) {
      if (site !== null && !index.sites.find(site)) return unknownSite(site)
      await pauses.resume(site)
      return ok(null)
    },
  }
}
