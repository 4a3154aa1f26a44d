import { join } from 'node:path'
import type { Agent } from 'undici'

import type { Target } from '../../../contract/domain/target.ts'
import type { Site } from '../../../contract/domain/site.ts'
import type { Result } from '../../../contract/result.ts'
import { fail, ok } from '../../../contract/result.ts'
import type { Index } from '../../library/db/library-index.ts'
import type { SiteSecrets } from '../../library/secrets/site-secrets.ts'
import type { Vault } from '../../library/vault/vault.ts'
import { serviceAgents } from '../../platform/network/http-client.ts'
import type { TaskContext } from '../../platform/tasks/tasks.ts'
import type { Background } from '../../platform/threads/background.ts'
import { answerFrom } from '../exporting/in-background.ts'
import type { LibrarySource } from '../exporting/library-source.ts'
import { librarySource } from '../exporting/library-source.ts'
import { recordPublication, startPublication } from '../exporting/publication.ts'
import type { PublishFailure } from './failure.ts'
import { createConnections } from './connections.ts'
import type { ReleaseJobs } from './prepare.ts'
import type { Published, PublishPorts } from './publish.ts'
import { alone, filesOf, historyOf, publishTo } from './publish.ts'
import { createTargetSettings } from './target-settings.ts'
import { createTextStore } from './text-store.ts'

export interface ReleasingPorts {
  /** The library folder. */
  readonly folder: string
  readonly index: Index
  readonly vault: Vault
  readonly secrets: SiteSecrets
  readonly background: Background<ReleaseJobs>
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly now: () => Date
  readonly retryWaitsMs?: readonly number[] | undefined
}

export interface PublishWish {
  readonly site: Site
  readonly target: Target
  /** The folders of the theme that a site has chosen, as an export takes them. */
  readonly themesOf: (theme: string) => readonly string[]
  readonly by: 'person' | 'schedule'
  readonly isDryRun?: boolean
}

/** A publication, with the versions that it left out. */
export type PublishedSite = Published & Pick<LibrarySource, 'leftOut' | 'rejectedPins'>

/** Publishes the sites of a library to their targets. */
export function createReleasing(ports: ReleasingPorts) {
  const { folder, index, vault, secrets, background, environment, now } = ports
  const waitsMs = ports.retryWaitsMs ?? [500, 2_000]
  const textsFolder = join(folder, 'releases')
  const texts = createTextStore(textsFolder)
  const settings = createTargetSettings(index, secrets)
  const agents = serviceAgents({ connectTimeout: 10_000, keepAliveTimeout: 10_000 })
  // A person entered these addresses, so private networks are allowed.
  const agentOf = (url: string): Promise<Agent> => agents.for({ environment: 'dev' }, new URL(url).hostname)
  const connections = createConnections({ secrets, environment, agentOf, settings: index.settings, waitsMs })
  const publishing: PublishPorts = {
    ...{ index, vault, texts, now, waitsMs },
    connect: connections.connect,
    publicAgent: agentOf,
  }

  /** Runs as the only one to a target whose address was confirmed. */
  async function onTarget<Value>(
    target: Target,
    work: () => Promise<Result<Value, PublishFailure>>,
  ): Promise<Result<Value, PublishFailure>> {
    if (!settings.isConfirmed(target)) return fail({ kind: 'target_unconfirmed', target: target.name })
    return alone(target, work)
  }

  return {
    targets: settings,
    check: connections.check,
    history: (target: Target) => historyOf(index, target),

    /** Makes the bundle of a site and brings a target to it. */
    publish: (
      { site, target, themesOf, by, isDryRun = false }: PublishWish,
      context: TaskContext,
    ): Promise<Result<PublishedSite, PublishFailure>> =>
      onTarget(target, async () => {
        const choose = isDryRun ? librarySource : startPublication
        const source = await choose(index, vault, site, { materials: [], pins: new Map(), at: now() })
        if (!source.ok) throw new Error('A version that goes out is not there')
        const { site: about, pages, fonts, leftOut, rejectedPins } = source.value
        const { publishing: said } = about
        const baseUrl = target.publicUrl === null ? said.baseUrl : `${target.publicUrl}/`
        const prepared = await background.run(
          'prepareRelease',
          {
            source: { site: about, pages, fonts },
            options: { baseUrl, check: 'warn', themes: themesOf(said.theme) },
            textsFolder,
          },
          { ...context, answer: answerFrom({ index, vault }, source.value) },
        )
        if (!prepared.ok) return prepared
        const published = await publishTo(
          target,
          { ...prepared.value, rollbackOf: null, by, isDryRun },
          publishing,
          context,
        )
        if (!published.ok) return published
        if (!isDryRun) await recordPublication(index, site.id, source.value)
        return ok({ ...published.value, leftOut, rejectedPins })
      }),

    /** Brings a target to the files of an earlier release of it, byte for byte. */
    rollBack: (
      { target, release: wanted, isDryRun = false }: { target: Target; release: string; isDryRun?: boolean },
      context: TaskContext,
    ): Promise<Result<Published, PublishFailure>> =>
      onTarget(target, async () => {
        const release = historyOf(index, target).find(({ id }) => id === wanted)
        if (!release) return fail({ kind: 'unknown_release', release: wanted })
        const files = release.isKept ? await filesOf(release, publishing) : null
        if (files === null) return fail({ kind: 'release_not_kept', release: wanted })
        const pages = release.pages.map((page) => ({ ...page, path: '', title: '' }))
        return publishTo(
          target,
          { files, pages, links: null, rollbackOf: release.id, by: 'person', isDryRun },
          publishing,
          context,
        )
      }),

    close: (): Promise<void> => agents.destroy(),
  }
}
