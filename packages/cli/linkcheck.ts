import { statSync } from 'node:fs'
import type { LinkReport } from '@galley/library/records'
import { counted, isSystemError, shownCode } from '@galley/platform'
import { checkOutside, librarySource, loadExport, loadFolderCheck, themeSources, unwatched } from '@galley/sites'
import { usableBaseUrl } from '@galley/sites/bundle'
import type { OutsideLink } from '@galley/sites/bundle'
import { reachOf } from '@galley/wire'

import type { Context } from './command.ts'
import { CommandFailure, command, failed, positional } from './command.ts'
import { brokenLine, linksJson, moreBrokenLines } from './export.ts'
import { UsageError, flag, parsed } from './option.ts'
import { unknownSite } from './site.ts'

type Checked = LinkReport & { readonly pages: number; readonly skipped?: readonly string[] }
type Collect = ((link: OutsideLink) => void) | null

export const linkcheck = command({
  name: 'linkcheck',
  summary: 'check the links of a site as it would be exported, or of a folder',
  positionals: { 'SITE|DIR': 'the ID of a site, or a folder of HTML files; ./NAME is always a folder' },
  options: {
    baseUrl: {
      ...parsed('URL', 'where the pages will be', 'https://acme.example', baseUrlFrom),
      default: 'that of the site',
    },
    outside: flag('also ask other sites'),
  },
  examples: ['acme --outside', './public --base-url https://acme.example'],
  async run(context, { baseUrl, outside: asksOutside }) {
    const outside: OutsideLink[] = []
    const collect = asksOutside ? (link: OutsideLink): void => void outside.push(link) : null
    const inside = await checked(context, baseUrl, collect)
    const found = await checkOutside(outside, {
      network: context.network,
      readers: inside.baseUrl === null ? 'public' : reachOf(new URL(inside.baseUrl).hostname),
      signal: context.interrupted,
    })
    const broken = [...inside.broken, ...found]
    const { pages, skipped = [] } = inside
    const all = inside.checked + new Set(outside.map(({ page, ref }) => `${page} ${ref}`)).size
    return {
      json: { pages, ...linksJson({ ...inside, checked: all, broken }), ...(skipped.length > 0 && { skipped }) },
      text: [
        `${counted(pages, 'page')}, ${counted(all, 'link')} checked, ${broken.length + (inside.more ?? 0)} broken`,
        ...broken.map(brokenLine),
        ...moreBrokenLines(inside),
        ...skipped.map((path) => `  ${path}: too large, not checked`),
      ].join('\n'),
      exitCode: broken.length > 0 ? 1 : 0,
    }
  },
})

function baseUrlFrom(name: string, given: string): string {
  const usable = usableBaseUrl(given)
  if (usable === null) throw new UsageError(`--${name} must be an http or https URL without a query`)
  return usable
}

/** A site takes precedence over a folder of the same name. `./NAME` always means the folder. */
async function checked(
  context: Context,
  baseUrl: string | null,
  collect: Collect,
): Promise<Checked & { readonly baseUrl: string | null }> {
  const name = positional(context, 0)
  const isPath = /[\\/.]/.test(name)
  const site = isPath ? null : await (await context.galley()).sites.find(name)
  if (!site) {
    if (statSync(name, { throwIfNoEntry: false })?.isDirectory() === true)
      return { ...(await folder(context, name, baseUrl, collect)), baseUrl }
    throw isPath ? new UsageError(`There is no folder ${name}.`) : unknownSite(name)
  }
  const galley = await context.galley()
  const choice = { materials: [], pins: new Map<string, string>(), at: galley.now() }
  const source = await librarySource(galley.index, galley.vault, site, choice)
  if (!source.ok) throw failed(source.failure)
  const { publishing } = source.value.site
  const base = baseUrl ?? publishing.baseUrl
  const options = {
    baseUrl: base,
    check: 'warn',
    themes: themeSources(context.line.themesFolder, publishing.theme),
  } as const
  const { prepareBundle } = await loadExport()
  const prepared = await prepareBundle(source.value, { ...options, ...(collect && { onOutside: collect }) }, unwatched)
  if (!prepared.ok) throw failed(prepared.failure)
  const { files, links } = prepared.value.bundle
  return { ...links, pages: files.filter(({ path }) => path.endsWith('.html')).length, baseUrl: base }
}

async function folder(context: Context, name: string, baseUrl: string | null, collect: Collect): Promise<Checked> {
  const { checkFolder } = await loadFolderCheck()
  try {
    return await checkFolder(name, { baseUrl, signal: context.interrupted, ...(collect && { onOutside: collect }) })
  } catch (error) {
    if (isSystemError(error)) throw new CommandFailure('io_failed', `The folder cannot be read (${shownCode(error)}).`)
    throw error
  }
}
