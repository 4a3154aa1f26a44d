import { createHash, randomUUID } from 'node:crypto'
import { chmod, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import type { Agent } from 'undici'

import type { BucketTarget, Site } from '../../../contract/domain/site.ts'
import { publicBase } from '../../../contract/domain/site.ts'
import type { SiteCheckCode, TargetFinding } from '../../../contract/ipc/sites.ts'
import { makeFolder } from '../../platform/disk/make-folder.ts'
import { unlessModeIsFixed } from '../../platform/disk/share-limits.ts'
import { isStorageFault, storageCause } from '../../platform/disk/storage-reason.ts'
import type { createListenerProbe } from './listener-probe.ts'
import { readPublicMedia } from './public-read.ts'
import type { UploadTarget } from './s3.ts'
import { keyOf } from './s3.ts'

/** Access to a site's bucket and public URL, and to what the listener shows. */
export interface TargetAccess {
  placeOf(site: Site, target: BucketTarget): Promise<UploadTarget>
  publicAgent(site: Site): Promise<Agent>
  readonly listenerProbe: ReturnType<typeof createListenerProbe>
  /** The delays between the attempts to fetch the file. */
  readonly waitsMs: readonly number[]
}

/** A small font file: browsers refuse fonts from servers that do not allow other origins. */
interface Probe {
  readonly path: string
  readonly bytes: Buffer
}

const checkLimitMs = 30_000
/** Its own, so that a public URL that hangs leaves no file behind. */
const removalLimitMs = 10_000

/**
 * Publishes a small font file as saves of a site are, fetches it like the hosted editor, and deletes it.
 * `isListenerReached`: whether requests to the site's public URL can reach the listener at all.
 */
export async function checkTarget(
  site: Site,
  isListenerReached: boolean,
  publishers: TargetAccess,
): Promise<readonly TargetFinding[]> {
  const id = randomUUID()
  const probe = { path: `/fonts/galley-probe-${id}.woff2`, bytes: Buffer.from(`Galley probe ${id}`) }
  const signal = AbortSignal.timeout(checkLimitMs)
  if (site.publish.kind === 'listener') {
    return isListenerReached ? probeListener(site, publishers, probe, signal) : []
  }
  const written = await outcome('target_write', 'target_written', 'target_refused', async () => {
    const target = await targetOf(site, publishers, probe, signal)
    await target.put()
    return target
  })
  if (written.value === null) return [written.finding]
  const { remove } = written.value
  const seen = await probeTarget(site, publishers, probe, signal)
  const removed = await outcome('target_delete', 'target_deleted', 'target_kept', remove)
  return [written.finding, ...seen, removed.finding]
}

async function probeListener(site: Site, publishers: TargetAccess, probe: Probe, signal: AbortSignal) {
  const { listenerProbe } = publishers
  listenerProbe.show(probe.path, probe.bytes.toString())
  try {
    return await probePublic(site, publishers, probe, signal)
  } finally {
    listenerProbe.hide(probe.path)
  }
}

async function probeTarget(
  site: Site,
  publishers: TargetAccess,
  probe: Probe,
  signal: AbortSignal,
): Promise<readonly TargetFinding[]> {
  if (site.publicUrl !== null) return probePublic(site, publishers, probe, signal)
  // A web server may publish the folder at the origin of the callback URL. A bucket is never public there.
  return site.publish.kind === 's3' ? [{ name: 'public_read', code: 'public_unset', ok: false, why: null }] : []
}

async function probePublic(
  site: Site,
  publishers: TargetAccess,
  { path, bytes }: Probe,
  signal: AbortSignal,
): Promise<readonly TargetFinding[]> {
  const { origin } = new URL(site.baseUrl)
  const agent = await publishers.publicAgent(site)
  const file = { start: bytes, type: 'font/woff2', isExact: true }
  const reader = { agent, origin, signal, waitsMs: publishers.waitsMs }
  const { problem, allowedOrigin } = await readPublicMedia(`${publicBase(site)}${path}`, file, reader)
  if (problem !== null) return [{ name: 'public_read', code: 'public_unreadable', ok: false, why: problem }]
  const isAllowed = allowedOrigin === '*' || allowedOrigin === origin
  return [
    { name: 'public_read', code: 'public_readable', ok: true, why: null },
    { name: 'font_cors', code: isAllowed ? 'cors_allowed' : 'cors_missing', ok: isAllowed, why: null },
  ]
}

async function targetOf(
  { publish, ...site }: Site,
  publishers: TargetAccess,
  { path, bytes }: Probe,
  signal: AbortSignal,
) {
  if (publish.kind === 'folder') {
    const file = join(publish.directory, path)
    return {
      async put(): Promise<void> {
        // Created as by a save: readable for the web server, whatever the umask.
        await makeFolder(dirname(file), 0o755)
        await writeFile(file, bytes, { flag: 'wx', mode: 0o644 })
        await unlessModeIsFixed(chmod(file, 0o644))
      },
      remove: () => rm(file),
    }
  }
  if (publish.kind === 'listener') throw new Error('A listener has no target')
  const { bucket, prefix } = await publishers.placeOf({ publish, ...site }, publish)
  const key = keyOf(prefix, path)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const payload = { sha256, sizeBytes: bytes.length, read: () => Readable.from([bytes]) }
  return {
    async put(): Promise<void> {
      const answer = await bucket.ask(
        { method: 'PUT', key, headers: { 'content-type': 'font/woff2' }, payload },
        signal,
      )
      if (answer.status !== 200) throw bucket.refused(answer)
    },
    async remove(): Promise<void> {
      const answer = await bucket.ask({ method: 'DELETE', key }, AbortSignal.timeout(removalLimitMs))
      if (answer.status >= 300) throw bucket.refused(answer)
    },
  }
}

/** Runs an operation that the target or the disk may refuse; then the value is null. */
async function outcome<Value>(
  name: TargetFinding['name'],
  fine: SiteCheckCode,
  wrong: SiteCheckCode,
  action: () => Promise<Value>,
): Promise<{ readonly finding: TargetFinding; readonly value: Value | null }> {
  try {
    const value = await action()
    return { finding: { name, code: fine, ok: true, why: null }, value }
  } catch (error) {
    if (!isStorageFault(error)) throw error
    return { finding: { name, code: wrong, ok: false, why: storageCause(error) }, value: null }
  }
}
