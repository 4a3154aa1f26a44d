import type { AddressProblem, PageChanges, PageState, PageType, SitePageView, TimeZone } from '@galley/library/records'
import { isWebAddress, readAddress, readLanguage, readRedirect, tagMaxChars, tagsAtMost } from '@galley/library/records'
import { fail, ok, withoutUndefined } from '@galley/wire'
import type { Result } from '@galley/wire'

/** The form of a page: text as typed, moments in the site's time zone as `2026-05-01T10:00`. */
export interface PageDraft {
  readonly state: PageState
  readonly type: PageType
  readonly address: string
  readonly published: string
  /** Empty: from the versions; or `none`, or a moment. */
  readonly updated: string
  readonly notBefore: string
  readonly pinned: boolean
  readonly language: string
  readonly description: string
  /** Empty: the first picture of the page. */
  readonly socialImage: string
  /** Separated by commas. */
  readonly tags: string
  readonly author: string
  readonly canonical: string
  /** One per line. */
  readonly redirects: string
  readonly version: string
}

/** The problem of a field. */
export type FieldProblem = AddressProblem | 'redirect' | 'language' | 'url' | 'tag' | 'tags' | 'moment'
export type FieldProblems = Readonly<Partial<Record<keyof PageDraft, FieldProblem>>>

/** A moment as a date field shows it in the site's time zone. */
export const wallIn = (zone: TimeZone, moment: string | null): string =>
  moment === null ? '' : zone.wallOf(moment).slice(0, 16)

export function draftOf({ address, settings }: SitePageView, zone: TimeZone): PageDraft {
  return {
    state: settings.state,
    type: settings.type,
    address: address ?? '',
    published: wallIn(zone, settings.published),
    updated: settings.updated === 'none' ? 'none' : wallIn(zone, settings.updated),
    notBefore: wallIn(zone, settings.notBefore),
    pinned: settings.pinned,
    language: settings.language ?? '',
    description: settings.description ?? '',
    socialImage: settings.socialImage ?? '',
    tags: settings.tags.join(', '),
    author: settings.author ?? '',
    canonical: settings.canonical ?? '',
    redirects: settings.redirectsFrom.join('\n'),
    version: settings.version,
  }
}

const listed = (text: string, separator: RegExp): readonly string[] => [
  ...new Set(
    text
      .split(separator)
      .map((part) => part.normalize('NFC').trim())
      .filter(Boolean),
  ),
]

/**
 * The value or the problem of each changed field; unchanged fields are not saved. `pictures`: the valid names of a social
 * image.
 */
export function changesOf(
  draft: PageDraft,
  kept: PageDraft,
  { pictures, zone }: { readonly pictures: readonly string[]; readonly zone: TimeZone },
): Result<PageChanges, FieldProblems> {
  const problems: { -readonly [Key in keyof PageDraft]?: FieldProblem } = {}
  const isChanged = (key: keyof PageDraft): boolean => draft[key] !== kept[key]
  const read = <Value>(key: keyof PageDraft, value: () => Result<Value, FieldProblem>): Value | undefined => {
    if (!isChanged(key)) return undefined
    const result = value()
    if (result.ok) return result.value
    problems[key] = result.failure
    return undefined
  }
  const orNull = (
    text: string,
    check: (given: string) => Result<string, FieldProblem> = ok,
  ): Result<string | null, FieldProblem> => (text.trim() === '' ? ok(null) : check(text.trim()))
  const webAddress = (url: string) => (isWebAddress(url) ? ok(url) : fail('url' as const))
  const moment = (text: string) => {
    const found = zone.momentOf(text)
    return found === null ? fail('moment' as const) : ok(found)
  }
  const tags = listed(draft.tags, /,/)
  const redirects = listed(draft.redirects, /\n/).map(readRedirect)
  const changes: { readonly [Key in keyof PageChanges]: PageChanges[Key] | undefined } = {
    slug: read('address', () => {
      const address = readAddress(draft.address)
      return address.ok ? ok(draft.address.trim()) : address
    }),
    state: read('state', () => ok(draft.state)),
    type: read('type', () => ok(draft.type)),
    published: read('published', () => orNull(draft.published, moment)),
    updated: read('updated', () => orNull(draft.updated, (text) => (text === 'none' ? ok(text) : moment(text)))),
    notBefore: read('notBefore', () => orNull(draft.notBefore, moment)),
    pinned: read('pinned', () => ok(draft.pinned)),
    language: read('language', () =>
      orNull(draft.language, (text) => {
        const language = readLanguage(text)
        return language === null ? fail('language' as const) : ok(language)
      }),
    ),
    description: read('description', () => orNull(draft.description)),
    socialImage: read('socialImage', () =>
      orNull(draft.socialImage, (image) => (pictures.includes(image) ? ok(image) : webAddress(image))),
    ),
    tags: read('tags', () => {
      if (tags.length > tagsAtMost) return fail('tags' as const)
      return tags.some((tag) => tag.length > tagMaxChars || /[\p{Cc}\p{Cf}]/u.test(tag))
        ? fail('tag' as const)
        : ok(tags)
    }),
    author: read('author', () => orNull(draft.author)),
    canonical: read('canonical', () => orNull(draft.canonical, webAddress)),
    redirectsFrom: read('redirects', () => {
      const paths = redirects.filter((path) => path !== null)
      return paths.length < redirects.length ? fail('redirect' as const) : ok(paths)
    }),
    version: read('version', () => ok(draft.version)),
  }
  if (Object.keys(problems).length > 0) return fail(problems)
  return ok(withoutUndefined(changes))
}

/** The full URL of a page; without a site URL, its path from the root of the site. */
export function fullAddress(baseUrl: string | null, address: string, isHome: boolean): string {
  const read = readAddress(address)
  return `${baseUrl ?? '/'}${isHome || !read.ok ? '' : `${read.value}/`}`
}
