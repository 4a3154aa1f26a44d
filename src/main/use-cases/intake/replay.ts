import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

import { failureAnswer, successMessage } from '../../../contract/protocol/answer.ts'
import type { CallbackRecord } from '../../../contract/domain/callback-record.ts'
import { judgeCallback, readCallbackBody } from '../../../contract/protocol/callback.ts'
import type { CallbackFailure } from '../../../contract/protocol/failure.ts'
import type { Sha256 } from '../../../contract/ids.ts'
import type { Result } from '../../../contract/result.ts'
import { fail, ok } from '../../../contract/result.ts'
import type { Site } from '../../../contract/domain/site.ts'
import type { Save } from './content.ts'
import type { Accepted, ArchiveSource, IngestPorts } from './ingest.ts'
import { ingest } from './ingest.ts'
import { checkRules, ruleFacts } from './rules.ts'
import { recordSteps } from './steps.ts'

/** How a callback ended, then or now. */
export type ReplayEnd = Pick<CallbackRecord, 'outcome' | 'code' | 'rm' | 'versionId'>

/** The same callback before and after: what was answered, and what today's Galley would answer. */
export interface Replayed {
  readonly before: ReplayEnd
  readonly after: ReplayEnd
}

/**
 * Runs a logged callback again through the local pipeline, from the archive that was kept. Nothing is sent out: a
 * callback whose archive was not kept ends where its download would begin.
 */
export function createReplay(ports: IngestPorts, now: () => Date) {
  const { index, vault } = ports
  const rules = ruleFacts(index, now)

  function judge(record: CallbackRecord, site: Site): Result<Save, CallbackFailure> {
    if (!ports.isConfirmed(site)) return fail({ kind: 'site_unconfirmed' })
    if (record.signature !== 'valid')
      return fail({ kind: 'invalid_signature', header: record.signature === 'missing' ? 'missing' : 'wrong' })
    // Of a payload that was too large to keep, what the log knows is left.
    const { kind: event, materialId: material_id, contentUrl: content_url } = record
    const payload = index.callbacks.payload(record.id) ?? JSON.stringify({ event, material_id, content_url })
    const body = readCallbackBody(payload)
    if (!body.ok) return body
    const judged = judgeCallback(body.value, site)
    if (!judged.ok) return judged
    const allowed = checkRules(site, judged.value, rules)
    if (!allowed.ok) return allowed
    return ok({
      id: record.id,
      site,
      callback: judged.value,
      receivedAt: now().toISOString(),
      request: requestOf(record),
      steps: recordSteps(),
      startedMs: performance.now(),
    })
  }

  function requestOf({ id }: CallbackRecord): Save['request'] {
    const { payload = null, headers = [], bodyBytes = null } = index.callbackRequests.find(id) ?? {}
    return { payload, headers, bodyBytes }
  }

  /** The archive that was kept, and the hash of the one it stands for: they differ where credentials were removed. */
  function keptArchive({
    kind,
    site,
    materialId,
    versionId,
  }: CallbackRecord): { kept: Sha256; received: Sha256 } | null {
    if (materialId === null || versionId === null) return null
    if (kind === 'article_saved') {
      const version = index.versions.find(site, materialId, versionId)
      return version && { kept: version.keptSha256, received: version.archiveSha256 }
    }
    const snapshot = index.snapshots.find(site, versionId)
    const received = index.snapshots.archiveOf(site, versionId)
    return snapshot && received && { kept: snapshot.kept, received }
  }

  return async (record: CallbackRecord, dryRun: boolean): Promise<Replayed | null> => {
    const site = index.sites.find(record.site)
    if (!site) return null
    const before = endOf(record)
    const save = judge(record, site)
    if (!save.ok) return { before, after: endOfFailure(save.failure) }
    const archive = keptArchive(record)
    const source: ArchiveSource = async (path) => {
      const place = archive && index.blobs.find(archive.kept)
      if (!archive || !place) return fail({ kind: 'archive_not_kept' })
      await pipeline(vault.read(place), createWriteStream(path, { flags: 'wx', mode: 0o600 }))
      return ok({ path, sha256: archive.received, sizeBytes: place.sizeBytes })
    }
    // A command replays beside the listener, and one that starts meanwhile sweeps staging unless somebody shares the files.
    const release = await vault.share()
    const result = await ingest(ports, save.value, source, dryRun).finally(release)
    return { before, after: result.ok ? endOfAccepted(save.value, result.value) : endOfFailure(result.failure) }
  }
}

const endOf = ({ outcome, code, rm, versionId }: CallbackRecord): ReplayEnd => ({ outcome, code, rm, versionId })

function endOfFailure(failure: CallbackFailure): ReplayEnd {
  const { outcome, body } = failureAnswer(failure)
  return { outcome, code: body.code, rm: body.rm, versionId: null }
}

const endOfAccepted = ({ callback }: Save, { outcome, versionId }: Accepted): ReplayEnd => ({
  outcome,
  code: null,
  rm: successMessage[callback.event],
  versionId,
})

export type Replay = ReturnType<typeof createReplay>
