import { setFlagsFromString } from 'node:v8'
import { brokenCode, describeBrokenReason, describePageNote } from '@galley/library/records'
import type { BrokenLink, LinkReport, PageNote } from '@galley/library/records'
import { counted } from '@galley/platform'
import type {
  BundleReport,
  Choices,
  ExportJob,
  ExportTarget,
  LibrarySource,
  PublishFailure,
  PublishOptions,
} from '@galley/sites'
import { loadExport, recordPublication, startPublication, themeSources, watchFor } from '@galley/sites'
import type { MaterialId } from '@galley/wire'
import { failureWords } from '@galley/wire'

import type { Context } from './command.ts'
import { CommandFailure, command, failed } from './command.ts'
import { givenTheme } from './given-theme.ts'
import { UsageError, byDefault, choice, flag, needed, several, text } from './option.ts'
import { knownSite, ofSite } from './site.ts'
import { printable } from './table.ts'

export const checkOption = choice(
  ['warn', 'block', 'off'],
  'whether broken links are named, stop the command before anything is written, or are not looked for',
)
export const themeOption = {
  ...text('NAME|DIR', 'a theme of Galley, or the folder of another one', 'magazine'),
  default: 'that of the site',
}

export const exportSite = command({
  name: 'export',
  summary: 'export a site as static pages to a folder or a ZIP file',
  positionals: ofSite,
  options: {
    out: needed(text('DIR|FILE.zip', 'a folder, or a file name that ends with .zip', 'site.zip')),
    material: several(text('ID', 'export only this material', 'post')),
    pin: several(text('ID=VERSION', 'export this version of a material', 'post=v1')),
    baseUrl: { ...text('URL', 'where the pages will be', 'https://acme.example'), default: 'that of the site' },
    theme: themeOption,
    check: byDefault(checkOption, 'warn'),
    verify: flag('read every file again after it was written'),
  },
  examples: ['acme --out site.zip', 'acme --out public --base-url https://acme.example --check block'],
  async run(context, { out, material: materials, check, verify, ...given }) {
    keepHeapSmall()
    const pins = pinsFrom(given.pin)
    const stray = materials.length === 0 ? undefined : [...pins.keys()].find((id) => !materials.includes(id))
    if (stray !== undefined) throw new UsageError(`--pin ${stray}: add --material ${stray}, or leave out --material`)
    const site = await knownSite(context)
    const galley = await context.galley()
    const target: ExportTarget = out.toLowerCase().endsWith('.zip')
      ? { kind: 'zip', file: out }
      : { kind: 'folder', directory: out }
    const source = await startPublication(galley.index, galley.vault, site, {
      materials,
      pins,
      at: galley.now(),
    })
    if (!source.ok) throw failed(source.failure)
    letHeapGrow(source.value)
    logNeverSaved(context, materials, source.value)
    const { publishing } = source.value.site
    const baseUrl = given.baseUrl ?? publishing.baseUrl
    const { themesOf, ...theme } = await themeFrom(context, given.theme)
    const job: ExportJob = {
      source: source.value,
      target,
      options: {
        baseUrl,
        check,
        themes: themesOf(publishing.theme),
        verify,
        ...theme,
      },
      watch: watchFor(context.interrupted, () => undefined),
    }
    const report = await runExport(job, { ...given, out })
    await recordPublication(galley.index, site.id, source.value)
    const json = reportJson(report, { ...source.value, baseUrl })
    const broken = [...report.links.broken.map(brokenLine), ...moreBrokenLines(report.links)]
    const counts = `${counted(report.files, 'file')}: ${report.added} added, ${report.changed} changed, ${report.removed} removed, ${report.unchanged} unchanged`
    return {
      json,
      text: [
        counts,
        ...verifiedLines(report),
        ...choiceLines({ ...source.value, baseUrl }),
        ...noteLines(report.noted),
        ...(broken.length > 0 ? ['Broken links:', ...broken] : []),
      ].join('\n'),
    }
  },
})

/** Reports materials that were requested by name and have no version. */
function logNeverSaved(context: Context, materials: readonly string[], { pages, leftOut }: LibrarySource): void {
  const said = new Set<string>([...pages, ...leftOut].map(({ materialId }) => materialId))
  const never = materials.filter((id) => !said.has(id))
  if (never.length > 0 && never.length === materials.length)
    throw new CommandFailure(
      'never_saved',
      `${never.join(', ')}: never saved, so there is nothing to export. Nothing was written.`,
    )
  for (const id of never) context.log(printable(`${id} was never saved, so it is not exported.`))
}

/** Called before a site is read. */
export function keepHeapSmall(): void {
  // Most objects are short-lived: a young generation that grows takes 100 MB more and saves no time.
  setFlagsFromString('--semi-space-growth-factor=1')
  // Little of a large site is kept: garbage may add half of that, not three times as much, before it is collected.
  setFlagsFromString('--heap-growing-percent=50')
}

/** Up to this many pages, an export needs far less memory than its limit. */
const fewPages = 2000

/** Called before a site is rendered: in a small heap, collecting garbage often takes a fifth of an export. */
function letHeapGrow({ pages }: Pick<LibrarySource, 'pages'>): void {
  // 0 restores V8's own rule.
  if (pages.length <= fewPages) setFlagsFromString('--heap-growing-percent=0')
}

/** The theme of the site, or the one in `--theme`, to which the site's settings do not apply. */
export async function themeFrom(
  context: Context,
  theme: string | null,
): Promise<Pick<PublishOptions, 'themesOf' | 'themeSettings'>> {
  const given = await givenTheme(context, theme)
  return given === null
    ? { themesOf: (chosen) => themeSources(context.line.themesFolder, chosen) }
    : { themesOf: () => given.sources, themeSettings: {} }
}

/** What the options said that can be wrong only once the bundle is made. */
interface GivenChoices {
  readonly out?: string
  readonly baseUrl?: string | null
  readonly theme?: string | null
}

/** A failed export or publication: wrong usage if an option is wrong, but not if a setting of the site is. */
export function bundleFailure({ out, baseUrl, theme }: GivenChoices, failure: PublishFailure): Error {
  const given: Readonly<Partial<Record<PublishFailure['code'], string | null | undefined>>> = {
    not_ours: out,
    invalid_base_url: baseUrl,
    invalid_theme: theme,
  }
  return (given[failure.code] ?? null) === null ? failed(failure) : new UsageError(failureWords(failure))
}

/** A page, and what its author should know. */
interface Noted {
  readonly materialId: MaterialId
  readonly notes: readonly PageNote[]
}

type Reported = BundleReport & { readonly noted: readonly Noted[] }

/** Runs an export and converts its failures for the command line. */
export async function runExport(job: ExportJob, given: GivenChoices): Promise<Reported> {
  const { exportBundle } = await loadExport()
  const done = await exportBundle(job)
  if (!done.ok) throw bundleFailure(given, done.failure)
  return { ...done.value.report, noted: done.value.pages }
}

function verifiedLines({ verified }: BundleReport): readonly string[] {
  if (verified === undefined) return []
  const { files, wrong } = verified
  return wrong.length === 0
    ? [`${counted(files, 'file')} verified.`]
    : ['Damaged files were written again:', ...wrong.map((path) => `  ${path}`)]
}

const leftOutWords: Record<LibrarySource['leftOut'][number]['reason'], string> = {
  rejected: 'changes requested',
  not_approved: 'not approved',
  archived: 'archived',
  pinned: 'another version is chosen',
  draft: 'a draft',
  scheduled: 'scheduled for later',
}

/** What is not exported, and what is exported although changes were requested. */
export const choiceLines = ({
  leftOut,
  rejectedPins,
  rejectedByRule,
  missingHome,
  baseUrl,
}: Choices): readonly string[] =>
  [
    ...leftOut.map(
      ({ materialId, versionId, reason, insteadVersionId }) =>
        `Not exported: ${materialId}, version ${versionId} (${leftOutWords[reason]}); ${
          insteadVersionId === null ? 'no version of it is exported' : `version ${insteadVersionId} is exported instead`
        }`,
    ),
    ...rejectedPins.map(
      ({ materialId, versionId }) =>
        `Changes requested, but exported because of --pin: ${materialId}, version ${versionId}`,
    ),
    ...rejectedByRule.map(
      ({ materialId, versionId }) =>
        `Changes requested, but exported because the site exports all versions: ${materialId}, version ${versionId}`,
    ),
    ...(missingHome === null
      ? []
      : [`The home page ${missingHome} is not in this export; the list of posts is the home page.`]),
    ...(baseUrl === null ? ['No base URL is set, so there is no sitemap and no feed.'] : []),
  ].map(printable)

/** `place` is line, column and element, as in `12:8 a[href]`; null if unknown. */
const brokenJson = ({ page, ref, reason, place }: BrokenLink) => ({
  page,
  ref,
  reason: describeBrokenReason(reason),
  code: brokenCode(reason),
  place: place ? [`${place.line}:${place.column}`, ...(place.element === null ? [] : [place.element])].join(' ') : null,
})

/** `more_broken`: how many more are broken than are named. */
export const linksJson = ({ checked, broken, more }: LinkReport) => ({
  checked,
  broken: broken.map(brokenJson),
  ...(more !== undefined && { more_broken: more }),
})

export const moreBrokenLines = ({ more }: LinkReport): readonly string[] =>
  more === undefined ? [] : [`  and ${counted(more, 'more broken link')}`]

export function brokenLine(link: BrokenLink): string {
  const { page, ref, reason, place } = brokenJson(link)
  return printable(`  ${page}${place === null ? '' : `:${place}`}: ${ref} (${reason})`)
}

/** The report as specified in docs/api.md, sections 2 and 5. */
export const reportJson = (
  { files, added, changed, removed, unchanged, bytes, sha256, links, verified, noted }: Reported,
  choices: Choices,
) => ({
  files,
  added,
  changed,
  removed,
  unchanged,
  bytes,
  sha256,
  links: linksJson(links),
  ...choicesJson(choices, noted),
  ...(verified && { verified }),
})

/** What a bundle leaves out, and what its publisher should know. */
export const choicesJson = (
  { leftOut, rejectedPins, rejectedByRule, missingHome, baseUrl }: Choices,
  noted: readonly Noted[],
) => ({
  left_out: leftOut.map(({ materialId, versionId, reason, insteadVersionId }) => ({
    material_id: materialId,
    version_id: versionId,
    reason,
    instead: insteadVersionId,
  })),
  notes: [
    ...rejectedPins.map((version) => versionNote('pinned_version_rejected', version)),
    ...rejectedByRule.map((version) => versionNote('version_rejected', version)),
    ...(missingHome === null ? [] : [{ code: 'home_left_out', material_id: missingHome }]),
    ...(baseUrl === null ? [{ code: 'no_base_url' }] : []),
    ...noteJson(noted),
  ],
})

export const noteJson = (noted: readonly Noted[]) =>
  noted.flatMap(({ materialId, notes }) =>
    notes.map(({ code, ...facts }) => ({ code, material_id: materialId, ...facts })),
  )

export const noteLines = (noted: readonly Noted[]): readonly string[] =>
  noted.flatMap(({ materialId, notes }) => notes.map((note) => printable(`${materialId}: ${describePageNote(note)}`)))

const versionNote = (code: string, { materialId, versionId }: LibrarySource['rejectedPins'][number]) => ({
  code,
  material_id: materialId,
  version_id: versionId,
})

function pinsFrom(given: readonly string[]): ReadonlyMap<string, string> {
  const pins = new Map<string, string>()
  for (const pin of given) {
    // Material ids may contain an equals sign. Version ids come from the service and do not.
    const at = pin.lastIndexOf('=')
    if (at < 1 || at === pin.length - 1) throw new UsageError('--pin must be MATERIAL=VERSION')
    const materialId = pin.slice(0, at)
    if (pins.has(materialId)) throw new UsageError(`--pin names ${materialId} twice`)
    pins.set(materialId, pin.slice(at + 1))
  }
  return pins
}
