import {
  LogMismatchError,
  answeringWhile,
  claimEntries,
  createAppSettings,
  createArchiveWorkers,
  createBodyReader,
  createCare,
  createChangeFeed,
  createConfirmations,
  createDownloader,
  createFontsReader,
  createKeys,
  createListening,
  createMediaReader,
  createOwnership,
  createReading,
  createReplay,
  createReviewing,
  createSavePauses,
  createSessions,
  createSiteSettings,
  createTasks,
  createTeamKeys,
  createWebhooks,
  describeOpening,
  entriesIn,
  fetchedFiles,
  filePath,
  isDamage,
  keepSearchable,
  makeSearchable,
  lastListenedAt,
  openFileLock,
  openLibrary,
  openVault,
  publicBlob,
  readInBackground,
} from '@galley/library'
import type { Index, IndexWork, RemoteFiles, SecretSource, TeamKeyStore } from '@galley/library'
import {
  createBackground,
  createNetwork,
  environmentKeys,
  makeFolder,
  makeReserve,
  proxySecrets,
  secretsIn,
} from '@galley/platform'
import type { Network, ProxyOf } from '@galley/platform'
import { createPreviews, createPublishers, createReleasing, keyVariables } from '@galley/sites'
import type { Member, TeamConnection } from '@galley/team'
import {
  UnfinishedJoinError,
  connectTeam,
  createMember,
  createSharedTexts,
  createTeamFiles,
  createTeamState,
  readMembership,
} from '@galley/team'
import { describeFault } from '@galley/wire'

import type { BackgroundJobs } from './thread/jobs.ts'

/** Everything from outside: the edges that tests replace. */
export interface GalleyEdges {
  /** The library folder; created if it is missing. */
  readonly folder: string
  readonly secrets: SecretSource
  /** Environment variables: keys of publishing targets, proxies and certificates. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** The proxies of the system, in place of those of the environment. */
  readonly proxyOf?: ProxyOf
  /** The built script of the archive workers. */
  readonly workerScript: string | URL
  /** The built script of the background threads, which export and read large texts. */
  readonly backgroundScript: string | URL
  /** Galley's version, for the client label. */
  readonly version: string
  /** The previous listener address answers `busy` while the library opens. */
  readonly isAboutToListen?: boolean
  readonly now?: () => Date
  /** Delays between download attempts; tests shorten them. */
  readonly retryWaitsMs?: readonly number[]
  /** How long the receiver of a webhook may take; tests shorten it. */
  readonly webhookTimeoutMs?: number
  /** How long a publishing target may move no data; tests shorten it. */
  readonly stallMs?: number
  /** How long the bucket of a team is asked again that does not answer; tests shorten it. */
  readonly bucketPatienceMs?: number
  readonly log: (line: string) => void
  /** Called with values that no log may contain: secrets that were read, and API keys. */
  readonly hide?: (values: () => Iterable<string>) => void
}

/**
 * The composition root of a library, for app, command line and tests. Builds everything from the edges, floor by floor;
 * `close` tears it down in reverse order. Each user takes the parts that it needs as ports; no one takes the whole.
 */
export async function createGalley({ now = () => new Date(), environment = {}, ...rest }: GalleyEdges) {
  const network = createNetwork(environment, rest.proxyOf)
  const edges = { ...rest, now, environment, network }
  try {
    return await openedGalley(edges)
  } catch (error) {
    if (!isDamage(error)) throw error
    // What was met after the opening has requested a rebuild, which is made now.
    return openedGalley(edges)
  }
}

async function openedGalley(edges: Edges) {
  const held = await openHeld(edges)
  try {
    return assembled(edges, held)
  } catch (error) {
    await closeHeld(held)
    throw error
  }
}

/** What was opened is closed last, in reverse order. */
async function closeHeld({ background, workers, team, places, changes, fileLock, library }: Held): Promise<void> {
  for (const part of [background, workers, team, places, changes]) await part?.close()
  fileLock.close()
  library.close()
}

function assembled(edges: Edges, held: Held) {
  const { now, environment, network } = edges
  const { downloader, ...useCases } = createUseCases(edges, held)
  const { library, index, vault, changes, team, settings, keys, teamKeys, teamKeysIn, tasks, background } = held
  const { publishers, previews, releasing, sessions, listener, reviewing, webhooks } = useCases
  return {
    ...useCases,
    folder: edges.folder,
    version: edges.version,
    network,
    now,
    library,
    index,
    vault,
    changes,
    settings,
    keys,
    secrets: keys.secrets,
    keepTeamKeys: teamKeys.keep,
    teamKeysIn,
    tasks,
    background,
    team,
    bucketKeys: () => keyVariables(environment),
    makeSearchable: async (limit: number, signal: AbortSignal) =>
      library.state === 'read_only' ? 0 : makeSearchable({ index, vault, background }, signal, { limit }),
    async close(): Promise<void> {
      await tasks.close()
      await listener.stop()
      for (const part of [publishers, previews, releasing, reviewing]) await part.close()
      await listener.checked()
      for (const part of [webhooks, downloader, sessions]) await part.close()
      await closeHeld(held)
    },
  }
}

type Edges = GalleyEdges & Required<Pick<GalleyEdges, 'now' | 'environment'>> & { readonly network: Network }
type Held = Awaited<ReturnType<typeof openHeld>>

/** What the library holds, and the threads and tasks that work on it. */
async function openHeld(edges: Edges) {
  const { log } = edges
  const { isCopy, source, teamKeysIn, teamKeys } = await secretsOf(edges)
  const background = createBackground<BackgroundJobs>(edges.backgroundScript, logCrash(log, 'works in the background'))
  const { library, joined } = await openFolder(edges, teamKeys, {
    replace: (files) => background.run('replaceIndex', files),
    compact: (file) => background.run('compactIndex', file),
    saves: {
      write: (save, turn) => background.run('writeSave', save, { answer: turn }),
      writeBack: (files) => background.run('writeIndexBack', files),
    },
  })
  try {
    return await heldAround(edges, { source, isCopy, teamKeys, teamKeysIn, background, library, joined })
  } catch (error) {
    await background.close()
    library.close()
    throw error
  }
}

type Opened = Awaited<ReturnType<typeof openFolder>>

interface Around extends Opened, Awaited<ReturnType<typeof secretsOf>> {
  readonly background: ReturnType<typeof createBackground<BackgroundJobs>>
}

async function heldAround(edges: Edges, { source, isCopy, teamKeys, teamKeysIn, background, library, joined }: Around) {
  const { folder, now, log, environment } = edges
  const { index } = library
  const ownership = createOwnership(folder)
  const fileLock = openFileLock(folder)
  const places = fetchedFiles(folder, library.state === 'read_only')
  const files = joined && filesOfTeam(joined.connection, index, places)
  const vault = await openVault(folder, index.blobs, fileLock, files)
  const changes = createChangeFeed(index)
  const team = joined && createMember({ folder, ...joined, library, index, vault, now, log, changed: changes.changed })
  const bucket = team && files && bucketForCare(team, files)
  const settings = createAppSettings(index.settings)
  const keys = createKeys(source, index, now)
  if (isCopy) await keys.readAll()
  edges.hide?.(() => [...keys.hidden(), ...secretsIn(environment), ...proxySecrets(environment)])
  const onCrash = logCrash(log, 'unpacks archives')
  const workers = createArchiveWorkers({ script: edges.workerScript, threads: 4, onCrash })
  const tasks = createTasks(now, (kind, error) => log(`the task ${kind} failed: ${describeFault(error)}`))
  return {
    library,
    index,
    ownership,
    fileLock,
    places,
    vault,
    changes,
    team,
    bucket,
    settings,
    keys,
    teamKeys,
    teamKeysIn,
    background,
    workers,
    tasks,
  }
}

/** What can be done with the library, the listener included. */
function createUseCases(edges: Edges, held: Held) {
  const { folder, version, environment, network, now, log, retryWaitsMs, stallMs } = edges
  const { library, index, ownership, vault, changes, team, bucket, background, workers } = held
  const { secrets } = held.keys
  const isLocalLost = library.notes.some(({ kind }) => kind === 'local_lost')
  const confirmations = createConfirmations(index, isLocalLost, team)
  const publishers = createPublishers({
    environment,
    library: index.library(),
    vault,
    network,
    secrets,
    settings: index.settings,
    retryWaitsMs,
    // Another member may have found the file in the public bucket, and be about to name it.
    isReferenced: (path) => team !== null || publicBlob(index, path) !== null,
  })
  const readers = {
    article_saved: createMediaReader(index, vault, workers),
    site_fonts_updated: createFontsReader(index, workers),
  }
  const storing = { index, vault, readers, publisherOf: publishers.of, isConfirmed: confirmations.isConfirmed }
  const downloader = createDownloader(network, retryWaitsMs)
  const listener = createListening({
    ...storing,
    folder,
    library,
    ownership,
    secrets,
    downloader,
    now,
    log,
    onCallback: changes.callbackAnswered,
    bodies: createBodyReader(background),
    syncTeam: team && team.syncForWork,
    syncForReader: team && team.syncForReader,
    async workBeside(signal) {
      await readInBackground({ index, vault, background, log }, signal)
      await keepSearchable({ index, vault, background, changes, log }, signal)
    },
  })
  const sharedTexts = team && createSharedTexts(team)
  const further = { environment, network, now, retryWaitsMs, stallMs, sharedTexts }
  const releasing = createReleasing({ folder, index, library, vault, secrets, background, ...further })
  const careBucket = bucket && { ...bucket, collectTexts: releasing.collectTexts }
  const carePorts = { folder, ownership, library, index, vault, workers, background, now, log, bucket: careBucket }
  return {
    confirmations,
    sites: createSiteSettings(index, secrets, confirmations, environmentKeys(environment) !== null, now),
    sessions: createSessions({ index, vault, network, secrets, confirmations, clientLabel: `galley_${version}`, now }),
    publishers,
    releasing,
    previews: createPreviews({ index, vault, changes, background, now }),
    downloader,
    listener,
    care: createCare({ ...carePorts, isServedElsewhere: listener.isServedElsewhere }),
    /** Sites and materials whose saves are paused by hand. */
    pauses: createSavePauses(index, now, changes.changed),
    reading: createReading(background, vault),
    replay: createReplay(storing, now),
    webhooks: createWebhooks({ index, secrets, network, changes, now, log, timeoutMs: edges.webhookTimeoutMs }),
    reviewing: createReviewing({ index, vault, background, changed: changes.changed, now, log }),
    teamState: createTeamState({ team, index }),
  }
}

/** Where the secrets of this library are, and the keys of members in any folder. `isCopy`: see `claimEntries`. */
async function secretsOf({ folder, secrets, hide }: GalleyEdges) {
  const sourceIn = (other: string): SecretSource => ('environment' in secrets ? secrets : entriesIn(secrets, other))
  const teamKeysIn = (other: string): TeamKeyStore => createTeamKeys(sourceIn(other), hide)
  await makeFolder(folder, 0o700)
  return { isCopy: claimEntries(folder), source: sourceIn(folder), teamKeysIn, teamKeys: teamKeysIn(folder) }
}

const bucketForCare = (team: Member, files: RemoteFiles) => ({
  isReadOnly: team.isReader,
  run: team.run,
  marker: team.marker,
  files,
})

const logCrash = (log: GalleyEdges['log'], does: string) => (error: Error) =>
  log(`a thread that ${does} ended: ${describeFault(error)}`)

/** The connection to the team of a member library; null for any other library. */
function teamOf({ folder, network, bucketPatienceMs: patienceMs }: Edges, teamKeys: TeamKeyStore) {
  const membership = readMembership(folder)
  if (membership === null) return null
  if (membership.state === 'joining') throw new UnfinishedJoinError()
  const connection = connectTeam({
    place: membership,
    network,
    keys: () => teamKeys.read(membership.member),
    pathOf: (file) => filePath(folder, file),
    patienceMs,
  })
  return { membership, connection, reached: connection.reached }
}

/** The files that only the bucket of a team has. */
const filesOfTeam = (
  { reached, patienceMs }: TeamConnection,
  index: Index,
  places: ReturnType<typeof fetchedFiles>,
) => ({
  ...createTeamFiles({
    reached,
    patienceMs,
    ...places,
    follow: followTeamOf(index),
    keyOf: index.blobs.keyOf,
    maxBytesOf: index.blobs.maxBytesOf,
  }),
  pathOf: places.pathOf,
})

/** A single attempt: the caller has already waited for the bucket. */
const followTeamOf =
  ({ followTeam }: Index) =>
  () =>
    Promise.resolve(followTeam?.(0))

/** Opens the library in its folder, and logs what was found and repaired. */
async function openFolder(edges: Edges, teamKeys: TeamKeyStore, work: IndexWork) {
  const { folder, isAboutToListen, now, log } = edges
  const joined = teamOf(edges, teamKeys)
  const lastAddress = isAboutToListen ? lastListenedAt(folder) : null
  const run = joined?.connection.run
  const library = await answeringWhile(lastAddress, () => openLibrary(folder, now, log, null, run, work))
  for (const note of library.notes) log(describeOpening(note))
  if (library.state === 'log_mismatch') log(new LogMismatchError().message)
  if (library.state === 'whole') await makeReserve(folder)
  return { library, joined }
}
