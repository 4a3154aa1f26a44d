import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { onTestFinished } from 'vitest'

import type { CallbackId, MaterialId, Sha256, SiteId, SnapshotId, VersionId } from '../../../src/contract/ids.ts'
import type { Site } from '../../../src/contract/site.ts'
import type { Arrival, Ending } from '../../../src/main/db/callbacks.ts'
import type { Index } from '../../../src/main/db/library-index.ts'
import { createIndex } from '../../../src/main/db/library-index.ts'
import type { NewSnapshot } from '../../../src/main/db/snapshots.ts'
import type { NewVersion } from '../../../src/main/db/versions.ts'
import { temporaryFolder } from '../../support/test-galley.ts'

/** The name that the bytes of a text have in a library. */
export const sha = (text: string): Sha256 => createHash('sha256').update(text).digest('hex') as Sha256

export const acme: Site = {
  id: 'acme' as SiteId,
  name: 'Acme',
  environment: 'prod',
  baseUrl: 'https://svc.test/integration',
  apiKey: 'key',
  callbackUrl: 'https://site.test/callback/acme',
  publicUrl: null,
  allowedDomains: ['site.test'],
  downloadOrigins: [],
  signatureHeader: 'X-Service-Signature',
  publish: { kind: 'listener' },
  unknownMaterials: 'refuse',
  callbackAuth: 'none',
  maxContentBytes: 1000,
  requestTimeoutMs: 2000,
  downloadTimeoutMs: 3000,
}

/** A fresh index on disk with the site `acme`; `peek` reads it on a connection of its own. */
export async function openLibrary() {
  const folder = await temporaryFolder()
  const file = join(folder, 'index.db')
  const lines: string[] = []
  const index = createIndex(file, (line) => void lines.push(line))
  const other = new BetterSqlite3(file)
  onTestFinished(() => {
    other.close()
    index.close()
  })
  index.sites.put(acme)
  const peek = (sql: string): readonly unknown[] => other.prepare(sql).all()
  return { index, file, folder, lines, other, peek }
}

let ids = 0

/** A callback as it arrives; ids grow in order. */
export const anArrival = (parts: Partial<Arrival> = {}): Arrival => {
  ids += 1
  return {
    id: `callback-${ids}` as CallbackId,
    site: 'acme',
    receivedAt: '2026-11-01T10:00:00.000Z',
    kind: 'article_saved',
    materialId: 'post-1',
    contentUrl: `https://svc.test/integration/download/media/s/${randomUUID()}`,
    signature: 'valid',
    payload: null,
    ...parts,
  }
}

export const anEnding = (parts: Partial<Ending> = {}): Ending => ({
  outcome: 'stored',
  httpStatus: 200,
  rc: 1,
  code: null,
  rm: 'Saved successfully',
  versionId: null,
  duplicateOf: null,
  steps: [],
  ...parts,
})

/** A version whose parts are named by what it says. */
export function aVersion(versionId: string, parts: Partial<NewVersion> = {}): NewVersion {
  return {
    site: acme.id,
    materialId: 'post-1' as MaterialId,
    versionId: versionId as VersionId,
    versionCdate: '2026-11-01T10:00:00+00:00',
    receivedAt: '2026-11-01T10:00:01.000Z',
    userEmail: null,
    html: sha(`html ${versionId}`),
    state: sha(`state ${versionId}`),
    metadata: null,
    archiveSha256: sha(`archive ${versionId}`),
    keptSha256: sha(`kept ${versionId}`),
    sizeBytes: 10,
    publicBase: 'https://site.test',
    warnings: [],
    media: [],
    title: null,
    text: '',
    ...parts,
  }
}

export function aSnapshot(snapshotId: string, parts: Partial<NewSnapshot> = {}): NewSnapshot {
  return {
    site: acme.id,
    snapshotId: snapshotId as SnapshotId,
    receivedAt: '2026-11-01T10:00:01.000Z',
    css: sha(`css ${snapshotId}`),
    tree: null,
    answer: null,
    archiveSha256: sha(`archive ${snapshotId}`),
    keptSha256: sha(`kept ${snapshotId}`),
    publicBase: 'https://site.test',
    warnings: [],
    files: [],
    ...parts,
  }
}

const whole = (sha256: Sha256) => ({ sha256, sizeBytes: 1, pack: null })

/** Stores a version the way a save does. */
export function storeVersion(index: Index, version: NewVersion, arrival: Partial<Arrival> = {}): CallbackId {
  const callback = anArrival({ materialId: version.materialId, ...arrival })
  index.callbacks.begin(callback)
  const { html, state, keptSha256, media } = version
  index.storeSave({
    callbackId: callback.id,
    blobs: [html, state, keptSha256, ...media.map(({ sha256 }) => sha256)].map(whole),
    content: { version },
    ending: () => anEnding({ versionId: version.versionId }),
  })
  return callback.id
}

export function storeSnapshot(index: Index, snapshot: NewSnapshot): CallbackId {
  const callback = anArrival({ kind: 'site_fonts_updated', materialId: 'fonts' })
  index.callbacks.begin(callback)
  const { css, tree, answer, keptSha256, files } = snapshot
  const named = [css, tree, answer, keptSha256, ...files.map(({ sha256 }) => sha256)]
  index.storeSave({
    callbackId: callback.id,
    blobs: named.filter((sha256) => sha256 !== null).map(whole),
    content: { snapshot },
    ending: () => anEnding({ versionId: snapshot.snapshotId }),
  })
  return callback.id
}
