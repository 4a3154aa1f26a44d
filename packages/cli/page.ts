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

import { command, failed } from './command.ts'
import { knownMaterial, ofMaterial } from './material.ts'
import type { Values } from './option.ts'
import { UsageError, atMost, choice, onOff, orNone, parsed, severalOrNone, text } from './option.ts'
import { printable } from './table.ts'

const options = {
  slug: parsed('SLUG', 'the address of the page', 'blog/a-short-walk', slugFrom),
  published: orNone(parsed('MOMENT', 'the day or moment that readers see, in ISO 8601', '2026-11-21', moment)),
  updated: parsed(
    'MOMENT|none|auto',
    'when it was changed; auto is the moment of its version',
    '2026-11-21',
    updateFrom,
  ),
  notBefore: orNone(parsed('MOMENT', 'it is not published before', '2026-12-01T09:00', moment)),
  state: choice(pageStates, 'whether it is published; a hidden page is published, but in no list'),
  type: choice(pageTypes, 'a post is in the list of posts, a page is not'),
  language: orNone(parsed('LANGUAGE', 'its language, where that is not the one of the site', 'pt-BR', language)),
  description: orNone(parsed('TEXT', 'a description for search engines', '"A walk"', atMost(fieldMax.description))),
  tags: parsed('TAG,TAG|none', 'its tags', 'walks,autumn', tagsFrom),
  version: text('latest|approved|ID', 'which version is published', 'approved'),
  pinned: onOff('whether lists have it first'),
  author: orNone(parsed('NAME', 'the author that readers see', '"Ada Lovelace"', atMost(fieldMax.author))),
  socialImage: orNone(parsed('NAME|URL', 'a picture for social networks', 'walk.jpg', atMost(fieldMax.url))),
  canonical: orNone(parsed('URL', 'where the text was first published', 'https://acme.example/walk', webAddress)),
  redirectFrom: severalOrNone(
    parsed('PATH', 'an earlier address that leads here', '2019/05/Old_Post.html', redirectFrom),
  ),
}

export const page = command({
  name: 'page',
  summary: 'show or set how a site publishes one material',
  positionals: ofMaterial,
  options,
  examples: ['acme post', 'acme post --published 2026-11-21 --tags walks,autumn'],
  async run(context, given) {
    const requested = requestedChanges(given)
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
})

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

function requestedChanges(given: Values<typeof options>): RequestedChanges {
  const { slug, updated, state, type, tags, version, pinned, redirectFrom: added, ...clearable } = given
  const changes: { readonly [Key in keyof RequestedChanges]: RequestedChanges[Key] | undefined } = {
    ...clearable,
    slug: slug ?? undefined,
    updated: updated === 'auto' ? null : (updated ?? undefined),
    state: state ?? undefined,
    type: type ?? undefined,
    tags: tags ?? undefined,
    version: version ?? undefined,
    pinned: pinned ?? undefined,
    added,
  }
  return withoutUndefined(changes)
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

function slugFrom(name: string, given: string): string {
  address(name, given)
  return given
}

function moment(name: string, given: string): Moment {
  const read = readMoment(given)
  if (read === null) throw new UsageError(`--${name} must be a date or a moment in ISO 8601, or none`)
  return read
}

function updateFrom(name: string, given: string): Moment | 'none' | 'auto' {
  if (given === 'none' || given === 'auto') return given
  const read = readMoment(given)
  if (read === null) throw new UsageError(`--${name} must be a date or a moment in ISO 8601, none, or auto`)
  return read
}

export function language(name: string, given: string): string {
  const read = readLanguage(given)
  if (read === null) throw new UsageError(`--${name} must be a language tag, e.g. en or pt-BR`)
  return read
}

function webAddress(name: string, given: string): string {
  if (!isWebAddress(given)) throw new UsageError(`--${name} must be an http or https URL without a user name, or none`)
  return given
}

function tagsFrom(_name: string, given: string): readonly string[] {
  const tags = given === 'none' ? [] : given.split(',').map((tag) => tag.normalize('NFC').trim())
  const named = [...new Set(tags.filter((tag) => tag !== ''))]
  if (named.length === 0 && given !== 'none') throw new UsageError('--tags has no tag; enter none to clear them')
  if (named.length > tagsAtMost) throw new UsageError(`--tags takes at most ${tagsAtMost} tags`)
  if (named.some((tag) => tag.length > tagMaxChars || /[\p{Cc}\p{Cf}]/u.test(tag)))
    throw new UsageError(`--tags: a tag has at most ${tagMaxChars} characters, and no control characters`)
  return named
}

function redirectFrom(name: string, given: string): string {
  const path = readRedirect(given)
  if (path === null)
    throw new UsageError(
      `--${name}: a static site cannot redirect from ${given}; enter a path such as 2019/05/Old_Post.html or its URL: at most six parts of letters, digits, spaces and . _ ~ - ! ' ( ) + , ; = @ &, and not the path of one of Galley's own files. It may end in a query such as ?p=12`,
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
