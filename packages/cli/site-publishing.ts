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

import type { Context } from './command.ts'
import { command } from './command.ts'
import { givenFile } from './given-text.ts'
import { givenTheme } from './given-theme.ts'
import { unknownMaterial } from './material.ts'
import type { Values } from './option.ts'
import { UsageError, atMost, choice, orNone, parsed, several, severalOrNone, text, wholeNumber } from './option.ts'
import { language } from './page.ts'
import { knownSite, ofSite } from './site.ts'
import { printable } from './table.ts'

const options = {
  home: text('listing|MATERIAL', 'the home page: the list of posts, or a material', 'welcome'),
  language: parsed('LANGUAGE', 'the language of its pages', 'pt-BR', language),
  timeZone: parsed('ZONE', 'where its days begin', 'Europe/Berlin', zoneFrom),
  baseUrl: orNone(parsed('URL', 'where its pages will be', 'https://acme.example', baseUrl)),
  theme: text('NAME|DIR', 'a theme of Galley, or the folder of another one, which is stored with the site', 'magazine'),
  themeSetting: several(
    parsed('KEY=VALUE', 'a setting of the theme; an empty value clears it', 'accent=teal', settingFrom),
  ),
  outgoing: choice(outgoingRules, 'which version of a material is published'),
  description: orNone(parsed('TEXT', 'a description for search engines', '"Walks"', atMost(fieldMax.description))),
  menu: severalOrNone(
    parsed('LABEL=ADDRESS|LABEL=material:ID', 'an entry of its menu', 'About=material:about', menuItem),
  ),
  footer: orNone(parsed('TEXT', 'the last line of each page', '"Acme, 2026"', atMost(fieldMax.footer))),
  postsPerPage: wholeNumber(1, fieldMax.postsPerPage, 'how many posts a page of the list has', 20),
  head: text('HTML|@FILE|none', 'code at the end of the head of each page', '@head.html'),
  body: text('HTML|@FILE|none', 'code at the end of each page', '@body.html'),
  editLink: orNone(
    parsed('URL', 'where its authors edit a material', '"https://cms.example/edit/{material_id}"', editLinkFrom),
  ),
}

export const sitePublishing = command({
  name: 'site publishing',
  summary: 'show or set how a site is published',
  positionals: ofSite,
  options,
  examples: ['acme', 'acme --theme magazine --base-url https://acme.example'],
  async run(context, { editLink, theme: named, themeSetting, ...others }) {
    const requested = await requestedSettings(others)
    const theme = await givenTheme(context, named)
    const given = themeSetting.length === 0 ? null : Object.fromEntries(themeSetting)
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
})

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

async function requestedSettings({
  home,
  language: named,
  timeZone,
  outgoing,
  postsPerPage,
  head,
  body,
  ...clearable
}: Omit<Values<typeof options>, 'editLink' | 'theme' | 'themeSetting'>): Promise<Partial<SitePublishing>> {
  const given: { readonly [Key in keyof SitePublishing]?: SitePublishing[Key] | undefined } = {
    ...clearable,
    home: home ?? undefined,
    language: named ?? undefined,
    timeZone: timeZone ?? undefined,
    outgoing: outgoing ?? undefined,
    postsPerPage: postsPerPage ?? undefined,
    headSnippet: await snippetFrom('head', head),
    bodySnippet: await snippetFrom('body', body),
  }
  return withoutUndefined(given)
}

function zoneFrom(name: string, given: string): string {
  const zone = readTimeZone(given)
  if (zone === null) throw new UsageError(`--${name} must be a name of the IANA database, e.g. Europe/Berlin or UTC`)
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

function menuItem(name: string, given: string): MenuItem {
  const [, label = '', target = ''] = /^([^=]+)=(.+)$/s.exec(given) ?? []
  const material = /^material:(.+)$/s.exec(target)?.[1]
  if (label.trim() === '' || label.length > 200 || (material === undefined && !isMenuAddress(target)))
    throw new UsageError(`--${name} must be LABEL=ADDRESS or LABEL=material:ID: ${given}`)
  return {
    label: label.trim(),
    target: material === undefined ? { url: target } : { material },
  }
}

/** Markup, or the content of a file. */
async function snippetFrom(name: string, given: string | null): Promise<string | undefined> {
  if (given === null) return undefined
  const markup = given === 'none' ? '' : given.startsWith('@') ? await givenFile(given.slice(1), 'the file') : given
  if (markup.length > 100_000) throw new UsageError(`--${name} must have at most 100000 characters`)
  return markup
}

/** An empty value clears the setting. */
function settingFrom(name: string, given: string): readonly [key: string, value: string] {
  const [, key, value = ''] = /^([A-Za-z][\w-]{0,63})=(.*)$/s.exec(given) ?? []
  if (key === undefined || value.length > 10_000) throw new UsageError(`--${name} must be K=V: ${given}`)
  return [key, value]
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
