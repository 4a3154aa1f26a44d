import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type {
  Answer,
  CheckpointFiles,
  CheckpointKey,
  EntryKey,
  FileKey,
  Protocol,
  Request,
  Unknown,
  Upload,
} from '@galley/library'
import { positionIn } from '@galley/library'
import { forEachConcurrently } from '@galley/platform'
import { CausedError } from '@galley/wire'
import type { Sha256 } from '@galley/wire'

import { payloadOfFile, sha256OfFile } from './file-payload.ts'
import type { Payload, SharedBucket } from './shared-bucket.ts'
import { sha256Of } from './single-request.ts'

export interface ProtocolPorts {
  readonly bucket: SharedBucket
  /** The bytes of a file of the vault. */
  readonly payloadOf: (file: Sha256) => Payload
  /** For protocols that send or load checkpoints. */
  readonly checkpoints?: CheckpointFiles
  /** How long attempts are repeated. */
  readonly timeLimitMs: number
}

/** Runs a protocol against a bucket. Rejects with what the protocol throws, and with disk and index errors. */
export async function runProtocol<Value>(protocol: Protocol<Value>, ports: ProtocolPorts): Promise<Value> {
  const startedMs = performance.now()
  const leftMs = (): number => ports.timeLimitMs - (performance.now() - startedMs)
  for (let step = protocol.next(); ;) {
    if (step.done === true) return step.value
    const { value: request } = step
    let answer: Answer
    try {
      answer = await answerTo(request, ports, leftMs)
    } catch (error) {
      step = protocol.throw(error)
      continue
    }
    step = protocol.next(answer)
  }
}

async function answerTo(request: Request, ports: ProtocolPorts, leftMs: () => number): Promise<Answer> {
  const { bucket } = ports
  switch (request.kind) {
    case 'create':
      return bucket.create(request.key, request.bytes)
    case 'get':
      return entriesFrom(request.keys, bucket)
    case 'list':
      return bucket.listAfter(request.under, request.after)
    case 'replace':
      return allDone(request.keys, (key) => bucket.put(key, small(request.bytes)))
    case 'upload':
      return uploaded(request.files, ports)
    case 'remove':
      return allDone(request.keys, bucket.remove)
    case 'send_checkpoint':
      return sentCheckpoint(request.key, ports)
    case 'load_checkpoint':
      return readCheckpoint(request.key, ports, (files) => files.take)
    case 'check_checkpoint':
      return readCheckpoint(request.key, ports, (files) => files.judge)
    case 'wait':
      // A pause would only delay the caller if no attempt can follow it. One of no length lets other work run.
      if (request.ms > 0 && request.ms > leftMs()) return { kind: 'waited', isLate: true }
      await delay(request.ms)
      return { kind: 'waited', isLate: false }
  }
}

/** Enough to hide the storage's latency, and few enough for the connection of a small office. */
const uploadsAtOnce = 6
const smallAtOnce = 16

/** Sends small requests in parallel. The first refusal ends them; if one is lost, all can be sent again. */
async function allDone<Key>(
  keys: readonly Key[],
  send: (key: Key) => Promise<Awaited<ReturnType<SharedBucket['remove']>>>,
): Promise<Answer> {
  const lost: Unknown[] = []
  await forEachConcurrently(keys, smallAtOnce, new AbortController().signal, async (key) => {
    const answer = await send(key)
    if (answer.kind === 'refused') throw new CausedError(answer.why)
    if (answer.kind === 'unknown') lost.push(answer)
  })
  return lost.length === 0 ? { kind: 'done' } : { kind: 'unknown', afterMs: longestOf(lost) }
}

const longestOf = (lost: readonly Unknown[]): number => Math.max(0, ...lost.map(({ afterMs = 0 }) => afterMs))

/** Sends files in parallel. The first refusal ends the upload. */
async function uploaded(files: readonly Upload[], { bucket, payloadOf }: ProtocolPorts): Promise<Answer> {
  const keys: FileKey[] = []
  const lost: Unknown[] = []
  await forEachConcurrently(files, uploadsAtOnce, new AbortController().signal, async ({ key, file }) => {
    const answer = await bucket.put(key, payloadOf(file))
    if (answer.kind === 'refused') throw new CausedError(answer.why)
    if (answer.kind === 'done') keys.push(key)
    else lost.push(answer)
  })
  return { kind: 'uploaded', keys, afterMs: longestOf(lost) }
}

const checkpointFiles = ({ checkpoints }: ProtocolPorts): CheckpointFiles => {
  if (checkpoints === undefined) throw new Error('No checkpoint passes here')
  return checkpoints
}

/** Sends the checkpoint and reads it back, because entries will be folded into it. */
async function sentCheckpoint(key: CheckpointKey, ports: ProtocolPorts): Promise<Answer> {
  const { bucket } = ports
  const path = checkpointFiles(ports).pathOf(positionIn(key) ?? 0)
  const payload = payloadOfFile(path, await sha256OfFile(path))
  const sent = await bucket.put(key, payload)
  if (sent.kind !== 'done') return sent
  const copy = arriving(path)
  try {
    const found = await bucket.fetch(key, copy, payload.sizeBytes)
    if (found.kind === 'refused' || found.kind === 'unknown') return found
    return found.kind === 'found' && found.sha256 === payload.sha256 ? { kind: 'done' } : { kind: 'unknown' }
  } finally {
    await rm(copy, { force: true })
  }
}

async function readCheckpoint(
  key: CheckpointKey,
  ports: ProtocolPorts,
  use: (files: CheckpointFiles) => CheckpointFiles['take'],
): Promise<Answer> {
  const files = checkpointFiles(ports)
  const position = positionIn(key) ?? 0
  const path = files.pathOf(position)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const fetched = arriving(path)
  try {
    const found = await ports.bucket.fetch(key, fetched, await files.maxBytes())
    if (found.kind === 'longer') return { kind: 'no_room' }
    if (found.kind !== 'found') return found
    const verdict = await use(files)(position, fetched)
    return { kind: verdict === 'fit' ? 'done' : verdict === 'unfit' ? 'absent' : verdict }
  } finally {
    await rm(fetched, { force: true })
  }
}

/** A temporary name, which the sweep of the checkpoint folder removes. */
const arriving = (path: string): string => join(dirname(path), `unfinished-${randomUUID()}`)

/** How much of an entry is read beside others. A larger one is read alone, so that those of one request fit into memory. */
const besideOthersMaxBytes = 1024 ** 2

/** Reads entries in parallel, up to the first one that is missing or must be read separately. */
async function entriesFrom(keys: readonly EntryKey[], bucket: SharedBucket): Promise<Answer> {
  const [first] = keys
  if (first === undefined) return { kind: 'found', objects: [], isCut: false }
  if (keys.length === 1) return upToTheFirstGap([await bucket.get(first)])
  const all = await Promise.all(keys.map((key) => bucket.getUpTo(key, besideOthersMaxBytes)))
  return upToTheFirstGap(all[0]?.kind === 'longer' ? [await bucket.get(first), { kind: 'longer' }] : all)
}

function upToTheFirstGap(all: readonly Awaited<ReturnType<SharedBucket['getUpTo']>>[]): Answer {
  const objects: Uint8Array[] = []
  for (const got of all) {
    if (got.kind === 'absent') break
    if (got.kind === 'longer' || (got.kind === 'unknown' && objects.length > 0))
      return { kind: 'found', objects, isCut: true }
    if (got.kind !== 'found') return got
    objects.push(got.bytes)
  }
  return { kind: 'found', objects, isCut: false }
}

const small = (bytes: Uint8Array): Payload => ({
  sha256: sha256Of(bytes),
  sizeBytes: bytes.length,
  read: () => Readable.from([bytes]),
})
