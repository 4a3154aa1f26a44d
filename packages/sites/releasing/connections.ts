import { randomUUID } from 'node:crypto'
import type { Index, SiteSecrets } from '@galley/library'
import { bundlePath } from '@galley/library/records'
import type { Target, TargetLocation } from '@galley/library/records'
import {
  bucketAddress,
  createBucket,
  createSemaphore,
  environmentKeys,
  isStorageFault,
  probeFile,
  s3Store,
  sha256Of,
  storageCause,
} from '@galley/platform'
import type { Semaphore } from '@galley/platform'
import type { Cause } from '@galley/wire'
import { CausedError, cause } from '@galley/wire'
import type { Agent } from 'undici'

import { folderTarget } from './folder-target.ts'
import { awaitFolderPage, missingAddressFault } from './public-check.ts'
import type { ReleaseFile } from './release-record.ts'
import { remoteTarget } from './remote-target.ts'
import type { SftpOptions } from './sftp-session.ts'
import { sftpStore } from './sftp-store.ts'
import type { ReleaseTarget } from './target-port.ts'
import { hostKeyNote } from './target-settings.ts'

const computerNote = 'publishing-computer'

export interface ConnectionPorts {
  readonly secrets: SiteSecrets
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly agentOf: (url: string) => Promise<Agent>
  readonly settings: Index['settings']
  /** What the target shows as far as this library knows, and the base URL of its site. */
  readonly shownOn: (
    target: Target,
  ) => Promise<{ readonly files: readonly ReleaseFile[]; readonly baseUrl: string | null }>
  readonly waitsMs: readonly number[]
  readonly stallMs: number
}

/**
 * A check of a target and its result, a problem or null; `detail` is a fact to show. A check that is `ok` and has a reason
 * is a note.
 */
export interface TargetFinding {
  readonly name: 'connect' | 'write' | 'public_url' | 'host_key' | 'home_page' | 'missing_page' | 'base_url'
  readonly ok: boolean
  readonly why: Cause | null
  readonly detail: string | null
}

function causeOf(error: unknown): Cause {
  if (!isStorageFault(error)) throw error
  return storageCause(error)
}

/** What is on another host than a site says, which its publisher may not expect. */
export function baseUrlRemarks({ publicUrl }: Pick<Target, 'publicUrl'>, baseUrl: string | null): readonly Cause[] {
  const isElsewhere = publicUrl !== null && baseUrl !== null && new URL(publicUrl).host !== new URL(baseUrl).host
  return isElsewhere ? [cause('base_url_elsewhere', { name: publicUrl })] : []
}

/** What readers get: the check's file at the address of its folder, then what the target shows. */
async function publicFindings(
  target: Target & { readonly publicUrl: string },
  path: string,
  { agentOf, waitsMs, stallMs, shownOn }: Pick<ConnectionPorts, 'agentOf' | 'waitsMs' | 'stallMs' | 'shownOn'>,
): Promise<readonly TargetFinding[]> {
  const { publicUrl } = target
  const limit = AbortSignal.timeout(stallMs / 2)
  const reader = { agent: await agentOf(publicUrl), signal: limit, waitsMs, stallMs }
  try {
    const found = await awaitFolderPage(publicUrl, path, sha256Of(path), reader)
    const isRead = found === 'same'
    const read = { name: 'public_url', ok: isRead, why: isRead ? null : found.reason, detail: publicUrl } as const
    if (!isRead) return [read]
    const { files, baseUrl } = await shownOn(target)
    const home = files.find((file) => file.path === bundlePath.home)
    const shown = home && (await awaitFolderPage(publicUrl, home.path, home.sha256, reader))
    const missing = await missingAddressFault(publicUrl, files, reader)
    return [
      read,
      ...(shown === undefined
        ? []
        : [
            {
              name: 'home_page',
              ok: shown === 'same',
              why: shown === 'same' ? null : shown.reason,
              detail: null,
            } as const,
          ]),
      { name: 'missing_page', ok: true, why: missing, detail: null },
      ...baseUrlRemarks(target, baseUrl).map((why) => ({ name: 'base_url', ok: true, why, detail: baseUrl }) as const),
    ]
  } catch (error) {
    if (limit.aborted) return [{ name: 'public_url', ok: false, why: cause('public_unreached'), detail: publicUrl }]
    throw error
  }
}

/** A random name of this computer, which tells its publications from those of others. */
function computerOf(settings: ConnectionPorts['settings']): string {
  const known = settings.get(computerNote)
  if (known !== null) return known
  settings.put(computerNote, randomUUID())
  return computerOf(settings)
}

/** The host key that this computer knows of a server. */
const hostKeyOf = (settings: ConnectionPorts['settings'], place: SftpOptions['place']) => ({
  knownHostKey: settings.get(hostKeyNote(place)),
  rememberHostKey: (fingerprint: string): void => settings.put(hostKeyNote(place), fingerprint),
})

/** Connects to targets and checks them. */
export function createConnections(ports: ConnectionPorts) {
  const { agentOf, waitsMs, stallMs, secrets, environment, settings, shownOn } = ports
  const semaphore = createSemaphore(16)
  const publisher = { computer: () => computerOf(settings), stallMs }

  async function keyOf({ site, name }: Target): Promise<string | null> {
    const key = await secrets.targetKey(site, name)
    if (key.ok) return key.value
    if (key.failure === 'missing') return null
    throw new CausedError(cause(`target_key_${key.failure}`))
  }

  async function bucketTarget(target: Target, place: Extract<TargetLocation, { kind: 's3' }>): Promise<ReleaseTarget> {
    const [, id, secret] = /^([^:\s]+):(\S+)$/.exec((await keyOf(target)) ?? '') ?? []
    const own = id !== undefined && secret !== undefined ? { id, secret } : null
    const keys = own ?? environmentKeys(environment)
    if (keys === null) throw new CausedError(cause('no_target_key'))
    const { root, region } = bucketAddress({ ...place, name: place.bucket }, environment)
    const agent = await agentOf(root)
    const bucketWith = (requests: Semaphore) =>
      createBucket({ name: place.bucket, root, region, keys, agent, semaphore: requests }, waitsMs, stallMs)
    const { compress: compressed } = target
    const storeWith = (requests: Semaphore) =>
      s3Store(bucketWith(requests), { prefix: place.prefix, compressed, isListed: true, waitsMs })
    return remoteTarget(storeWith(semaphore), { compressed, noteStore: storeWith(createSemaphore(1)), ...publisher })
  }

  async function sftpOptions(target: Target, place: Extract<TargetLocation, { kind: 'sftp' }>): Promise<SftpOptions> {
    const agentSocket = environment['SSH_AUTH_SOCK']
    return { place, stallMs, key: await keyOf(target), agentSocket, ...hostKeyOf(settings, place) }
  }

  async function connect(target: Target): Promise<ReleaseTarget> {
    const { place } = target
    switch (place.kind) {
      case 'folder':
        return folderTarget(place.directory)
      case 's3':
        return bucketTarget(target, place)
      case 'sftp':
        return remoteTarget(await sftpStore(await sftpOptions(target, place)), { compressed: false, ...publisher })
    }
  }

  /** Connects, writes a small file, reads it back as readers would, and deletes it. */
  async function check(target: Target): Promise<readonly TargetFinding[]> {
    const findings: TargetFinding[] = []
    async function attempt<Value>(name: TargetFinding['name'], action: () => Promise<Value>): Promise<Value | null> {
      try {
        const value = await action()
        findings.push({ name, ok: true, why: null, detail: null })
        return value
      } catch (error) {
        findings.push({ name, ok: false, why: causeOf(error), detail: null })
        return null
      }
    }
    const connected = await attempt('connect', () => connect(target))
    const hostKey = target.place.kind === 'sftp' ? settings.get(hostKeyNote(target.place)) : null
    // A refused login comes after the key of the server.
    const isKnown = findings.every(({ why }) => why === null || why.code === 'sftp_login')
    if (hostKey !== null && isKnown) findings.push({ name: 'host_key', ok: true, why: null, detail: hostKey })
    if (connected === null) return findings
    try {
      const path = probeFile('check')
      const remove = await attempt('write', () => connected.probe(path, path))
      if (remove === null) return findings
      const { publicUrl } = target
      if (publicUrl !== null) {
        const seen = { ...target, publicUrl }
        findings.push(...(await publicFindings(seen, path, { agentOf, waitsMs, stallMs, shownOn })))
      }
      const problem = await remove().then(() => null, causeOf)
      const why = problem ?? (connected.hasGaps?.() === true ? cause('sftp_gaps') : null)
      return findings.map((each) => (each.name === 'write' ? { ...each, ok: problem === null, why } : each))
    } finally {
      await connected.close()
    }
  }

  return { connect, check }
}
