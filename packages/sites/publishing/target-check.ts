import { randomUUID } from 'node:crypto'
import type { createListenerProbe } from '@galley/library'
import type { Site, SiteCheckCode, TargetFinding } from '@galley/library/records'
import { publicBase } from '@galley/library/records'
import { isStorageFault, storageCause, textFile } from '@galley/platform'
import type { Agent } from 'undici'

import { readPublicMedia } from './public-read.ts'
import type { MediaPlace } from './publisher.ts'
import { pathIn } from './publisher.ts'

/** Access to a site's store and public URL, and to what the listener shows. */
export interface TargetAccess {
  placeOf(site: Site): Promise<MediaPlace>
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
    const { store, prefix } = await publishers.placeOf(site)
    const path = pathIn(prefix, probe.path)
    await store.put(textFile(path, probe.bytes.toString(), 'font/woff2'), signal)
    return () => store.delete([path], AbortSignal.timeout(removalLimitMs))
  })
  if (written.value === null) return [written.finding]
  const seen = await probeTarget(site, publishers, probe, signal)
  const removed = await outcome('target_delete', 'target_deleted', 'target_kept', written.value)
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
