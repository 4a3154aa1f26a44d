import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'

import { usableBaseUrl } from '../../../contract/domain/bundle/base-url.ts'
import { describeExportFailure } from '../../../contract/domain/bundle/failure.ts'
import { outgoingRules } from '../../../contract/domain/outgoing.ts'
import { isMenuAddress, isWebAddress } from '../../../contract/domain/site-model-fields.ts'
import type { MenuItem, SitePublishing, ThemeSettings } from '../../../contract/domain/site-model.ts'
import { isThemeName } from '../../../contract/domain/site-model.ts'
import { readTimeZone } from '../../../contract/domain/time-zone.ts'
import type { SiteId } from '../../../contract/ids.ts'
import { withoutUndefined } from '../../../contract/without-undefined.ts'
import { blobsOf } from '../../use-cases/exporting/library-source.ts'
import { storeTheme } from '../../use-cases/exporting/store-theme.ts'
import { folderSources, themeSources } from '../../use-cases/exporting/theme-choice.ts'
import type { Command, Context } from './command.ts'
import { CommandFailure, UsageError, oneOf, orNone, text, texts, textsOrNone, wholeNumber } from './command.ts'
import { givenFile } from './given-text.ts'
import { atMost, language } from './page.ts'
import { knownSite } from './site.ts'
import { printable } from './table.ts'

export const sitePublishing: Command = {
  name: 'site publishing',
  usage:
    'SITE [--home listing|MATERIAL] [--language L] [--time-zone Z] [--base-url U|none] [--theme NAME|DIR] [--theme-setting K=V]... ' +
    '[--outgoing all|not-rejected|approved] [--description T|none] [--menu LABEL=ADDRESS|LABEL=material:ID|none]... ' +
    '[--footer T|none] [--posts-per-page N] [--head HTML|@FILE|none] [--body HTML|@FILE|none]',
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
  },
  async run(context) {
    const requested = await requestedSettings(context)
    const theme = await themeFrom(context)
    const themeSettings = settingsFrom(texts(context, 'theme-setting'))
    const site = await knownSite(context)
    const { index, vault } = await context.galley()
    const { publishing, materials, commit } = index
    const linked = (requested.menu ?? []).flatMap(({ target }) => ('material' in target ? [target.material] : []))
    const home = requested.home === undefined || requested.home === 'listing' ? [] : [requested.home]
    const unknown = [...home, ...linked].find((materialId) => materials.find(site.id, materialId) === null)
    if (unknown !== undefined)
      throw new CommandFailure('unknown_material', `There is no material ${unknown}. Nothing was changed.`)
    const changes = (): Partial<SitePublishing> => ({
      ...requested,
      ...(themeSettings !== null && { themeSettings: merged(publishing.of(site.id).themeSettings, themeSettings) }),
    })
    const all = (): SitePublishing => ({ ...publishing.of(site.id), ...changes() })
    if (theme !== null || themeSettings !== null)
      await mustWork(
        context,
        theme?.sources ?? themeSources(context.line.themesFolder, publishing.of(site.id).theme),
        all(),
      )
    if (theme?.folder) {
      const stored = await storeTheme({ index, vault }, site.id, theme.folder, changes)
      if (!stored.ok) throw new UsageError(describeExportFailure(stored.failure))
    }
    // Without settings it only shows, also in a member that cannot write.
    else if (theme !== null || themeSettings !== null || Object.keys(requested).length > 0)
      await commit.write(() => publishing.change(site.id, { ...changes(), ...(theme && { theme: theme.name }) }))
    const json = settingsJson(site.id, publishing.of(site.id))
    return { json, text: described(json) }
  },
}

/** Refuses a theme, or a setting of it, with which no page can be made. */
async function mustWork(context: Context, sources: readonly string[], publishing: SitePublishing): Promise<void> {
  const { checkTheme } = await import('../../use-cases/exporting/theme-check.ts')
  const { problem } = await checkTheme({ sources, publishing }, blobsOf(await context.galley()))
  if (problem !== null) throw new UsageError(describeExportFailure({ kind: 'invalid_theme', ...problem }))
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
    description: orNone(context, 'description', atMost(1000)),
    menu: textsOrNone(context, 'menu')?.map(menuItem),
    footer: orNone(context, 'footer', atMost(2000)),
    postsPerPage: wholeNumber(context, 'posts-per-page', 1, 1000) ?? undefined,
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
    throw new UsageError(`--${name} must be an http or https URL of at most 2000 characters without a query, or none`)
  return usable
}

interface GivenTheme {
  readonly name: string
  /** The folder of a person's theme, relative to the working directory; null for one of Galley's. */
  readonly folder: string | null
  readonly sources: readonly string[]
}

async function themeFrom(context: Context): Promise<GivenTheme | null> {
  const name = text(context, 'theme')
  if (name === null) return null
  const { themesFolder } = context.line
  if (isThemeName(name) && (await isFolder(join(themesFolder, name))))
    return { name, folder: null, sources: themeSources(themesFolder, name) }
  const folder = resolve(name)
  if (!(await isFolder(folder))) throw new UsageError(`--theme: ${name} is neither a theme of Galley nor a folder`)
  return { name, folder, sources: folderSources(themesFolder, folder) }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

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
function settingsFrom(given: readonly string[] | null): ReadonlyMap<string, string | number | boolean> | null {
  if (given === null) return null
  return new Map(
    given.map((setting) => {
      const [, key, value = ''] = /^([A-Za-z][\w-]{0,63})=(.*)$/s.exec(setting) ?? []
      if (key === undefined || value.length > 10_000) throw new UsageError(`--theme-setting must be K=V: ${setting}`)
      return [key, valueOf(value)]
    }),
  )
}

/** A number only as a number is written: `007` and `1.50` are texts, which the theme reads as its setting wants them. */
const valueOf = (text: string): string | number | boolean => {
  if (text === 'true' || text === 'false') return text === 'true'
  const value = Number(text)
  return Number.isFinite(value) && String(value) === text ? value : text
}

const merged = (before: ThemeSettings, given: ReadonlyMap<string, string | number | boolean>): ThemeSettings =>
  Object.fromEntries([...Object.entries(before), ...given].filter(([key]) => given.get(key) !== ''))

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
