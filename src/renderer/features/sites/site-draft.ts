import { plainName } from '../../../contract/domain/bundle/slug.ts'
import type { Calls, CallProblem } from '../../../contract/ipc/calls.ts'
import type { SiteSummary } from '../../../contract/domain/site.ts'
import { defaultSignatureHeader } from '../../../contract/protocol/signed-text.ts'
import { siteDefaults, siteProblems } from '../../../contract/domain/site-input.ts'

type SiteForm = Calls['saveSite']['input']

/** The site form as it is typed: every field a text, so that nothing typed is lost before it is judged. */
export interface SiteDraft extends Omit<
  SiteForm,
  'allowHttp' | 'publicUrl' | 'allowedDomains' | 'downloadOrigins' | 'signatureHeader' | 'secret'
> {
  readonly publicUrl: string
  /** One domain per line. */
  readonly allowedDomains: string
  /** One address per line. */
  readonly downloadOrigins: string
  readonly signatureHeader: string
  readonly allowHttp: boolean
  /** Never filled from what is stored. */
  readonly secret: string
}

/** A site that nothing is known of yet. */
export const emptyDraft: SiteDraft = {
  id: '',
  name: '',
  environment: 'dev',
  baseUrl: '',
  apiKey: '',
  callbackUrl: '',
  publicUrl: '',
  allowedDomains: '',
  downloadOrigins: '',
  signatureHeader: defaultSignatureHeader,
  unknownMaterials: 'refuse',
  callbackAuth: 'none',
  allowHttp: false,
  secret: '',
}

/** The draft to change a site with. */
export const draftOf = (site: SiteSummary): SiteDraft => ({
  id: site.id,
  name: site.name,
  environment: site.environment,
  baseUrl: site.baseUrl,
  apiKey: site.apiKey,
  callbackUrl: site.callbackUrl,
  publicUrl: site.publicUrl ?? '',
  allowedDomains: site.allowedDomains.join('\n'),
  downloadOrigins: site.downloadOrigins.join('\n'),
  signatureHeader: site.signatureHeader,
  unknownMaterials: site.unknownMaterials,
  callbackAuth: site.callbackAuth,
  allowHttp: site.allowHttp,
  secret: '',
})

/** What is wrong with a draft before anything is sent, for each field that has to change. */
export const problemsIn = (draft: SiteDraft): readonly CallProblem[] =>
  // Where media are published is not typed here.
  siteProblems({ ...siteDefaults, ...siteOf(draft), publish: 'listener' }).map(({ field, problem, reason }) => ({
    code: 'invalid_site',
    message: problem,
    field,
    facts: { state: reason ?? field },
  }))

/** The settings of a site in a draft, without what is kept elsewhere. */
function siteOf(draft: SiteDraft) {
  const { secret: _secret, allowHttp: _allowHttp, publish: _publish, ...site } = formOf(draft)
  return site
}

/** What a person has typed into a new site, and what follows from it while nothing else was typed there. */
export function derived(draft: SiteDraft, typed: ReadonlySet<string>, listenerUrl: string | null): SiteDraft {
  const id = typed.has('id') ? draft.id : plainName(draft.name, 63)
  const callbackUrl =
    typed.has('callbackUrl') || listenerUrl === null ? draft.callbackUrl : `${listenerUrl}/callback/${id.trim()}`
  return { ...draft, id, callbackUrl }
}

/** What stands in lines, or between blanks and commas. */
const listed = (text: string): string[] => text.split(/[\s,]+/).filter((entry) => entry !== '')

/** What is sent: outer blanks dropped everywhere but in the secret, empty public URL and secret as null. */
export function formOf(draft: SiteDraft): SiteForm {
  const publicUrl = draft.publicUrl.trim()
  return {
    ...draft,
    id: draft.id.trim(),
    name: draft.name.trim() === '' ? draft.id.trim() : draft.name.trim(),
    baseUrl: draft.baseUrl.trim(),
    apiKey: draft.apiKey.trim(),
    callbackUrl: draft.callbackUrl.trim(),
    publicUrl: publicUrl === '' ? null : publicUrl,
    allowedDomains: listed(draft.allowedDomains),
    downloadOrigins: listed(draft.downloadOrigins),
    signatureHeader: draft.signatureHeader.trim(),
    secret: draft.secret === '' ? null : draft.secret,
  }
}
