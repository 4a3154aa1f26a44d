import type { AddressProblem, PageChanges, SitePageView } from '@galley/library/records'
import {
  isWebAddress,
  pageStates,
  pageTypes,
  readAddress,
  readLanguage,
  readMoment,
  readRedirect,
  redirectsAtMost,
  fieldMax,
  tagMaxChars,
  tagsAtMost,
  timeZone,
} from '@galley/library/records'
import type { PageFailure } from '@galley/sites'
import { changePages, pageOf } from '@galley/sites'
import { shownUpdate } from '@galley/sites/bundle'
import type { SiteId } from '@galley/wire'
import { failureWords, withoutUndefined } from '@galley/wire'

import type { Command, Context } from './command.ts'
import { UsageError, failed, oneOf, orNone, text, textsOrNone } from './command.ts'
import { knownMaterial } from './material.ts'
import { printable } from './table.ts'

export const page: Command = {
  name: 'page',
  usage:
    'SITE MATERIAL [--slug S] [--published ISO|none] [--updated ISO|none|auto] [--not-before ISO|none] [--state draft|published|hidden] ' +
    '[--type post|page] [--language L|none] [--description T|none] [--tags a,b|none] [--version latest|approved|ID] ' +
    '[--pinned on|off] [--author T|none] [--social-image NAME|U|none] [--canonical U|none] [--redirect-from PATH|none]...',
  summary: 'show or set how a site publishes one material',
  positionals: ['SITE', 'MATERIAL'],
  options: {
    slug: { type: 'string' },
    published: { type: 'string' },
    updated: { type: 'string' },
    'not-before': { type: 'string' },
    state: { type: 'string' },
    type: { type: 'string' },
    language: { type: 'string' },
    description: { type: 'string' },
    tags: { type: 'string' },
    version: { type: 'string' },
    pinned: { type: 'string' },
    author: { type: 'string' },
    'social-image': { type: 'string' },
    canonical: { type: 'string' },
    'redirect-from': { type: 'string', multiple: true },
  },
  async run(context) {
    const requested = requestedChanges(context)
    const { galley, site, materialId } = await knownMaterial(context)
    const { publishing } = galley.index
    const { added, published, updated, notBefore, ...others } = requested
    const zone = timeZone(publishing.of(site).timeZone)
    const settings: PageChanges = {
      ...others,
      ...withoutUndefined({
        published: published && published(zone),
        updated: typeof updated === 'function' ? updated(zone) : updated,
        notBefore: notBefore && notBefore(zone),
      }),
    }
    const to = settings.slug === undefined ? null : address('slug', settings.slug)
    // The page may move back to one of its earlier addresses.
    const before = (galley.index.pages.find(site, materialId)?.settings.redirectsFrom ?? []).filter(
      (from) => from !== to,
    )
    const changes = added === undefined ? settings : { ...settings, redirectsFrom: redirects(before, added) }
    if (Object.keys(changes).length > 0) {
      const done = await galley.index.commit.write(() => changePages(galley.index, site, [materialId], changes))
      if (!done.ok) throw explained(done.failure)
    }
    const shown = pageOf(galley.index, site, materialId)
    if (shown === null) throw explained({ code: 'unknown_material', materialId })
    const json = pageJson(site, shown)
    return { json, text: described(json) }
  },
}

/** Puts added redirects first. Adding none clears the list. */
const redirects = (before: readonly string[], added: readonly string[]): readonly string[] =>
  added.length === 0 ? [] : [...new Set([...added, ...before])].slice(0, redirectsAtMost)

/** `added`: earlier addresses to redirect to the page. */
type RequestedChanges = Omit<PageChanges, 'published' | 'updated' | 'notBefore'> & {
  readonly added?: readonly string[]
  readonly published?: Moment | null
  readonly updated?: Moment | 'none' | null
  readonly notBefore?: Moment | null
}

/** A date as typed: without an offset, its moment depends on the site's time zone. */
type Moment = NonNullable<ReturnType<typeof readMoment>>

function requestedChanges(context: Context): RequestedChanges {
  const slug = text(context, 'slug')
  const pinned = oneOf(context, 'pinned', ['on', 'off'])
  const given: { readonly [Key in keyof RequestedChanges]: RequestedChanges[Key] | undefined } = {
    slug: slug === null ? undefined : address('slug', slug) && slug,
    published: orNone(context, 'published', moment),
    updated: updateFrom(text(context, 'updated')),
    notBefore: orNone(context, 'not-before', moment),
    state: oneOf(context, 'state', pageStates) ?? undefined,
    type: oneOf(context, 'type', pageTypes) ?? undefined,
    language: orNone(context, 'language', language),
    description: orNone(context, 'description', atMost(fieldMax.description)),
    tags: tagsFrom(text(context, 'tags')),
    version: versionFrom(text(context, 'version')),
    pinned: pinned === null ? undefined : pinned === 'on',
    author: orNone(context, 'author', atMost(fieldMax.author)),
    socialImage: orNone(context, 'social-image', atMost(fieldMax.url)),
    canonical: orNone(context, 'canonical', webAddress),
    added: textsOrNone(context, 'redirect-from')?.map(redirectFrom),
  }
  return withoutUndefined(given)
}

const addressWords: Record<AddressProblem, string> = {
  empty: 'needs a letter or digit in each part, e.g. blog/2026/a-walk',
  too_deep: 'has more than six parts',
  too_long: 'is too long',
  reserved: 'is reserved by Galley or Windows',
}

function address(name: string, given: string): string {
  const read = readAddress(given)
  if (!read.ok) throw new UsageError(`--${name}: ${given} ${addressWords[read.failure]}`)
  return read.value
}

function moment(name: string, given: string): Moment {
  const read = readMoment(given)
  if (read === null) throw new UsageError(`--${name} must be a date or a moment in ISO 8601, or none`)
  return read
}

function updateFrom(given: string | null): Moment | 'none' | null | undefined {
  if (given === null || given === 'none') return given ?? undefined
  if (given === 'auto') return null
  const read = readMoment(given)
  if (read === null) throw new UsageError('--updated must be a date or a moment in ISO 8601, none, or auto')
  return read
}

export function language(name: string, given: string): string {
  const read = readLanguage(given)
  if (read === null) throw new UsageError(`--${name} must be a language tag, e.g. en or pt-BR`)
  return read
}

export const atMost =
  (maxChars: number) =>
  (name: string, given: string): string => {
    if (given.trim() === '') throw new UsageError(`--${name} is empty; enter none to clear it`)
    if (given.length > maxChars) throw new UsageError(`--${name} must have at most ${maxChars} characters`)
    return given
  }

function webAddress(name: string, given: string): string {
  if (!isWebAddress(given)) throw new UsageError(`--${name} must be an http or https URL without a user name, or none`)
  return given
}

function tagsFrom(given: string | null): readonly string[] | undefined {
  if (given === null) return undefined
  const tags = given === 'none' ? [] : given.split(',').map((tag) => tag.normalize('NFC').trim())
  const named = [...new Set(tags.filter((tag) => tag !== ''))]
  if (named.length === 0 && given !== 'none') throw new UsageError('--tags has no tag; enter none to clear them')
  if (named.length > tagsAtMost) throw new UsageError(`--tags takes at most ${tagsAtMost} tags`)
  if (named.some((tag) => tag.length > tagMaxChars || /[\p{Cc}\p{Cf}]/u.test(tag)))
    throw new UsageError(`--tags: a tag has at most ${tagMaxChars} characters, and no control characters`)
  return named
}

function versionFrom(given: string | null): PageChanges['version'] {
  if (given === null) return undefined
  // The library reports an unknown version.
  return given
}

function redirectFrom(given: string): string {
  const path = readRedirect(given)
  if (path === null)
    throw new UsageError(
      `--redirect-from: a static site cannot redirect from ${given}; enter a path such as 2019/05/Old_Post.html or its URL: at most six parts of letters, digits, spaces and . _ ~ - ! ' ( ) + , ; = @ &, and not the path of one of Galley's own files. It may end in a query such as ?p=12`,
    )
  return path
}

const explained = (failure: PageFailure): Error =>
  failure.code === 'invalid_address' ? new UsageError(failureWords(failure)) : failed(failure)

/** A page as specified in docs/api.md, section 5. */
const pageJson = (
  site: SiteId,
  { materialId, title, slug, address: path, updated: saved, settings }: SitePageView,
) => ({
  site,
  material_id: materialId,
  path,
  path_decided: settings.path !== null,
  slug,
  title,
  published: settings.published,
  updated: saved && shownUpdate(settings, saved),
  not_before: settings.notBefore,
  state: settings.state,
  type: settings.type,
  language: settings.language,
  description: settings.description,
  tags: settings.tags,
  version: settings.version,
  redirects_from: settings.redirectsFrom,
  pinned: settings.pinned,
  author: settings.author,
  social_image: settings.socialImage,
  canonical: settings.canonical,
})

const described = (json: ReturnType<typeof pageJson>): string =>
  Object.entries(json)
    .filter(([name]) => name !== 'path_decided')
    .map(([name, value]) => {
      const shown = Array.isArray(value) ? value.join(', ') : String(value ?? '')
      const isOpen = name === 'path' && value !== null && !json.path_decided
      return printable(`${name.replaceAll('_', ' ').padEnd(20)}${shown}${isOpen ? ' (set when it is published)' : ''}`)
    })
    .join('\n')
