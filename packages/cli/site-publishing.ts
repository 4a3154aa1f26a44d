import {
  fieldMax,
  invalidTheme,
  isEditLink,
  isMenuAddress,
  isWebAddress,
  outgoingRules,
  readTimeZone,
} from '@galley/library/records'
import type { MenuItem, SitePublishing, ThemeSettings } from '@galley/library/records'
import { blobsOf, loadThemeCheck, storeTheme, themeSources } from '@galley/sites'
import { settingsFor, usableBaseUrl } from '@galley/sites/bundle'
import type { ThemeManifest } from '@galley/sites/bundle'
import type { SiteId } from '@galley/wire'
import { failureWords, withoutUndefined } from '@galley/wire'

import type { Command, Context } from './command.ts'
import { UsageError, oneOf, orNone, text, texts, textsOrNone, wholeNumber } from './command.ts'
import { givenFile } from './given-text.ts'
import { givenTheme } from './given-theme.ts'
import { unknownMaterial } from './material.ts'
import { atMost, language } from './page.ts'
import { knownSite } from './site.ts'
import { printable } from './table.ts'

export const sitePublishing: Command = {
  name: 'site publishing',
  usage:
    'SITE [--home listing|MATERIAL] [--language L] [--time-zone Z] [--base-url U|none] [--theme NAME|DIR] [--theme-setting K=V]... ' +
    '[--outgoing all|not-rejected|approved] [--description T|none] [--menu LABEL=ADDRESS|LABEL=material:ID|none]... ' +
    '[--footer T|none] [--posts-per-page N] [--head HTML|@FILE|none] [--body HTML|@FILE|none] [--edit-link URL|none]',
  summary: 'show or set how a site is published',
  positionals: ['SITE'],
  options: {
    home: { type: 'string' },
    language: { type: 'string' },
    'time-zone': { type: 'string' },
    'base-url': { type: 'string' },
    theme: { type: 'string' },
    'theme-setting': { type: 'string', multiple: true },
    outgoing: { type: 'string' },
    description: { type: 'string' },
    menu: { type: 'string', multiple: true },
    footer: { type: 'string' },
    'posts-per-page': { type: 'string' },
    head: { type: 'string' },
    body: { type: 'string' },
    'edit-link': { type: 'string' },
  },
  async run(context) {
    const requested = await requestedSettings(context)
    const editLink = orNone(context, 'edit-link', editLinkFrom)
    const theme = await givenTheme(context)
    const given = settingsFrom(texts(context, 'theme-setting'))
    let themeSettings: ThemeSettings | null = given
    const site = await knownSite(context)
    const { index, vault } = await context.galley()
    const { publishing, materials, commit, fields } = index
    const linked = (requested.menu ?? []).flatMap(({ target }) => ('material' in target ? [target.material] : []))
    const home = requested.home === undefined || requested.home === 'listing' ? [] : [requested.home]
    const unknown = [...home, ...linked].find((materialId) => materials.find(site.id, materialId) === null)
    if (unknown !== undefined) throw unknownMaterial(unknown)
    const changes = (): Partial<SitePublishing> => ({
      ...requested,
      ...(themeSettings !== null && { themeSettings: merged(publishing.of(site.id).themeSettings, themeSettings) }),
    })
    const all = (): SitePublishing => ({ ...publishing.of(site.id), ...changes() })
    if (theme !== null || given !== null) {
      const sources = theme?.sources ?? themeSources(context.line.themesFolder, publishing.of(site.id).theme)
      const manifest = await mustWork(context, sources, all())
      themeSettings = given && typedFor(manifest, given)
    }
    if (theme?.folder) {
      const stored = await storeTheme({ index, vault }, site.id, theme.folder, changes)
      if (!stored.ok) throw new UsageError(failureWords(stored.failure))
    }
    // Without settings it only shows, also in a member that cannot write.
    else if (theme !== null || themeSettings !== null || Object.keys(requested).length > 0)
      await commit.write(() => publishing.change(site.id, { ...changes(), ...(theme && { theme: theme.name }) }))
    if (editLink !== undefined)
      await commit.write(() => fields.set('site', site.id, [{}], { editLink: editLink ?? '' }))
    const json = {
      ...settingsJson(site.id, publishing.of(site.id)),
      edit_link: fields.of('site', site.id, {})?.editLink || null,
    }
    return { json, text: described(json) }
  },
}

function editLinkFrom(name: string, given: string): string {
  if (isEditLink(given)) return given
  throw new UsageError(
    `--${name}: enter an http or https URL with {material_id} in it, such as https://cms.example/edit/{material_id}`,
  )
}

/** Refuses a theme, or a setting of it, with which no page can be made. */
async function mustWork(
  context: Context,
  sources: readonly string[],
  publishing: SitePublishing,
): Promise<Pick<ThemeManifest, 'name' | 'settings'>> {
  const { checkTheme } = await loadThemeCheck()
  const { manifest, problem } = await checkTheme({ sources, publishing }, blobsOf(await context.galley()))
  if (problem !== null) throw new UsageError(failureWords(invalidTheme(problem)))
  return manifest ?? { name: '', settings: [] }
}

/** The given settings in the types of the theme. One that it does not have can only be cleared. */
function typedFor({ name, settings }: Pick<ThemeManifest, 'name' | 'settings'>, given: ThemeSettings): ThemeSettings {
  const known = settings.map(({ key }) => key)
  const wanted = Object.entries(given).filter(([, value]) => value !== '')
  const [strange] = wanted.find(([key]) => !known.includes(key)) ?? []
  if (strange !== undefined)
    throw new UsageError(`the theme ${name} has no setting ${strange}; it has ${known.join(', ') || 'none'}`)
  const read = settingsFor({ settings }, Object.fromEntries(wanted))
  return read.ok
    ? Object.fromEntries(
        Object.entries(given).map(([key, value]) => [key, value === '' ? value : (read.value[key] ?? value)]),
      )
    : given
}

async function requestedSettings(context: Context): Promise<Partial<SitePublishing>> {
  const home = text(context, 'home')
  const named = text(context, 'language')
  const zone = text(context, 'time-zone')
  const given: { readonly [Key in keyof SitePublishing]?: SitePublishing[Key] | undefined } = {
    outgoing: oneOf(context, 'outgoing', outgoingRules) ?? undefined,
    home: home ?? undefined,
    language: named === null ? undefined : language('language', named),
    timeZone: zone === null ? undefined : zoneFrom(zone),
    baseUrl: orNone(context, 'base-url', baseUrl),
    description: orNone(context, 'description', atMost(fieldMax.description)),
    menu: textsOrNone(context, 'menu')?.map(menuItem),
    footer: orNone(context, 'footer', atMost(fieldMax.footer)),
    postsPerPage: wholeNumber(context, 'posts-per-page', 1, fieldMax.postsPerPage) ?? undefined,
    headSnippet: await snippetFrom(context, 'head'),
    bodySnippet: await snippetFrom(context, 'body'),
  }
  return withoutUndefined(given)
}

function zoneFrom(given: string): string {
  const zone = readTimeZone(given)
  if (zone === null) throw new UsageError('--time-zone must be a name of the IANA database, e.g. Europe/Berlin or UTC')
  return zone
}

function baseUrl(name: string, given: string): string {
  const usable = usableBaseUrl(given)
  if (usable === null || !isWebAddress(usable))
    throw new UsageError(
      `--${name} must be an http or https URL of at most ${fieldMax.url} characters without a query, or none`,
    )
  return usable
}

function menuItem(given: string): MenuItem {
  const [, label = '', target = ''] = /^([^=]+)=(.+)$/s.exec(given) ?? []
  const material = /^material:(.+)$/s.exec(target)?.[1]
  if (label.trim() === '' || label.length > 200 || (material === undefined && !isMenuAddress(target)))
    throw new UsageError(`--menu must be LABEL=ADDRESS or LABEL=material:ID: ${given}`)
  return {
    label: label.trim(),
    target: material === undefined ? { url: target } : { material },
  }
}

/** Markup, or the content of a file. */
async function snippetFrom(context: Context, name: string): Promise<string | undefined> {
  const given = text(context, name)
  if (given === null) return undefined
  const markup = given === 'none' ? '' : given.startsWith('@') ? await givenFile(given.slice(1), 'the file') : given
  if (markup.length > 100_000) throw new UsageError(`--${name} must have at most 100000 characters`)
  return markup
}

/** An empty value clears the setting. */
function settingsFrom(given: readonly string[] | null): ThemeSettings | null {
  if (given === null) return null
  return Object.fromEntries(
    given.map((setting) => {
      const [, key, value = ''] = /^([A-Za-z][\w-]{0,63})=(.*)$/s.exec(setting) ?? []
      if (key === undefined || value.length > 10_000) throw new UsageError(`--theme-setting must be K=V: ${setting}`)
      return [key, value]
    }),
  )
}

const merged = (before: ThemeSettings, given: ThemeSettings): ThemeSettings =>
  Object.fromEntries(Object.entries({ ...before, ...given }).filter(([key]) => given[key] !== ''))

/** The settings as specified in docs/api.md, section 5. */
const settingsJson = (site: SiteId, settings: SitePublishing) => ({
  site,
  outgoing: settings.outgoing,
  home: settings.home,
  language: settings.language,
  time_zone: settings.timeZone,
  base_url: settings.baseUrl,
  description: settings.description,
  theme: settings.theme,
  theme_settings: settings.themeSettings,
  menu: settings.menu.map(({ label, target }) => ({ label, ...target })),
  footer: settings.footer,
  posts_per_page: settings.postsPerPage,
  head: settings.headSnippet,
  body: settings.bodySnippet,
})

const described = (json: ReturnType<typeof settingsJson>): string =>
  Object.entries(json)
    .map(([name, value]) => {
      const shown = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')
      return printable(`${name.replaceAll('_', ' ').padEnd(20)}${shown}`)
    })
    .join('\n')
