import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { CallbackId } from '../contract/ids.ts'
import type { ListenerState } from '../contract/listener-state.ts'
import type { Site } from '../contract/site.ts'
import { createArchiveWorkers } from './archive/client.ts'
import { checkAfterCrash } from './care/after-crash.ts'
import { createIndex } from './db/library-index.ts'
import type { Ownership } from './db/owner.ts'
import { currentOwner, takeOwnership } from './db/owner.ts'
import { createDownloader } from './intake/download.ts'
import { createFontsReader } from './intake/fonts-content.ts'
import { createIntake } from './intake/intake.ts'
import { createMediaReader } from './intake/media-content.ts'
import { createPublicFiles } from './intake/public-files.ts'
import { createReplay } from './intake/replay.ts'
import type { Listener } from './intake/server.ts'
import { ListenError, listen } from './intake/server.ts'
import { storageReason } from './intake/storage-reason.ts'
import { publisherFor } from './publishing/publisher-for.ts'
import { secretsFromEnvironment } from './secrets/from-environment.ts'
import type { SiteSecrets } from './secrets/site-secrets.ts'
import type { SecretStore } from './secrets/store.ts'
import { createStoredSecrets } from './secrets/stored-secrets.ts'
import { createSessions } from './sessions/open-session.ts'
import { createSiteSettings } from './sites/site-settings.ts'
import { openVault } from './vault/vault.ts'

/** Everything that comes from outside: the edges that tests replace. */
export interface GalleyEdges {
  /** The library folder; made when it is missing. */
  readonly folder: string
  /** A place for secrets, or the environment variables to read them from (`--secrets env`). */
  readonly secrets: SecretStore | { readonly environment: Readonly<Record<string, string | undefined>> }
  /** Environment variables, for publishing targets that take their keys from there. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** The built worker script, or its source on a Node that reads TypeScript. */
  readonly workerScript: string | URL
  /** Galley's own version, for the client label. */
  readonly version: string
  readonly now?: () => Date
  /** Waits between tries of a download; tests shorten them. */
  readonly retryWaitsMs?: readonly number[]
  readonly log: (line: string) => void
}

/** How long a stop waits for saves that are under way. */
const stopGraceMs = 10_000
/** How often a reader looks whether another process has written to the index. */
const foreignChangePollMs = 400

/** The one composition root: builds a library from its edges, and is torn down in reverse order by `close`. */
export async function createGalley(edges: GalleyEdges) {
  const { folder, log } = edges
  const now = edges.now ?? (() => new Date())
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const index = createIndex(join(folder, 'index.db'), log)
  const vault = await openVault(folder, (file) => index.blobs.namesFile(file))
  const secrets: SiteSecrets =
    'environment' in edges.secrets
      ? secretsFromEnvironment(edges.secrets.environment)
      : createStoredSecrets(edges.secrets, index.sites, index.settings.getOrPut('library', randomUUID()), () =>
          now().getTime(),
        )
  const workers = createArchiveWorkers({ script: edges.workerScript, threads: 2 })
  const downloader = createDownloader(edges.retryWaitsMs)
  const sessions = createSessions({ index, vault, secrets, clientLabel: `galley_${edges.version}`, now })
  const ingestPorts = {
    index,
    vault,
    readers: {
      article_saved: createMediaReader(index, vault, workers),
      site_fonts_updated: createFontsReader(index, workers),
    },
    publisherOf: (site: Site) => publisherFor(site, edges.environment ?? {}, vault),
  }

  const changeListeners = new Set<() => void>()
  const callbackListeners = new Set<(id: CallbackId) => void>()
  const stateListeners = new Set<(state: ListenerState) => void>()
  let state: ListenerState = { kind: 'stopped' }
  const setState = (next: ListenerState) => {
    state = next
    for (const tell of stateListeners) tell(next)
  }
  const onCallback = (id: CallbackId) => {
    for (const tell of callbackListeners) tell(id)
    for (const tell of changeListeners) tell()
  }

  let running: { listener: Listener; ownership: Ownership; intake: ReturnType<typeof createIntake> } | null = null
  const closing = new AbortController()
  let check: Promise<void> = Promise.resolve()
  /** True until the check after an unclean stop has come to its end: a stop before that leaves it to the next start. */
  let needsCheck = false

  /** Becomes the owner of the library and serves it; the state says how that went. */
  async function startListener(host: string, port: number): Promise<ListenerState> {
    if (running) return state
    setState({ kind: 'starting' })
    const ownership = takeOwnership(folder, process.pid)
    if (!ownership) {
      const owner = currentOwner(folder)
      setState({ kind: 'elsewhere', processId: owner?.processId ?? 0, url: owner?.url ?? null })
      return state
    }
    try {
      index.callbacks.closeInterrupted()
      await vault.sweepStaging()
      const wasClean = index.settings.get('clean') !== 'no'
      const intake = createIntake({ ...ingestPorts, secrets, downloader, now, log, onCallback })
      const listener = await listen(
        {
          findSite: index.sites.find,
          knownHosts: () => knownHosts(index.sites.list()),
          receive: intake.receive,
          turnAway: intake.turnAway,
          files: createPublicFiles(index, vault),
          openBlob(blob) {
            const place = index.blobs.find(blob)
            if (!place) throw new Error('An answer names a blob that is not there')
            return { sizeBytes: place.sizeBytes, stream: vault.read(place) }
          },
          log,
        },
        host,
        port,
      )
      // From here on there may be saves that a crash could cut off.
      index.settings.put('clean', 'no')
      ownership.announce(listener.url)
      running = { listener, ownership, intake }
      setState({ kind: 'listening', url: listener.url })
      needsCheck = !wasClean
      if (needsCheck) check = reportCrash()
      return state
    } catch (error) {
      ownership.release()
      if (!(error instanceof ListenError)) throw error
      setState({ kind: 'failed', reason: error.message })
      return state
    }
  }

  async function reportCrash(): Promise<void> {
    try {
      const report = await checkAfterCrash(index, vault, closing.signal)
      if (closing.signal.aborted) return
      needsCheck = false
      const { orphansRemoved, filesMissing, indexProblems } = report
      log(
        `checked after an unclean stop: ${orphansRemoved} left-over files removed, ${filesMissing} stored files missing`,
      )
      for (const problem of indexProblems) log(`the index is damaged: ${problem}`)
    } catch (error) {
      // Nobody waits for this work: a fault of the disk ends the check, not Galley.
      log(`the check after an unclean stop failed: ${storageReason(error)}`)
    }
  }

  async function stopListener(): Promise<void> {
    if (!running) return
    const { listener, ownership, intake } = running
    running = null
    closing.abort()
    const closed = listener.close()
    await intake.stop(stopGraceMs)
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 500).unref())])
    index.settings.put('clean', needsCheck ? 'no' : 'yes')
    ownership.announce(null)
    ownership.release()
    setState({ kind: 'stopped' })
  }

  /** Tells of every change to the library, whoever makes it, until the returned function is called. */
  function watch(tell: () => void): () => void {
    changeListeners.add(tell)
    let seen = index.foreignChanges()
    const poll = setInterval(() => {
      const found = index.foreignChanges()
      if (found !== seen) tell()
      seen = found
    }, foreignChangePollMs)
    return () => {
      clearInterval(poll)
      changeListeners.delete(tell)
    }
  }

  return {
    folder,
    index,
    vault,
    secrets,
    sessions,
    sites: createSiteSettings(index, secrets, now),
    replay: createReplay(ingestPorts, now),
    startListener,
    listenerState: () => state,
    onListenerState(tell: (state: ListenerState) => void): () => void {
      stateListeners.add(tell)
      return () => stateListeners.delete(tell)
    },
    /** Who serves this library right now, this process or another. */
    owner: () => (running ? { processId: process.pid, url: running.listener.url } : currentOwner(folder)),
    watch,
    /** Tells of every callback that this process' listener has answered. */
    onCallback(tell: (id: CallbackId) => void): () => void {
      callbackListeners.add(tell)
      return () => callbackListeners.delete(tell)
    },
    async close(): Promise<void> {
      await stopListener()
      await check
      await workers.close()
      await downloader.close()
      await sessions.close()
      index.close()
    },
  }
}

export type Galley = Awaited<ReturnType<typeof createGalley>>

/** Hosts under which this library may be addressed: those of its sites' callback and public URLs. */
const knownHosts = (sites: readonly Site[]): ReadonlySet<string> =>
  new Set(
    sites.flatMap((site) => [site.callbackUrl, site.publicUrl ?? site.callbackUrl].map((url) => new URL(url).hostname)),
  )
