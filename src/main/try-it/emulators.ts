import type { Confirmations, IndexReads, SiteSecrets } from '@galley/library'
import type { Answer, Site } from '@galley/library/records'
import { isLoopback, isSampleSite } from '@galley/library/records'
import { faultReason, isSystemError } from '@galley/platform'
import type { Emulator } from '@galley/service'
import { loadEmulator } from '@galley/service'
import type { SiteId } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import type { EmulatorState } from '../../ipc/developer.ts'
import type { TryIt } from './try-it.ts'

interface EmulatorsEdges {
  readonly index: Pick<IndexReads, 'sites'>
  readonly secrets: Pick<SiteSecrets, 'secret'>
  readonly confirmations: Pick<Confirmations, 'isConfirmed'>
  /** The sample has its emulator with its materials, and a secret of its own. */
  readonly tryIt: Pick<TryIt, 'running' | 'start' | 'close'>
  readonly editorFolder: string
  readonly log: (line: string) => void
}

/** An emulator for each site that a developer starts one for, with the key and the secret of that site. */
export function createEmulators({ index, tryIt, ...edges }: EmulatorsEdges) {
  const started = new Map<SiteId, Promise<Answer<Emulator>>>()
  const isSample = (id: SiteId): boolean => {
    const site = index.sites.find(id)
    return site !== null && isSampleSite(site)
  }

  async function running(id: SiteId): Promise<Emulator | null> {
    if (isSample(id)) return tryIt.running()
    const emulator = await started.get(id)
    return emulator?.ok ? emulator.value : null
  }

  async function state(id: SiteId): Promise<EmulatorState | null> {
    const emulator = await running(id)
    if (emulator === null) return null
    const { url, baseUrl, apiKey, faults } = emulator
    return { url, baseUrl, apiKey, faults: faults.list().map(({ kind, times }) => ({ kind, times })) }
  }

  async function startFor(site: Site): Promise<Answer<Emulator>> {
    if (!edges.confirmations.isConfirmed(site)) return fail({ code: 'site_unconfirmed' })
    const secret = await edges.secrets.secret(site.id)
    if (!secret.ok) return fail({ code: 'secrets_unavailable', state: secret.failure })
    const { name, environment, apiKey, signatureHeader } = site
    const port = localPort(site.baseUrl)
    const setup = { name, environment, apiKey, apiSecret: secret.value, signatureHeader }
    const onProblem = (problem: unknown) => edges.log(`a fault in the emulator: ${faultReason(problem)}`)
    try {
      const { createEmulator } = await loadEmulator()
      const allowedDomains = domainsOf(site)
      return ok(await createEmulator({ ...setup, port, allowedDomains, editorDir: edges.editorFolder, onProblem }))
    } catch (error) {
      if (isSystemError(error)) return fail({ code: 'emulator_failed', port, reason: error.code })
      throw error
    }
  }

  async function stop(id: SiteId): Promise<void> {
    if (isSample(id)) return tryIt.close()
    const emulator = await running(id)
    started.delete(id)
    await emulator?.close()
  }

  return {
    /** Null while none runs. */
    state,
    running,
    /** At the port of the site's service URL if that is on this computer, otherwise at a free one. Calls share a start. */
    async start(site: Site): Promise<Answer<EmulatorState | null>> {
      if (isSampleSite(site)) {
        const sample = await tryIt.start()
        return sample.ok ? ok(await state(site.id)) : sample
      }
      const starting = started.get(site.id) ?? startFor(site)
      started.set(site.id, starting)
      try {
        const emulator = await starting
        if (!emulator.ok) started.delete(site.id)
        return emulator.ok ? ok(await state(site.id)) : emulator
      } catch (error) {
        started.delete(site.id)
        throw error
      }
    },
    stop,
    /** Stops those of sites that were removed. */
    async stopRemoved(): Promise<void> {
      await Promise.all([...started.keys()].filter((id) => index.sites.find(id) === null).map(stop))
    },
    async close(): Promise<void> {
      await Promise.all([...started.keys()].map(stop))
    },
  }
}

export type Emulators = ReturnType<typeof createEmulators>

/** The port of a plain URL on this computer; 0, any free one, for other URLs. */
function localPort(baseUrl: string): number {
  const { protocol, hostname, port } = new URL(baseUrl)
  return protocol === 'http:' && isLoopback(hostname) ? Number(port || 80) : 0
}

/** The emulator reads no domains as this computer only, so a callback URL elsewhere has to be named. */
function domainsOf({ allowedDomains, callbackUrl }: Site): readonly string[] {
  const { hostname } = new URL(callbackUrl)
  return allowedDomains.length > 0 || isLoopback(hostname) ? allowedDomains : [hostname]
}
