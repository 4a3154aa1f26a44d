import { randomBytes } from 'node:crypto'
import type { Care, CareFailure, IndexReads, KeychainFailure, Keys, SiteSettings } from '@galley/library'
import type { Answer, ListenerState } from '@galley/library/records'
import { isSampleSite, sampleSite } from '@galley/library/records'
import { faultReason } from '@galley/platform'
import type { Emulator } from '@galley/service'
import { loadEmulator } from '@galley/service'
import type { Result } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import type { TryItState } from '../../ipc/settings.ts'
import type { SampleEdges } from './samples.ts'

/** The dependencies of the built-in emulator besides the library. */
export interface TryItEdges extends SampleEdges {
  readonly index: IndexReads
  readonly care: Pick<Care, 'deleteMaterials'>
  readonly sites: Pick<SiteSettings, 'save' | 'remove'>
  readonly keys: Pick<Keys, 'lend' | 'takeBack'>
  readonly listener: { state(): ListenerState }
  readonly startListener: () => Promise<ListenerState>
  /** The folder of the built editor page. */
  readonly editorFolder: string
  readonly onState: (state: TryItState) => void
  readonly log: (line: string) => void
}

const { id: site, apiKey } = sampleSite

/**
 * Runs the service emulator on this computer, with a sample site and materials. It runs in this process, because it serves
 * one person and a few small pages. Its secret is new at each start and never stored: the site and its saves remain, and the
 * next start reuses them.
 */
export function createTryIt(edges: TryItEdges) {
  const { index, keys, listener, startListener, onState, log } = edges
  let state: TryItState = { kind: 'off' }
  let emulator: Emulator | null = null
  const setState = (next: TryItState): TryItState => {
    state = next
    onState(next)
    return next
  }

  let starting: Promise<Answer<TryItState>> | null = null
  /** Concurrent calls share the start. */
  function start(): Promise<Answer<TryItState>> {
    starting ??= startOnce().finally(() => {
      starting = null
    })
    return starting
  }

  async function startOnce(): Promise<Answer<TryItState>> {
    if (state.kind !== 'off') return ok(state)
    const known = index.sites.find(site)
    if (known && !isSampleSite(known)) {
      return fail({ code: 'try_it_failed' })
    }
    const listening = listener.state().kind === 'listening' ? listener.state() : await startListener()
    if (listening.kind !== 'listening') {
      return fail({ code: 'cannot_listen', state: listening.kind })
    }
    setState({ kind: 'starting' })
    try {
      // Imported on demand, because most starts of the app do not need it.
      const { createEmulator } = await loadEmulator()
      const { addDemoSite, addSamples } = await import('./samples.ts')
      const secret = randomBytes(24).toString('base64url')
      const onProblem = (problem: unknown) => log(`a fault in the emulator: ${faultReason(problem)}`)
      emulator = await createEmulator({ port: 0, apiKey, apiSecret: secret, editorDir: edges.editorFolder, onProblem })
      keys.lend(site, secret)
      const callbackUrl = `${listening.url}/callback/${site}`
      await addDemoSite(edges.sites, emulator.baseUrl, callbackUrl)
      if (!index.materials.hasAny(site)) await addSamples(edges, emulator.url, callbackUrl)
      return ok(setState({ kind: 'running', site, url: emulator.url }))
    } catch (error) {
      log(`the sample failed: ${faultReason(error)}`)
      await close()
      return fail({ code: 'try_it_failed' })
    }
  }

  async function close(): Promise<void> {
    keys.takeBack(site)
    const running = emulator
    emulator = null
    setState({ kind: 'off' })
    await running?.close()
  }

  return {
    state: () => state,
    /** The emulator, while it runs. */
    running: () => emulator,
    start,
    /** Restarts the emulator if the site is the sample: its secret is lost when the app quits. */
    async wake(id: string): Promise<void> {
      const found = index.sites.find(id)
      if (state.kind !== 'running' && found && isSampleSite(found)) await start()
    },
    /** Stops the emulator and deletes the sample: its site, and its materials with all versions. */
    async remove(): Promise<Result<boolean, KeychainFailure | CareFailure>> {
      await close()
      const materialIds = index.materials.listByArrival(site).map(({ materialId }) => materialId)
      const run = { signal: new AbortController().signal, onProgress: () => undefined }
      const deleted = await edges.care.deleteMaterials({ site, materialIds, dryRun: false }, run)
      return deleted.ok ? edges.sites.remove(site) : deleted
    },
    close,
  }
}

export type TryIt = ReturnType<typeof createTryIt>
