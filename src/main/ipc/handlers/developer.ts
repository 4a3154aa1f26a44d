import { writeFile } from 'node:fs/promises'
import type { Report } from '@galley/kit'
import type { Confirmations, IndexReads, SiteSecrets, Tasks } from '@galley/library'
import type { Answer, Site } from '@galley/library/records'
import { isSystemError } from '@galley/platform'
import type { Background } from '@galley/platform'
import type { SiteId } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import type { HandlersOf } from '../../../ipc/call.ts'
import type { developerCalls, KitReport, KitRun, reportFormats } from '../../../ipc/developer.ts'
import type { Emulators } from '../../try-it/emulators.ts'
import type { KitInput, KitJobs } from '../../try-it/kit-job.ts'
import type { Desktop } from '../desktop.ts'
import type { Questions } from '../questions.ts'
import { fileFailed } from './file-failed.ts'
import { notConfirmed } from './not-chosen.ts'
import { unknownSite } from './unknown.ts'

export interface DeveloperPorts {
  readonly index: Pick<IndexReads, 'sites'>
  readonly secrets: Pick<SiteSecrets, 'secret' | 'callbackAuth'>
  readonly confirmations: Pick<Confirmations, 'isConfirmed'>
  readonly tasks: Tasks
  readonly background: Pick<Background<KitJobs>, 'run'>
}

export interface DeveloperEdges {
  readonly emulators: Emulators
  readonly desktop: Pick<Desktop, 'openInBrowser' | 'chooseNewFile'>
  readonly questions: Pick<Questions, 'mayRunKit'>
}

type DeveloperHandlers = HandlersOf<typeof developerCalls>
type Backend = Pick<KitInput, 'callbackUrl' | 'apiKey' | 'secret' | 'auth'>

/** Loaded when it is first used, so that no start reads it. */
const loadKit = () => import('@galley/kit')

/** As the command judges by default. */
const policy = { failOn: 'unsafe', allowUnchecked: false } as const
const extensions = { text: 'txt', json: 'json', junit: 'xml' } as const

/** The cases of these themes that need nothing more: a case that is named is run at any price. */
async function casesOf(wanted: KitRun['themes'], hasAuth: boolean): Promise<readonly string[] | null> {
  if (wanted === null) return null
  const { themes } = await loadKit()
  return themes
    .filter(({ title }) => wanted.includes(title))
    .flatMap(({ cases }) => cases)
    .filter(({ needs }) => needs === undefined || (needs === 'auth' && hasAuth))
    .map(({ id }) => id)
}

/** The listener of a site as a backend, with its secrets. */
async function ownListener(
  { secrets, confirmations }: Pick<DeveloperPorts, 'secrets' | 'confirmations'>,
  site: Site,
): Promise<Answer<Backend>> {
  if (!confirmations.isConfirmed(site)) return fail({ code: 'site_unconfirmed' })
  const [secret, auth] = await Promise.all([secrets.secret(site.id), secrets.callbackAuth(site)])
  if (!secret.ok) return fail({ code: 'secrets_unavailable', state: secret.failure })
  if (!auth.ok) return fail({ code: 'secrets_unavailable', state: auth.failure })
  return ok({ callbackUrl: site.callbackUrl, apiKey: site.apiKey, secret: secret.value, auth: auth.value })
}

async function reportIn(format: (typeof reportFormats)[number], report: Report): Promise<string> {
  const kit = await loadKit()
  if (format === 'junit') return kit.junitXml(report, policy)
  return `${format === 'json' ? JSON.stringify(kit.reportJson(report)) : kit.reportText(report)}\n`
}

/** Calls for developers of a site: its emulator with faults on demand, and the conformance kit. */
export const developerHandlers = (ports: DeveloperPorts, edges: DeveloperEdges): DeveloperHandlers => ({
  ...emulatorHandlers(ports, edges),
  ...kitHandlers(ports, edges),
})

function emulatorHandlers({ index }: Pick<DeveloperPorts, 'index'>, { emulators, desktop }: DeveloperEdges) {
  return {
    readEmulator: ({ site }) => emulators.state(site),
    async startEmulator({ site: id }) {
      const site = index.sites.find(id)
      return site ? emulators.start(site) : unknownSite(id)
    },
    async stopEmulator({ site }) {
      await emulators.stop(site)
      return null
    },
    async openEmulator({ site }) {
      const url = (await emulators.running(site))?.url
      if (url !== undefined) await desktop.openInBrowser(url)
      return null
    },
    async orderFault({ site, kind }) {
      const emulator = await emulators.running(site)
      emulator?.faults.add({ kind, times: 1 })
      return null
    },
    async clearFaults({ site }) {
      const emulator = await emulators.running(site)
      emulator?.faults.clear()
      return null
    },
  } satisfies Partial<DeveloperHandlers>
}

function kitHandlers(ports: DeveloperPorts, { desktop, questions }: DeveloperEdges) {
  const { index, tasks, background } = ports
  /** The last of each site in this session. */
  const reports = new Map<SiteId, KitReport>()

  const run = (site: Site, input: KitInput) =>
    tasks.start('conformance', { site: site.name }, async ({ signal, progress }) => {
      const { isPassing, reportJson } = await loadKit()
      const ended = await background.run('conformance', input, { signal, progress })
      const { callbackUrl } = input
      if (ended.kind === 'report') reports.set(site.id, { ...ended, callbackUrl, isPassing: isPassing(ended, policy) })
      if (signal.aborted) return fail({ code: 'cancelled' })
      if (ended.kind === 'cannot_listen') return fail({ code: 'kit_not_run', url: input.baseUrl })
      if (ended.kind !== 'report') return fail({ code: 'kit_not_run', state: 'unreachable', url: callbackUrl })
      const { cases: _, ...counts } = reportJson(ended)
      return ok(counts)
    })

  return {
    kitThemes: async () => (await loadKit()).themes.map(({ title }) => title),
    async startKit({ site: id, backend, baseUrl, materials, themes }) {
      const site = index.sites.find(id)
      if (!site) return unknownSite(id)
      const tested = backend === null ? await ownListener(ports, site) : ok(backend)
      if (!tested.ok) return tested
      const { callbackUrl, auth } = tested.value
      if (!(await questions.mayRunKit(callbackUrl))) return notConfirmed
      const only = await casesOf(themes, auth !== null)
      const { signatureHeader } = site
      return ok({ task: run(site, { ...tested.value, baseUrl, materials, only, signatureHeader }) })
    },
    readKitReport: ({ site }) => reports.get(site) ?? null,
    async saveKitReport({ site, format }) {
      const report = reports.get(site)
      if (report === undefined) return ok(null)
      const extension = extensions[format]
      const name = `conformance-${site}.${extension}`
      const path = await desktop.chooseNewFile('kitReport', { name, extensions: [extension] })
      if (path === null) return ok(null)
      try {
        await writeFile(path, await reportIn(format, report), { mode: 0o600 })
        return ok(path)
      } catch (error) {
        if (isSystemError(error)) return fileFailed(error)
        throw error
      }
    },
  } satisfies Partial<DeveloperHandlers>
}
