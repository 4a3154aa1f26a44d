import type { CallProblem, Handlers } from '../../../contract/ipc.ts'
import type { Result } from '../../../contract/result.ts'
import { fail, ok } from '../../../contract/result.ts'
import { siteDefaults, siteInputOf } from '../../../contract/site-input.ts'
import type { Galley } from '../../galley.ts'
import type { SaveSiteFailure } from '../../sites/site-settings.ts'

/** Calls about sites; a secret comes in with `saveSite` and never goes out. */
export function siteHandlers(
  galley: Galley,
  sitesChanged: () => void,
): Pick<Handlers, 'listSites' | 'saveSite' | 'removeSite'> {
  return {
    listSites: () => galley.sites.list(),
    async saveSite({ secret, ...form }) {
      const before = galley.index.sites.find(form.id)
      const saved = await galley.sites.save(
        { ...siteDefaults, ...(before && siteInputOf(before)), ...mutable(form) },
        secret,
      )
      sitesChanged()
      return saved.ok ? saved : fail(problemOf(saved.failure))
    },
    async removeSite({ site }): Promise<Result<null, CallProblem>> {
      const removed = await galley.sites.remove(site)
      sitesChanged()
      if (!removed.ok) return fail(problemOf(removed.failure))
      return removed.value ? ok(null) : fail({ code: 'unknown_site', message: `There is no site ${site} any more.` })
    },
  }
}

const mutable = <Form extends { allowedDomains: readonly string[] }>(form: Form) => ({
  ...form,
  allowedDomains: [...form.allowedDomains],
})

const keychainWords = {
  missing: 'The keychain has no secret for this site.',
  locked:
    'The site is saved, but the keychain is locked, so its secret is not. Unlock it, then enter the secret again.',
  unavailable: 'The site is saved, but there is no keychain to put its secret into. Start one, then enter it again.',
  changed: 'The keychain no longer holds what Galley stored there. Enter the secret again.',
} as const

function problemOf(failure: SaveSiteFailure): CallProblem {
  switch (failure.kind) {
    case 'invalid_site':
      return { code: failure.kind, message: sentence(failure.problem), field: failure.field }
    case 'secrets_read_only':
      return {
        code: failure.kind,
        message: 'Secrets come from the environment here and cannot be changed in the window. Leave the field empty.',
        field: 'secret',
      }
    case 'secrets_unavailable':
      return { code: failure.kind, message: keychainWords[failure.state], field: 'secret' }
  }
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
