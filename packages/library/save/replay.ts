import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { recordSteps } from '@galley/platform'
import type { CallbackFailure, Result, Sha256 } from '@galley/wire'
import { fail, failureAnswer, judgeCallback, ok, readCallbackBody, successMessage } from '@galley/wire'

import type { CallbackRecord } from '../records/callback-record.ts'
import type { Site } from '../records/site.ts'
import type { Accepted } from './answer.ts'
import type { Save } from './content.ts'
import { checkRules, ruleFacts } from './judge.ts'
import type { ReceivePorts } from './receive.ts'
import type { ArchiveSource, StorePorts } from './store.ts'
import { store } from './store.ts'

/** The result of a callback, at its arrival or in a replay. */
export type ReplayEnd = Pick<CallbackRecord, 'outcome' | 'code' | 'rm' | 'versionId'>

/** A callback's original response, and the response that this Galley version would give. */
export interface Replayed {
  readonly before: ReplayEnd
  readonly after: ReplayEnd
}

/**
 * Processes a logged callback again, from its stored archive. Sends nothing: a callback without a stored archive ends at the
 * download step.
 */
export function createReplay(ports: StorePorts & Pick<ReceivePorts, 'isConfirmed'>, now: () => Date) {
  const { index, vault } = ports
  const rules = ruleFacts(index, now)

  function judge(record: CallbackRecord, site: Site): Result<Save, CallbackFailure> {
    if (!ports.isConfirmed(site)) return fail({ kind: 'site_unconfirmed' })
    if (record.signature !== 'valid')
      return fail({ kind: 'invalid_signature', header: record.signature === 'missing' ? 'missing' : 'wrong' })
    // If the payload was too large to store, uses the data in the log.
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

  /** The stored archive, and the hash of the received one. They differ if credentials were removed. */
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
    // A command may replay while a listener runs or starts; the lock prevents the listener from cleaning up staging.
    const release = await vault.share()
    const result = await store(ports, save.value, source, dryRun).finally(release)
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
