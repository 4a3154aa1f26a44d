/** Opens a member of a team and stores versions until it is killed; says which ones were acknowledged. */

import { createHash } from 'node:crypto'
import { flushCompileCache } from 'node:module'
import { Agent } from 'undici'

import { openLibrary } from '../../../../packages/library/db/open/open-library.ts'
import type { ChangeOf } from '../../../../packages/library/records/changes.ts'
import type { Site } from '../../../../packages/library/records/site.ts'
import type { Sha256 } from '../../../../packages/wire/ids.ts'
import { reach } from './reach.ts'

// What was compiled is written for the next one now: a killed process writes nothing.
flushCompileCache()

const [, , folder = '', url = '', bucket = '', id = '', secret = '', name = ''] = process.argv

const acme: Site = {
  id: 'acme',
  name: 'Acme',
  environment: 'prod',
  baseUrl: 'https://svc.test',
  apiKey: 'key',
  callbackUrl: 'https://site.test/callback',
  publicUrl: null,
  allowedDomains: [],
  downloadOrigins: [],

  signatureHeader: 'X-Signature',
  publish: { kind: 'listener' },
  unknownMaterials: 'accept',
  callbackAuth: 'none',
  maxContentBytes: 1000,
  requestTimeoutMs: 2000,
  downloadTimeoutMs: 3000,
}

function aVersion(versionId: string): ChangeOf<'version_stored'> {
  const sha = (text: string) => createHash('sha256').update(`${text} ${versionId}`).digest('hex') as Sha256
  const [html, state, keptSha256] = [sha('html'), sha('state'), sha('kept')]
  const version = {
    site: acme.id,
    materialId: 'post-1',
    versionId,
    versionCdate: null,
    receivedAt: new Date().toISOString(),
    userEmail: null,
    html,
    state,
    metadata: null,
    archiveSha256: sha('archive'),
    keptSha256,
    sizeBytes: 10,
    publicBase: 'https://site.test',
    warnings: [],
    media: [],
    references: [],
    title: null,
  }
  const blobs = [html, state, keptSha256].map((sha256) => ({ sha256, sizeBytes: 1, pack: null }))
  return { kind: 'version_stored', version, blobs, delivery: null }
}

const agent = new Agent({ connect: { timeout: 2000 } })
const { run } = reach({ url, bucket, keys: { id, secret } }, agent)
const { index } = await openLibrary(
  folder,
  () => new Date(),
  () => undefined,
  null,
  run,
)
process.stdout.write('opened\n')
for (let nth = 0; ; nth += 1) {
  try {
    await index.commit.write(() => {
      if (!index.sites.find(acme.id)) index.sites.put(acme)
    })
    const versionId = `${name}-${nth}`
    await index.commit.soon(() => [aVersion(versionId)])
    process.stdout.write(`${versionId}\n`)
  } catch (error) {
    // The storage is away, or nobody can tell: the service would deliver again.
    process.stderr.write(`${String(error)}\n`)
  }
}
