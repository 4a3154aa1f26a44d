import type { CallbackId } from '../contract/ids.ts'
import type { KeychainHealth } from '../contract/ipc/health.ts'
import { createArchiveWorkers } from './library/archive/client.ts'
import { createBackground } from './platform/threads/background.ts'
import { createCare } from './use-cases/care/care.ts'
import { describeOpening } from './use-cases/care/opening-words.ts'
import { readInBackground } from './use-cases/care/read-pages.ts'
import { createRedaction } from './use-cases/care/redact-archives.ts'
import { LogMismatchError } from './library/db/commit.ts'
import { openFileLock } from './library/db/file-lock.ts'
import { openLibrary } from './library/db/open-library.ts'
import { createOwnership, lastListenedAt } from './library/db/owner.ts'
import { makeFolder } from './platform/disk/make-folder.ts'
import { makeReserve } from './platform/disk/reserve.ts'
import { faultPlace } from '../contract/domain/fault-place.ts'
import { createBodyReader } from './use-cases/intake/body-reader.ts'
import { answeringWhile } from './edges/http/opening-answer.ts'
import { createTrustedProxies } from './edges/http/client-address.ts'
import { createDownloader } from './use-cases/intake/download.ts'
import { createFontsReader } from './use-cases/intake/fonts-content.ts'
import { createListening } from './edges/http/listening.ts'
import { createMediaReader } from './use-cases/intake/media-content.ts'
import { publicBlob } from './edges/http/public-files.ts'
import { createReplay } from './use-cases/intake/replay.ts'
import { createPublishers, environmentKeys, keyVariables } from './use-cases/publishing/publishers.ts'
import { createReading } from './use-cases/reading/reading.ts'
import { createSavePauses } from './use-cases/sites/save-pauses.ts'
import { secretsFromEnvironment } from './library/secrets/from-environment.ts'
import { createLentSecrets } from './library/secrets/lent-secrets.ts'
import type { SiteSecrets } from './library/secrets/site-secrets.ts'
import type { SecretStore } from './library/secrets/store.ts'
import { createStoredSecrets } from './library/secrets/stored-secrets.ts'
import { createSessions } from './use-cases/sessions/open-session.ts'
import { createAppSettings } from './library/settings/app-settings.ts'
import { createConfirmations } from './use-cases/sites/confirmations.ts'
import { createSiteSettings } from './use-cases/sites/site-settings.ts'
import { createTasks } from './platform/tasks/tasks.ts'
import { openVault } from './library/vault/vault.ts'

/** Everything that comes from outside: the edges that tests replace. */
export interface GalleyEdges {
  /** The library folder; made when it is missing. */
  readonly folder: string
  /** A place for secrets, or the environment variables to read them from (`--secrets env`). */
  readonly secrets: SecretStore | { readonly environment: Readonly<Record<string, string | undefined>> }
  /** Environment variables, for publishing targets that take their keys from there. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** The built script of the threads that unpack archives. */
  readonly workerScript: string | URL
  /** The same for the thread that exports and reads large texts. */
  readonly backgroundScript: string | URL
  /** Galley's own version, for the client label. */
  readonly version: string
  /** The place where it was served last answers `busy` while it opens. */
  readonly isAboutToListen?: boolean
  readonly now?: () => Date
  /** Waits between tries of a download; tests shorten them. */
  readonly retryWaitsMs?: readonly number[]
  readonly log: (line: string) => void
  /** The same for what only somebody who looks for a cause wants to read. */
  readonly trace?: (line: string) => void
  /** Told what no log may hold: secrets that were read, and api_keys. */
  readonly hide?: (values: () => Iterable<string>) => void
}

/** How often a reader looks whether another process has written to the index. */
const foreignChangePollMs = 100

/** The one composition root: builds a library from its edges, and is torn down in reverse order by `close`. */
export async function createGalley(edges: GalleyEdges) {
  const { folder, log } = edges
  const now = edges.now ?? (() => new Date())
  await makeFolder(folder, 0o700)
  const place = edges.isAboutToListen ? lastListenedAt(folder) : null
  const library = await answeringWhile(place, () => openLibrary(folder, now, log))
  const { index } = library
  if (edges.trace) index.onSlowStatement(edges.trace)
  for (const note of library.notes) log(describeOpening(note))
  if (library.state === 'log_mismatch') log(new LogMismatchError().message)
  if (library.state === 'whole') await makeReserve(folder)
  const ownership = createOwnership(folder)
  const fileLock = openFileLock(folder)
  const confirmations = createConfirmations(index)
  const vault = await openVault(folder, index.blobs, fileLock)
  const kept: SiteSecrets =
    'environment' in edges.secrets
      ? secretsFromEnvironment(edges.secrets.environment)
      : createStoredSecrets(edges.secrets, index.secretMarks, index.library(), () => now().getTime())
  const readSecrets = new Set<string>()
  edges.hide?.(() => [...readSecrets, ...index.sites.list().map(({ apiKey }) => apiKey)])
  const {
    secrets,
    lend: lendSecret,
    takeBack: takeSecretBack,
  } = createLentSecrets(kept, (value) => readSecrets.add(value))
  const probeKeychain = async (): Promise<KeychainHealth> => {
    if ('environment' in edges.secrets) return 'environment'
    const read = await edges.secrets.read('nothing')
    return read.ok ? 'usable' : read.failure
  }
  const workers = createArchiveWorkers({
    ...{ script: edges.workerScript, threads: 4 },
    onCrash: (error) => log(`a thread that unpacks archives ended: ${faultPlace(error)}`),
  })
  const background = createBackground(edges.backgroundScript)
  const tasks = createTasks(now, (kind, error) => log(`the task ${kind} failed: ${faultPlace(error)}`))
  const downloader = createDownloader(edges.retryWaitsMs)
  const sessions = createSessions({ index, vault, secrets, confirmations, clientLabel: `galley_${edges.version}`, now })
  const environment = edges.environment ?? {}
  const publishers = createPublishers({
    ...{ environment, vault, secrets, settings: index.settings, retryWaitsMs: edges.retryWaitsMs },
    isNamed: (path) => publicBlob(index, path) !== null,
  })
  const ingestPorts = {
    index,
    vault,
    readers: {
      article_saved: createMediaReader(index, vault, workers),
      site_fonts_updated: createFontsReader(index, workers),
    },
    publisherOf: publishers.of,
    isConfirmed: confirmations.isConfirmed,
  }

  const changeListeners = new Set<() => void>()
  const callbackListeners = new Set<(id: CallbackId) => void>()
  const onCallback = (id: CallbackId) => {
    for (const tell of callbackListeners) tell(id)
    for (const tell of changeListeners) tell()
  }

  const pauses = createSavePauses(index, now, () => {
    for (const tell of changeListeners) tell()
  })

  const redaction = createRedaction({ index, vault, workers, log })
  let trustedProxies = createTrustedProxies([])
  const listening = createListening({
    ...ingestPorts,
    ...{ library, ownership, secrets, downloader, now, log, onCallback },
    bodies: createBodyReader(background),
    async workBeside(signal) {
      await readInBackground({ index, vault, background, log }, signal)
      await redaction.run(signal)
    },
    clientAddress: (peer, headers) => trustedProxies.clientAddress(peer, headers),
  })

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
    version: edges.version,
    index,
    vault,
    secrets,
    lendSecret,
    takeSecretBack,
    now,
    sessions,
    /** Saves refused by hand. */
    pauses,
    tasks,
    background,
    reading: createReading(background, vault),
    sleepGaps: listening.sleepGaps,
    redaction: redaction.state,
    onRedaction: redaction.onState,
    probeKeychain,
    publishers,
    bucketKeys: () => keyVariables(environment),
    settings: createAppSettings(index.settings),
    sites: createSiteSettings(index, secrets, confirmations, environmentKeys(environment) !== null, now),
    confirmations,
    replay: createReplay(ingestPorts, now),
    library,
    care: createCare({
      ...{ folder, ownership, library, index, vault, workers, background, now, log },
      isServedElsewhere: listening.isServedElsewhere,
    }),
    /** Whose forwarded addresses count: addresses and networks in which `trustedProxyProblem` finds nothing wrong. */
    trustProxies: (trusted: readonly string[]): void => void (trustedProxies = createTrustedProxies(trusted)),
    startListener: listening.start,
    borrowListener: listening.borrow,
    whileProbing: listening.whileProbing,
    announceListener: listening.announce,
    stopListener: listening.stop,
    listenerState: listening.state,
    onListenerState: listening.onState,
    owner: listening.owner,
    isServedElsewhere: listening.isServedElsewhere,
    whenIdle: listening.whenIdle,
    watch,
    /** Tells of every callback that this process' listener has answered. */
    onCallback(tell: (id: CallbackId) => void): () => void {
      callbackListeners.add(tell)
      return () => callbackListeners.delete(tell)
    },
    async close(): Promise<void> {
      await tasks.close()
      await listening.stop()
      await publishers.close()
      await listening.checked()
      await background.close()
      await workers.close()
      await downloader.close()
      await sessions.close()
      fileLock.close()
      library.close()
    },
  }
}

export type Galley = Awaited<ReturnType<typeof createGalley>>
