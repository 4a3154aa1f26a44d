import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { onTestFinished } from 'vitest'

import type { SiteInput } from '../../packages/library/records/site-input.ts'
import { siteDefaults } from '../../packages/library/records/site-input.ts'
import type { Site } from '../../packages/library/records/site.ts'
import type { GalleyEdges } from '../../src/main/galley.ts'
import { send, signed } from './delivery.ts'
import { openGalley } from './open-galley.ts'
import type { TestService } from './service.ts'
import { startService } from './service.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { aZip } from './zip.ts'

export { send, signed } from './delivery.ts'
export { temporaryFolder } from './temporary-folder.ts'

/** A ZIP from names and contents. */
export const zipOf = (entries: Readonly<Record<string, string | Buffer>>): Buffer =>
  aZip(Object.entries(entries).map(([name, data]) => ({ name, data })))

/** The product's composition root on a temporary library, with a service and a running listener. */
export async function createTestGalley(
  options: {
    readonly site?: Partial<SiteInput>
    readonly edges?: Partial<GalleyEdges>
    readonly listen?: boolean
  } = {},
) {
  const folder = options.edges?.folder ?? (await temporaryFolder())
  const service = await startService()
  const lines: string[] = []
  const galley = await openGalley({
    folder,
    retryWaitsMs: [5, 10],
    log: (line) => void lines.push(line),
    ...options.edges,
  })
  let closing: Promise<void> | null = null
  /** Stops it before the end of the test. */
  const close = (): Promise<void> => (closing ??= galley.close())
  onTestFinished(async () => {
    await close()
    await service.close()
  })
  const state = options.listen === false ? null : await galley.listener.start('127.0.0.1', 0)
  if (state && state.kind !== 'listening') throw new Error(`The listener did not start: ${JSON.stringify(state)}`)
  const listener = state?.url ?? 'http://127.0.0.1:1'
  const site = {
    ...siteDefaults,
    allowedDomains: [],
    downloadOrigins: [],
    id: 'acme',
    name: 'Acme',
    baseUrl: service.baseUrl,
    apiKey: service.apiKey,
    callbackUrl: `${listener}/callback/acme`,
    ...options.site,
  }
  const saved = await galley.sites.save(site, service.secret, { allowHttp: true })
  if (!saved.ok) throw new Error(`The test site was not saved: ${JSON.stringify(saved.failure)}`)

  const know = async (materialId: string) => {
    const opened = await galley.sessions.open({ site: 'acme', materialId, title: null, slug: null, metadata: null })
    if (!opened.ok) throw new Error(`The material was not opened: ${JSON.stringify(opened.failure)}`)
  }
  const post = (body: string | Buffer, headers: Record<string, string | string[]> = {}, path = '/callback/acme') =>
    send(`${listener}${path}`, 'POST', body, { 'content-type': 'application/json', ...headers })

  /** Changes the site like a person who confirms every question. */
  const changeSite = (parts: Partial<Site>): void => {
    const before = galley.index.sites.find('acme')
    if (before === null) throw new Error('The test site is missing')
    const after = { ...before, ...parts }
    galley.index.sites.put(after)
    galley.confirmations.confirm(after)
  }

  const filesOf = () => filesBelow(folder)
  return { galley, service, listener, folder, lines, know, post, changeSite, close, filesOf }
}

export type TestGalley = Awaited<ReturnType<typeof createTestGalley>>

/** The parts of a save that tests vary. */
export interface SaveParts {
  readonly materialId?: string
  readonly versionId?: string
  readonly versionCdate?: string
  readonly html?: string
  readonly state?: unknown
  readonly files?: Readonly<Record<string, string | Buffer>>
  readonly archive?: Buffer
  readonly metadata?: Record<string, unknown>
  readonly payload?: Record<string, unknown>
  readonly headers?: Record<string, string>
  /** The session's fingerprint in the download URL. */
  readonly session?: string
}

let saves = 0

/** Offers an archive at the service and builds its signed callback. */
export function aSave(service: TestService, parts: SaveParts = {}) {
  saves += 1
  const { materialId = 'post-1', versionId = `v${saves}`, versionCdate = '2026-11-01T10:00:00+00:00' } = parts
  const files = parts.files ?? { 'hero.png': Buffer.from(`picture ${versionId}`) }
  const assets = Object.fromEntries(Object.keys(files).map((name) => [name, { clientUrl: `dummy-${name}` }]))
  const metadata = {
    version_id: versionId,
    version_cdate: versionCdate,
    user_email: 'editor@example.test',
    user_ip: '192.0.2.7',
    ...parts.metadata,
  }
  const archive =
    parts.archive ??
    zipOf({
      'vms_html.html':
        parts.html ??
        Object.keys(files)
          .map((name) => `<img src="dummy-${name}">`)
          .join(''),
      'vms_json.json': typeof parts.state === 'string' ? parts.state : JSON.stringify(parts.state ?? { assets }),
      'metadata_json.json': JSON.stringify(metadata),
      ...Object.fromEntries(Object.entries(files).map(([name, bytes]) => [`vms_media/${name}`, bytes])),
    })
  const contentUrl = service.put('media', versionId, archive, parts.session)
  const payload = {
    event: 'article_saved',
    material_id: materialId,
    content_url: contentUrl,
    metadata,
    debug: false,
    ...parts.payload,
  }
  return signed(service, payload, parts.headers)
}

/** The same for fonts. */
export function aFontsSave(
  service: TestService,
  snapshotId: string,
  entries: Record<string, string | Buffer>,
  fonts?: unknown,
) {
  const contentUrl = service.put('fonts', snapshotId, zipOf(entries))
  return signed(service, {
    event: 'site_fonts_updated',
    material_id: 'site-fonts',
    content_url: contentUrl,
    metadata: {},
    fonts,
  })
}

/** The files of every library besides those of its saves: databases, the log, its name, its owner, its keychain entries, its reserve. */
const beside = /\.db(-wal|-shm|-journal)?$|^log\b|^(library|owner|keychain)\.json$|^reserve$/

async function filesBelow(folder: string): Promise<readonly string[]> {
  const list = () => readdir(folder, { recursive: true, withFileTypes: true })
  // A staging folder that is removed in the meantime makes the listing fail.
  const entries = await list().catch(list)
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !beside.test(relative(folder, path)))
    .toSorted()
}
