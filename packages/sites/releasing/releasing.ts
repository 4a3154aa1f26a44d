import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { IndexReads, IndexWith, OpenedLibrary, SiteSecrets, TaskContext, Vault } from '@galley/library'
import type { Site, Target, ThemeSettings, VerdictKind } from '@galley/library/records'
import { inSlices, recordSteps, temporaryFolder } from '@galley/platform'
import type { Background, Network } from '@galley/platform'
import type { MaterialId, Result, VersionId } from '@galley/wire'
import { fail, ok } from '@galley/wire'
import type { Agent } from 'undici'

import type { ExportOptions } from '../exporting/export-bundle.ts'
import { answerFrom, jobSource } from '../exporting/in-background.ts'
import type { Choices } from '../exporting/library-source.ts'
import { librarySource } from '../exporting/library-source.ts'
import { recordPublication, startPublication } from '../exporting/publication.ts'
import { baseUrlRemarks, createConnections } from './connections.ts'
import type { PublishFailure } from './failure.ts'
import { ofPublishing } from './failure.ts'
import { collectShared } from './kept-texts.ts'
import type { ReleaseJobs } from './prepare.ts'
import type { Permits, Published, PublishPorts } from './publish.ts'
import { withPublishLock, filesOf, historyOf, publishTo } from './publish.ts'
import { readRecord } from './release-record.ts'
import type { TargetState } from './target-notes.ts'
import { contentInSteps, createTargetNotes } from './target-notes.ts'
import { createTargetSettings } from './target-settings.ts'
import type { SharedTexts } from './text-store.ts'
import { createTextStore } from './text-store.ts'

export interface ReleasingPorts {
  /** The library folder. */
  readonly folder: string
  readonly index: IndexWith<
    'commit' | 'fields' | 'followTeam' | 'pages' | 'publishing' | 'releases' | 'settings' | 'targets'
  >
  readonly library: Pick<OpenedLibrary, 'state'>
  readonly vault: Vault
  readonly network: Network
  readonly secrets: SiteSecrets
  readonly background: Background<ReleaseJobs>
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly now: () => Date
  readonly retryWaitsMs?: readonly number[] | undefined
  readonly stallMs?: number | undefined
  /** The texts that the members of a team share; null without a team. */
  readonly sharedTexts: SharedTexts | null
}

export interface OnlyPage {
  readonly materialId: MaterialId
  readonly versionId: VersionId
}

export interface PublishOptions {
  readonly site: Site
  readonly target: Target
  /** The folders of a site's theme, as an export takes them. */
  readonly themesOf: (theme: string) => readonly string[]
  /** As for an export. */
  readonly themeSettings?: ThemeSettings
  readonly by: 'person' | 'schedule'
  /** Of all pages, only this one changes its version: the others stay as readers see them. */
  readonly only?: OnlyPage | undefined
  /** What broken references do; `warn` by default. */
  readonly check?: ExportOptions['check']
  readonly isDryRun?: boolean
  readonly permits?: Permits
}

/** A publication and what it left out. */
export type PublishedSite = Published & Choices & { readonly verdicts: ReadonlyMap<MaterialId, VerdictKind> }

/** Publishes the sites of a library to their targets. */
export function createReleasing(ports: ReleasingPorts) {
  const { folder, index, library, vault, secrets, environment, now } = ports
  const { retryWaitsMs: waitsMs = [500, 2_000], stallMs = 60_000 } = ports
  const textsFolder = join(folder, 'releases')
  const texts = createTextStore(textsFolder, ports.sharedTexts)
  const notes = createTargetNotes(index, now)
  const settings = createTargetSettings(index, secrets, { now, onLeft: notes.left })
  const agents = ports.network.agents({ keepAliveTimeout: 10_000 })
  // A person entered these addresses, so private networks are allowed.
  const agentOf = (url: string): Promise<Agent> => agents.for({ environment: 'dev' }, new URL(url).hostname)
  const shownOn = async (target: Target) => {
    const [latest] = index.releases.of(target.site, target.name, 1)
    const text = latest && (await texts.readHere(latest.record))
    return { files: (text && readRecord(text.toString())) ?? [], baseUrl: index.publishing.of(target.site).baseUrl }
  }
  const network = { agentOf, waitsMs, stallMs }
  const connections = createConnections({ ...network, secrets, environment, shownOn, settings: index.settings })
  const publishing: PublishPorts = {
    index,
    vault,
    texts,
    now,
    waitsMs,
    stallMs,
    connect: connections.connect,
    publicAgent: agentOf,
  }

  /** Runs alone on a target whose address was confirmed, and records the result. */
  async function onTarget<Value>(
    target: Target,
    isDryRun: boolean,
    work: () => Promise<Result<Value, PublishFailure>>,
  ): Promise<Result<Value, PublishFailure>> {
    if (!isDryRun && library.state === 'read_only') return fail({ code: 'library_read_only' })
    const isConfirmed = settings.isConfirmed(target)
    const ended = isConfirmed
      ? await withPublishLock(target, work)
      : fail({ code: 'target_unconfirmed', target: target.name } as const)
    const end = ended.ok ? ended : fail(ofPublishing(ended.failure))
    if (!isDryRun) notes.ended(target, end)
    return end
  }

  /** What would be published now. */
  async function contentNow(site: Site) {
    const choice = { materials: [], pins: new Map<string, string>(), at: now() }
    const source = await librarySource(index, vault, site, choice)
    if (!source.ok) throw new Error('A version that goes out is not there')
    return { source: source.value, contentOf: await inSlices(contentInSteps(source.value)) }
  }

  return {
    targets: settings,
    check: connections.check,
    history: (target: Target, limit?: number) => historyOf(publishing, target, limit),
    lastFailure: notes.lastFailure,

    /** Targets of one site, with whether each shows what would be published now. Runs in slices, because sites are large. */
    async targetStates(site: Site, targets: readonly Target[]): Promise<ReadonlyMap<string, TargetState>> {
      if (targets.every((target) => index.releases.of(site.id, target.name, 1).length === 0))
        return new Map(targets.map(({ name }) => [name, 'never']))
      const { source, contentOf } = await contentNow(site)
      return new Map(targets.map((target) => [target.name, notes.stateOf(target, source, contentOf)]))
    },

    /** Whether a person has rolled a target back from what would be published now. */
    async isTakenBack(site: Site, target: Target): Promise<boolean> {
      const { source, contentOf } = await contentNow(site)
      return notes.isTakenBack(target, source, contentOf)
    },

    /** Makes the bundle of a site and updates a target to match it. */
    publish: (
      { check = 'warn', isDryRun = false, ...options }: PublishOptions,
      context: TaskContext,
    ): Promise<Result<PublishedSite, PublishFailure>> =>
      onTarget(options.target, isDryRun, () =>
        withTextsFolder({ library, textsFolder }, (texts) =>
          publishSite({ ...options, check, isDryRun }, { ...ports, textsFolder: texts, publishing, notes }, context),
        ),
      ),

    /** Restores the files of an earlier release of a target, byte for byte. */
    rollBack: (rollback: Rollback, context: TaskContext): Promise<Result<Published, PublishFailure>> =>
      onTarget(rollback.target, rollback.isDryRun === true, () => rollBackTo(rollback, publishing, context)),

    /** Removes texts of former releases from the bucket of a team, or only counts them. Throws storage faults. */
    collectTexts: (isDryRun: boolean, signal: AbortSignal): Promise<number> =>
      collectShared(publishing, () => Promise.resolve(index.followTeam?.()), { isDryRun, signal }),

    close: (): Promise<void> => agents.destroy(),
  }
}

export type Releasing = ReturnType<typeof createReleasing>

interface Rollback {
  readonly target: Target
  /** The id of an earlier release. */
  readonly release: string
  readonly isDryRun?: boolean
  readonly permits?: Permits
}

async function rollBackTo(
  { target, release: wanted, isDryRun = false, permits = {} }: Rollback,
  publishing: PublishPorts,
  context: TaskContext,
): Promise<Result<Published, PublishFailure>> {
  const release = (await historyOf(publishing, target)).find(({ id }) => id === wanted)
  if (!release) return fail({ code: 'unknown_release', release: wanted })
  const files = release.isKept ? await filesOf(release, publishing) : null
  if (files === null) return fail({ code: 'release_not_kept', release: wanted })
  const unknown = { path: '', title: '', formerPaths: [], notes: [] }
  const pages = release.pages.map((page) => ({ ...page, ...unknown }))
  return publishTo(
    target,
    { files, pages, links: null, rollbackOf: release.id, by: 'person', isDryRun, permits },
    publishing,
    context,
  )
}

/** Passes on where the texts of a release go: to a temporary folder if the library cannot be written. */
async function withTextsFolder<Value>(
  { library, textsFolder }: Pick<ReleasingPorts, 'library'> & Pick<SitePorts, 'textsFolder'>,
  work: (folder: string) => Promise<Value>,
): Promise<Value> {
  if (library.state !== 'read_only') return work(textsFolder)
  const temporary = await temporaryFolder('galley-texts-')
  try {
    return await work(temporary)
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

interface SitePorts extends Pick<ReleasingPorts, 'index' | 'vault' | 'background' | 'now'> {
  readonly textsFolder: string
  readonly publishing: PublishPorts
  readonly notes: ReturnType<typeof createTargetNotes>
}

/** Makes the bundle of a site in a thread and updates a target to match it. */
async function publishSite(
  {
    site,
    target,
    themesOf,
    themeSettings,
    by,
    only,
    check,
    isDryRun,
    permits = {},
  }: PublishOptions & Required<Pick<PublishOptions, 'check' | 'isDryRun'>>,
  { index, vault, background, now, textsFolder, publishing, notes }: SitePorts,
  context: TaskContext,
): Promise<Result<PublishedSite, PublishFailure>> {
  const choose = isDryRun ? librarySource : startPublication
  const chosen = only === undefined ? { materials: [], pins: new Map<string, string>() } : alone(index, target, only)
  const source = await choose(index, vault, site, { ...chosen, at: now() })
  if (!source.ok) throw new Error('A version that goes out is not there')
  const stays = source.value.leftOut.find(({ materialId }) => materialId === only?.materialId)
  if (stays !== undefined) return fail({ code: stays.reason === 'scheduled' ? 'page_is_scheduled' : 'page_is_draft' })
  const { site: about, pages, leftOut, rejectedPins, rejectedByRule, missingHome } = source.value
  const { publishing: said } = about
  const baseUrl = target.publicUrl === null ? said.baseUrl : `${target.publicUrl}/`
  const options = { baseUrl, check, themes: themesOf(said.theme), ...(themeSettings && { themeSettings }) }
  const job = { source: jobSource(source.value), options, textsFolder }
  const answer = answerFrom({ index, vault }, source.value)
  const steps = recordSteps()
  const prepared = await steps.time('prepare', () => background.run('prepareRelease', job, { ...context, answer }))
  if (!prepared.ok) return prepared
  const wanted = { ...prepared.value, rollbackOf: null, by, isDryRun, permits }
  const published = await publishTo(target, wanted, publishing, context, steps)
  if (!published.ok) return published
  const { release } = published.value
  if (release !== null) {
    await recordPublication(index, site.id, source.value)
    notes.shows(target, release, (await inSlices(contentInSteps(source.value)))(target))
  }
  const verdicts = new Map(pages.map(({ materialId, version }) => [materialId, version.verdict]))
  const remarks = [...published.value.remarks, ...baseUrlRemarks(target, said.baseUrl)]
  return ok({ ...published.value, remarks, leftOut, rejectedPins, rejectedByRule, missingHome, baseUrl, verdicts })
}

/** The pages that readers of a target see, with another version of one of them; what the library no longer has is left out. */
function alone({ releases, versions }: IndexReads, { site, name }: Target, { materialId, versionId }: OnlyPage) {
  const shown = (releases.of(site, name, 1)[0]?.pages ?? []).filter(
    (page) => versions.parts(site, page.materialId, page.versionId) !== null,
  )
  const pins = new Map<string, string>(shown.map((page) => [page.materialId, page.versionId]))
  pins.set(materialId, versionId)
  return { materials: [...pins.keys()], pins }
}
