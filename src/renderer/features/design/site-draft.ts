import type { Outgoing, SitePublishing } from '@galley/library/records'
import { fieldMax, readLanguage } from '@galley/library/records'
import { usableBaseUrl } from '@galley/sites/bundle'
import type { MaterialId, Result } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import type { PublishingChanges } from '../../../ipc/pages.ts'
import { textOrNull } from '../../domain/typed-text.ts'

/** The form of the site settings, as typed. */
export interface SiteDraft {
  readonly homeKind: 'listing' | 'page'
  readonly homeId: MaterialId | null
  readonly language: string
  readonly timeZone: string
  readonly baseUrl: string
  readonly description: string
  readonly footer: string
  readonly postsPerPage: string
  readonly outgoing: Outgoing
}

export type WrongField = Extract<keyof SiteDraft, 'homeId' | 'language' | 'baseUrl' | 'postsPerPage'>

export const siteDraftOf = (publishing: SitePublishing): SiteDraft => ({
  homeKind: publishing.home === 'listing' ? 'listing' : 'page',
  homeId: publishing.home === 'listing' ? null : publishing.home,
  language: publishing.language,
  timeZone: publishing.timeZone,
  baseUrl: publishing.baseUrl ?? '',
  description: publishing.description ?? '',
  footer: publishing.footer ?? '',
  postsPerPage: String(publishing.postsPerPage),
  outgoing: publishing.outgoing,
})

/** The settings of a valid form, or its invalid fields. */
export function siteChanges(draft: SiteDraft): Result<PublishingChanges, readonly WrongField[]> {
  const { homeKind, outgoing, timeZone } = draft
  const home = homeKind === 'listing' ? 'listing' : draft.homeId
  const language = readLanguage(draft.language)
  const baseUrl = textOrNull(draft.baseUrl) === null ? null : usableBaseUrl(draft.baseUrl.trim())
  const postsPerPage = /^\d{1,4}$/.test(draft.postsPerPage.trim()) ? Number(draft.postsPerPage) : 0
  const wrong = [
    ...(home === null ? (['homeId'] as const) : []),
    ...(language === null ? (['language'] as const) : []),
    ...(textOrNull(draft.baseUrl) !== null && baseUrl === null ? (['baseUrl'] as const) : []),
    ...(postsPerPage < 1 || postsPerPage > fieldMax.postsPerPage ? (['postsPerPage'] as const) : []),
  ]
  if (wrong.length > 0 || home === null || language === null) return fail(wrong)
  return ok({
    home,
    description: textOrNull(draft.description),
    footer: textOrNull(draft.footer),
    language,
    timeZone,
    baseUrl,
    postsPerPage,
    outgoing,
  })
}
