import { siteIdForm } from '@galley/wire'
import type { CallbackId, MaterialId, SiteId, VersionId } from '@galley/wire'

/** The scheme of links into the app. */
export const linkScheme = 'galley'

/** What a link into the app names: a site, a material or a version of it, or a received callback. */
export type Linked =
  | { readonly site: SiteId; readonly materialId: MaterialId | null; readonly versionId: VersionId | null }
  | { readonly callbackId: CallbackId }

/** Longer texts are no links. An id of 1,000 characters takes at most 9 signs for each of them. */
const linkMaxChars = 20_000

const joined = (kind: 'show' | 'show-callback', parts: readonly string[]): string =>
  [`${linkScheme}:/`, kind, ...parts.map((part) => encodeURIComponent(part.toWellFormed()))].join('/')

/** `galley://show/SITE[/MATERIAL[/VERSION]]` or `galley://show-callback/ID`, each part percent-encoded. */
export function appLink(linked: Linked): string {
  if ('callbackId' in linked) return joined('show-callback', [linked.callbackId])
  const { site, materialId, versionId } = linked
  const inSite = materialId === null ? [] : versionId === null ? [materialId] : [materialId, versionId]
  return joined('show', [site, ...inSite])
}

/** What a link names; null for every other text. Anybody can write a link, so its ids need not exist. */
export function readAppLink(text: string): Linked | null {
  const [, kind = '', path = ''] = /^galley:\/\/(show|show-callback)\/([^?#]*?)\/?$/i.exec(text) ?? []
  const parts = text.length > linkMaxChars ? [] : path.split('/').map(decoded)
  const [first = '', materialId = null, versionId = null] = parts
  if (parts.length > 3 || parts.some((part) => part === null || part === '') || first === null) return null
  if (kind.toLowerCase() === 'show-callback') return parts.length === 1 ? { callbackId: first } : null
  return siteIdForm.test(first) ? { site: first, materialId, versionId } : null
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}
