import type { Agent } from 'undici'

import type { Cause } from '../../../contract/cause.ts'
import { CausedError } from '../../../contract/cause.ts'
import type { Sha256 } from '../../../contract/ids.ts'
import { httpClient } from '../../platform/network/http-client.ts'
import { bucketAddress } from '../../platform/s3/environment.ts'
import type { CheckpointFiles, Protocol } from '../team/requests.ts'
import { drive } from './drive.ts'
import { payloadOfFile } from './file-payload.ts'
import type { TeamLocation } from './membership.ts'
import { createS3SharedBucket } from './s3-shared-bucket.ts'
import type { SharedBucket } from './shared-bucket.ts'

/** The keys for the bucket. */
export interface TeamKeys {
  readonly id: string
  readonly secret: string
}

export interface TeamPorts {
  readonly place: TeamLocation
  /** Called at the first request, and again after a request that failed. Throws if there are no keys. */
  readonly keys: () => Promise<TeamKeys>
  /** The path of a file of the vault, which is named by its hash. */
  readonly pathOf: (file: Sha256) => string
  /** Once aborted, nothing more is sent. */
  readonly signal?: AbortSignal
}

/** The time limit for an entry and what it needs. */
const timeLimitMs = 10_000
const connectMs = 2_000

/** Refuses requests after an abort, so that callers stop repeating them. */
function stoppable(bucket: SharedBucket, signal: AbortSignal): SharedBucket {
  const wanted =
    <Args extends readonly unknown[], Value>(send: (...args: Args) => Promise<Value>) =>
    (...args: Args): Promise<Value> => {
      signal.throwIfAborted()
      return send(...args)
    }
  return {
    create: wanted(bucket.create),
    get: wanted(bucket.get),
    getUpTo: wanted(bucket.getUpTo),
    fetch: wanted(bucket.fetch),
    listAfter: wanted(bucket.listAfter),
    put: wanted(bucket.put),
    remove: wanted(bucket.remove),
  }
}

/** Calls `refused` when the bucket refuses a write, because of the keys or for lack of space. */
function watched(bucket: SharedBucket, refused: (why: Cause) => void): SharedBucket {
  const watch = async <Answer extends Awaited<ReturnType<SharedBucket['create' | 'put']>>>(
    sent: Promise<Answer>,
  ): Promise<Answer> => {
    const answer = await sent
    if (answer.kind === 'refused') refused(answer.why)
    return answer
  }
  return {
    ...bucket,
    create: (key, bytes) => watch(bucket.create(key, bytes)),
    put: (key, payload) => watch(bucket.put(key, payload)),
  }
}

/** Connects to the bucket of a team library. Nothing is sent before the first request. */
export function connectTeam({ place, keys, pathOf, signal }: TeamPorts) {
  let agent: Promise<Agent> | null = null
  let bucket: SharedBucket | null = null
  let refused: Cause | null = null
  let onRefused: (why: Cause) => void = () => undefined

  async function reached(): Promise<SharedBucket> {
    if (refused) throw new CausedError(refused)
    if (bucket) return bucket
    const known = await keys()
    agent ??= httpClient().then(({ Agent: Connections }) => new Connections({ connect: { timeout: connectMs } }))
    // Only the given values: environment variables of other tools must not redirect a library to another bucket.
    const { root, region } = bucketAddress({ ...place, name: place.bucket }, {})
    const access = { name: place.bucket, root, prefix: place.prefix, region, keys: known, agent: await agent }
    const reachable = watched(createS3SharedBucket(access), (why) => onRefused(why))
    bucket ??= signal ? stoppable(reachable, signal) : reachable
    return bucket
  }

  return {
    reached,
    /** Calls the listener, of which there is one, whenever the bucket refuses a write. */
    onRefusedWrite: (listener: (why: Cause) => void): void => void (onRefused = listener),
    /** Refuses all further requests, for this reason. */
    refuse: (why: Cause): void => void (refused = why),
    /** Runs a protocol of the team's log against the bucket, for at most `forMs`. */
    async run<Value>(protocol: Protocol<Value>, forMs = timeLimitMs, checkpoints?: CheckpointFiles): Promise<Value> {
      const ports = { payloadOf: (file: Sha256) => payloadOfFile(pathOf(file), file), timeLimitMs: forMs }
      return drive(protocol, { ...ports, bucket: await reached(), ...(checkpoints && { checkpoints }) })
    },
    close: async (): Promise<void> => (await agent)?.destroy(),
  }
}

export type TeamConnection = ReturnType<typeof connectTeam>
