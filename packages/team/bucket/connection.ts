import type { CheckpointFiles, Protocol, Refused } from '@galley/library'
import type { Network } from '@galley/platform'
import { bucketAddress } from '@galley/platform'
import type { Cause, CauseCode, Sha256 } from '@galley/wire'
import { CausedError } from '@galley/wire'

import { payloadOfFile } from './file-payload.ts'
import type { TeamLocation } from './membership.ts'
import { runProtocol } from './run-protocol.ts'
import { createS3SharedBucket } from './s3-shared-bucket.ts'
import type { SharedBucket } from './shared-bucket.ts'

/** The keys for the bucket. */
export interface TeamKeys {
  readonly id: string
  readonly secret: string
}

export interface TeamPorts {
  readonly place: TeamLocation
  readonly network: Network
  /** Called at the first request, and after each that is refused because of its keys. Throws CausedError if there are none. */
  readonly keys: () => Promise<TeamKeys>
  /** The path of a file of the vault, which is named by its hash. */
  readonly pathOf: (file: Sha256) => string
  /** How long a bucket is asked again that does not answer, for an entry and what it needs. */
  readonly patienceMs?: number | undefined
  /** Once aborted, nothing more is sent. */
  readonly signal?: AbortSignal
}

const connectMs = 2_000

/** Refusals that other keys may end. */
const ofKeys: ReadonlySet<CauseCode> = new Set([
  'bucket_key_unknown',
  'bucket_key_wrong',
  'bucket_key_expired',
  'bucket_denied',
])

interface Opened {
  readonly keys: TeamKeys
  readonly bucket: SharedBucket
}

type Sent = { readonly kind: string } | Refused

const refusalIn = (answer: Sent): Cause | null => ('why' in answer ? answer.why : null)

/**
 * A bucket whose requests use the keys that are kept now: one that is refused because of its keys is sent again if other
 * keys were kept in the meantime. It sends nothing after an abort.
 */
function renewing(
  first: Opened,
  openAgain: (refused: TeamKeys) => Promise<Opened | null>,
  { signal, onRefused }: { readonly signal?: AbortSignal; readonly onRefused: (why: Cause) => void },
): SharedBucket {
  let opened = first

  const sent =
    <Args extends readonly unknown[], Answer extends Sent>(
      requestOf: (bucket: SharedBucket) => (...args: Args) => Promise<Answer>,
    ) =>
    async (...args: Args): Promise<Answer> => {
      signal?.throwIfAborted()
      const used = opened
      const answer = await requestOf(used.bucket)(...args)
      const why = refusalIn(answer)
      if (why === null || !ofKeys.has(why.code)) return answer
      // Another request may have been refused before, and have found the new keys.
      const other = opened === used ? await openAgain(used.keys) : opened
      if (other === null) return answer
      opened = other
      signal?.throwIfAborted()
      return requestOf(other.bucket)(...args)
    }

  /** Reports the refusal of a write, because of the keys or for lack of space. */
  const written =
    <Args extends readonly unknown[], Answer extends Sent>(write: (...args: Args) => Promise<Answer>) =>
    async (...args: Args): Promise<Answer> => {
      const answer = await write(...args)
      const why = refusalIn(answer)
      if (why !== null) onRefused(why)
      return answer
    }

  return {
    create: written(sent(({ create }) => create)),
    get: sent(({ get }) => get),
    getUpTo: sent(({ getUpTo }) => getUpTo),
    fetch: sent(({ fetch }) => fetch),
    listAfter: sent(({ listAfter }) => listAfter),
    put: written(sent(({ put }) => put)),
    remove: sent(({ remove }) => remove),
  }
}

/** Only the given values: environment variables of other tools must not redirect a library to another bucket. */
const addressOf = (place: TeamLocation) => bucketAddress({ ...place, name: place.bucket }, {})

/** The URL of a team's bucket. */
export const rootOf = (place: TeamLocation): string => addressOf(place).root

/** Connects to the bucket of a team library. Nothing is sent before the first request. */
export function connectTeam({ place, network, keys, pathOf, patienceMs = 10_000, signal }: TeamPorts) {
  const connections = network.connections({ connectMs }, 'anywhere')
  let bucket: SharedBucket | null = null
  let reading: Promise<TeamKeys | null> | null = null
  let refused: Cause | null = null
  let onRefused: (why: Cause) => void = () => undefined

  async function opened(known: TeamKeys): Promise<Opened> {
    const { root, region } = addressOf(place)
    const access = {
      name: place.bucket,
      root,
      prefix: place.prefix,
      region,
      keys: known,
      agent: await connections.get(),
    }
    return { keys: known, bucket: createS3SharedBucket(access) }
  }

  async function openAgain({ id, secret }: TeamKeys): Promise<Opened | null> {
    // Requests that are refused together ask once. A keychain that is locked changes nothing about the refusal.
    reading ??= keys()
      .catch(unlessCaused)
      .finally(() => (reading = null))
    const known = await reading
    return known === null || (known.id === id && known.secret === secret) ? null : opened(known)
  }

  async function reached(): Promise<SharedBucket> {
    if (refused) throw new CausedError(refused)
    if (bucket) return bucket
    const first = await opened(await keys())
    bucket ??= renewing(first, openAgain, { ...(signal && { signal }), onRefused: (why) => onRefused(why) })
    return bucket
  }

  return {
    reached,
    patienceMs,
    /** Calls the listener, of which there is one, whenever the bucket refuses a write. */
    onRefusedWrite: (listener: (why: Cause) => void): void => void (onRefused = listener),
    /** Refuses all further requests, for this reason. */
    refuse: (why: Cause): void => void (refused = why),
    /** Runs a protocol of the team's log against the bucket, for at most `forMs`. */
    async run<Value>(protocol: Protocol<Value>, forMs = patienceMs, checkpoints?: CheckpointFiles): Promise<Value> {
      const ports = { payloadOf: (file: Sha256) => payloadOfFile(pathOf(file), file), timeLimitMs: forMs }
      return runProtocol(protocol, { ...ports, bucket: await reached(), ...(checkpoints && { checkpoints }) })
    },
    close: connections.destroy,
  }
}

function unlessCaused(error: unknown): null {
  if (!(error instanceof CausedError)) throw error
  return null
}

export type TeamConnection = ReturnType<typeof connectTeam>
