import { isPublicService, plainName, siteDefaults, siteProblems, unreachableFields } from '@galley/library/records'
import type { SiteSummary } from '@galley/library/records'
import { defaultSignatureHeader } from '@galley/wire'

import type { CallProblem } from '../../../ipc/calls.ts'
import type { SiteForm } from '../../../ipc/sites.ts'

/** Form input for a site: every field is text, so that nothing typed is lost before validation. */
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
  /** Never prefilled. */
  readonly secret: string
}

/** The form for a new site. */
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

/** The form for an existing site. */
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

/** Validates a draft before it is sent; one problem per invalid field. */
export const problemsIn = (draft: SiteDraft): readonly CallProblem[] => [
  // This form does not edit the publishing target.
  ...siteProblems({ ...siteDefaults, ...siteOf(draft), publish: 'listener' }),
  ...unreachableIn(draft),
]

/** The addresses that a service on the internet cannot reach; also shown before the draft is submitted. */
export const unreachableIn = (draft: SiteDraft): readonly CallProblem[] =>
  unreachableFields(formOf(draft)).map((field) => ({
    code: 'invalid_site',
    field,
    state: 'unreachable',
  }))

/** The draft's site settings, without the fields stored elsewhere. */
function siteOf(draft: SiteDraft) {
  const { secret: _secret, allowHttp: _allowHttp, publish: _publish, ...site } = formOf(draft)
  return site
}

/** Fills in fields that follow from those typed so far and were not typed themselves. */
export function derived(draft: SiteDraft, typed: ReadonlySet<string>, listenerUrl: string | null): SiteDraft {
  const id = typed.has('id') ? draft.id : plainName(draft.name, 63)
  // Only a service on this computer or in its network can reach the listener at its own address.
  const baseUrl = draft.baseUrl.trim()
  const isNear = listenerUrl !== null && URL.canParse(baseUrl) && !isPublicService(baseUrl)
  const ownUrl = isNear ? `${listenerUrl}/callback/${id.trim()}` : ''
  const callbackUrl = typed.has('callbackUrl') ? draft.callbackUrl : ownUrl
  return { ...draft, id, callbackUrl }
}

/** Splits at blanks and commas. */
const listed = (text: string): string[] => text.split(/[\s,]+/).filter((entry) => entry !== '')

/** The form to send: trimmed except for the secret, with null for an empty public URL or secret. */
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
