import type { Agent } from 'undici'

import type { Cause } from '../../../contract/cause.ts'
import { CausedError } from '../../../contract/cause.ts'
import type { Sha256 } from '../../../contract/ids.ts'
import { httpClient } from '../../platform/network/http-client.ts'
import { bucketAddress } from '../../platform/s3/environment.ts'
import type { CheckpointFiles, Protocol } from '../team/requests.ts'
import { drive } from './drive.ts'
import { payloadOfFile } from './file-payload.ts'
import type { TeamPlace } from './membership.ts'
import { createS3SharedBucket } from './s3-shared-bucket.ts'
import type { SharedBucket } from './shared-bucket.ts'

/** What a bucket is reached with. */
export interface TeamKeys {
  readonly id: string
  readonly secret: string
}

export interface TeamPorts {
  readonly place: TeamPlace
  /** Asked for at the first request, and again after one that failed. Throws where they cannot be had. */
  readonly keys: () => Promise<TeamKeys>
  /** Where a file of the vault is, named by its hash. */
  readonly pathOf: (file: Sha256) => string
  /** Sends nothing any more once it aborts. */
  readonly signal?: AbortSignal
}

/** How long an entry, and what it needs, is tried for. */
const patienceMs = 10_000
const connectMs = 2_000

/** The bucket until somebody wants no more of it: whoever waits for an answer would ask again otherwise. */
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
    fetch: wanted(bucket.fetch),
    listAfter: wanted(bucket.listAfter),
    put: wanted(bucket.put),
    remove: wanted(bucket.remove),
  }
}

/** Reaches the bucket of a team library. Nothing is sent before something is asked for. */
export function connectTeam({ place, keys, pathOf, signal }: TeamPorts) {
  let agent: Promise<Agent> | null = null
  let bucket: SharedBucket | null = null
  let refused: Cause | null = null

  async function reached(): Promise<SharedBucket> {
    if (refused) throw new CausedError(refused)
    if (bucket) return bucket
    const known = await keys()
    agent ??= httpClient().then(({ Agent: Connections }) => new Connections({ connect: { timeout: connectMs } }))
    // Only what was said: a variable for other tools must not turn a library to another bucket.
    const { root, region } = bucketAddress({ ...place, name: place.bucket }, {})
    const access = { name: place.bucket, root, prefix: place.prefix, region, keys: known, agent: await agent }
    bucket ??= signal ? stoppable(createS3SharedBucket(access), signal) : createS3SharedBucket(access)
    return bucket
  }

  return {
    reached,
    /** Sends nothing any more, for this reason. */
    refuse: (why: Cause): void => void (refused = why),
    /** Runs a protocol of the team's log against the bucket, for as long as `forMs`. */
    async run<Value>(protocol: Protocol<Value>, forMs = patienceMs, checkpoints?: CheckpointFiles): Promise<Value> {
      const ports = { payloadOf: (file: Sha256) => payloadOfFile(pathOf(file), file), patienceMs: forMs }
      return drive(protocol, { ...ports, bucket: await reached(), ...(checkpoints && { checkpoints }) })
    },
    close: async (): Promise<void> => (await agent)?.destroy(),
  }
}

export type TeamConnection = ReturnType<typeof connectTeam>
