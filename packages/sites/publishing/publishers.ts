import type { BucketKeys, Publisher, SiteSecrets, Vault, createSettings } from '@galley/library'
import { createListenerProbe } from '@galley/library'
import type { BucketTarget, KeyVariable, Site, TargetFinding } from '@galley/library/records'
import { publicBase } from '@galley/library/records'
import type { Environment, Network } from '@galley/platform'
import {
  bucketAddress,
  createBucket,
  createSemaphore,
  environmentKeys,
  folderStore,
  requestsAtATime,
  s3Store,
} from '@galley/platform'
import type { Cause, SecretsState } from '@galley/wire'
import { CausedError, cause } from '@galley/wire'

import { createClaims } from './claims.ts'
import { createHeldObjects } from './held-objects.ts'
import type { MediaPlace, MediaStore } from './publisher.ts'
import { createPublisher } from './publisher.ts'
import { checkTarget } from './target-check.ts'
import { createUnsettledUploads } from './unsettled-uploads.ts'

export interface PublisherPorts {
  readonly environment: Environment
  /** The name of the library. */
  readonly library: string
  readonly vault: Vault
  readonly network: Network
  readonly secrets: Pick<SiteSecrets, 'bucketKeys'>
  readonly settings: ReturnType<typeof createSettings>
  /** Whether a stored version or font set uses this public path, or may use it. */
  readonly isReferenced: (path: string) => boolean
  /** The delays between the attempts of a request. */
  readonly retryWaitsMs?: readonly number[] | undefined
}

/** The time limit for a save's files: enough at half a megabit per second. */
const uploadLimitMs = (sizeBytes: number): number => 120_000 + Math.ceil(sizeBytes / 64)

const withoutKeys: Readonly<Record<Exclude<SecretsState, 'missing'>, Cause>> = {
  locked: cause('bucket_keys_locked'),
  unavailable: cause('bucket_keys_unavailable'),
  changed: cause('bucket_keys_changed'),
}

/** The environment variables with bucket keys, and whether they are set; never their values. */
export const keyVariables = (environment: Environment): readonly KeyVariable[] =>
  ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'].map((name) => ({ name, isSet: Boolean(environment[name]) }))

/** Returns the publisher for a site's publishing target. */
export function createPublishers(ports: PublisherPorts) {
  const { environment, vault, secrets } = ports
  const waitsMs = ports.retryWaitsMs ?? [500, 2000]
  // One for each folder, because each one removes leftovers only once.
  const folders = new Map<string, MediaStore>()
  function folderAt(directory: string): MediaStore {
    const store = folders.get(directory) ?? folderStore(directory)
    folders.set(directory, store)
    return store
  }
  const closing = new AbortController()
  const agents = ports.network.agents({ keepAliveTimeout: 10_000 })
  const listenerProbe = createListenerProbe(ports.settings)
  const semaphore = createSemaphore(requestsAtATime)
  const shared = {
    vault,
    isReferenced: ports.isReferenced,
    waitsMs,
    closing: closing.signal,
    held: createHeldObjects(),
    claims: createClaims(ports.library),
    unsettled: createUnsettledUploads(ports.settings),
  }

  async function keysOf(site: Site): Promise<BucketKeys & { readonly sessionToken?: string | undefined }> {
    const own = await secrets.bucketKeys(site.id)
    if (own.ok) return own.value
    if (own.failure !== 'missing') throw new CausedError(withoutKeys[own.failure])
    const keys = environmentKeys(environment)
    if (keys === null) throw new CausedError(cause('no_bucket_keys'))
    return keys
  }

  async function placeOf(site: Site): Promise<MediaPlace> {
    const { publish } = site
    if (publish.kind === 'listener') throw new Error('The listener shows its files itself')
    if (publish.kind === 's3') return bucketPlace(site, publish)
    return { store: folderAt(publish.directory), prefix: '', publicUrl: null, limitMs: null }
  }

  async function bucketPlace(site: Site, target: BucketTarget): Promise<MediaPlace> {
    const { bucket: name, prefix, publicCheck } = target
    const { root, region, isFromEnvironment } = bucketAddress({ ...target, name }, environment)
    // The administrator sets the environment, which may point to any host, often on the local network.
    const agent = await agents.for(isFromEnvironment ? { environment: 'dev' } : site, new URL(root).hostname)
    const base = site.publicUrl
    const bucket = createBucket({ name, root, region, keys: await keysOf(site), agent, semaphore }, waitsMs)
    const names = prefix.split('/').filter(Boolean)
    return {
      store: s3Store(bucket, { prefix: '', compressed: false, isListed: false, waitsMs }),
      prefix: names.map((each) => `${each}/`).join(''),
      limitMs: uploadLimitMs,
      // Without its own public URL, the site's files are served by the listener, which has them after the save.
      publicUrl:
        base === null || publicCheck === 'off' ? null : { base, agent: await agents.for(site, new URL(base).hostname) },
    }
  }

  /** The listener is Galley's own: behind a tunnel or a split DNS, its name may resolve to a private address. */
  const publicAgent = ({ environment, publish, ...site }: Site) =>
    agents.for(
      publish.kind === 'listener' ? { environment: 'dev' } : { environment },
      new URL(publicBase(site)).hostname,
    )

  const pending = new Set<Promise<unknown>>()
  const noted = ({ publish }: Publisher): Publisher => ({
    async publish(files) {
      const published = publish(files)
      pending.add(published)
      try {
        return await published
      } finally {
        pending.delete(published)
      }
    },
  })

  return {
    /** Null: the listener serves the site's files itself. */
    of: (site: Site): Publisher | null =>
      site.publish.kind === 'listener' ? null : noted(createPublisher(() => placeOf(site), shared)),
    /** Publishes a small file as saves of a site are, fetches it like the hosted editor, and deletes it. */
    check: (site: Site, isListenerReached: boolean): Promise<readonly TargetFinding[]> =>
      checkTarget(site, isListenerReached, { placeOf, publicAgent, listenerProbe, waitsMs }),
    /** Aborts uploads. The next process deletes their leftovers. */
    async close(): Promise<void> {
      closing.abort()
      await Promise.allSettled(pending)
      await agents.destroy()
    },
  }
}

export type Publishers = ReturnType<typeof createPublishers>
