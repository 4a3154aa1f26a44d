import { createHash } from 'node:crypto'

import type { CallbackId, MaterialId, Sha256, VersionId } from '../../src/contract/ids.ts'
import { createBlobs } from '../../src/main/db/blobs.ts'
import { createCallbacks } from '../../src/main/db/callbacks.ts'
import { createMaterialTags } from '../../src/main/db/material-tags.ts'
import { createMaterials } from '../../src/main/db/materials.ts'
import { openIndex } from '../../src/main/db/open.ts'
import { createSites } from '../../src/main/db/sites.ts'
import { createVersions } from '../../src/main/db/versions.ts'
import type { Site } from '../../src/contract/site.ts'

/** How large; by default what the interface has to bear. */
export interface LibrarySize {
  readonly materials: number
  readonly versions: number
  readonly callbacks: number
}

const words =
  'harbour market sunrise boat orange bread weekend council budget election school river bridge theatre concert festival museum library police court hospital weather storm flood summer winter garden kitchen recipe travel island mountain railway station airport football tennis marathon'.split(
    ' ',
  )

const sha = (text: string): Sha256 => createHash('sha256').update(text).digest('hex') as Sha256

/**
 * Fills the index of a library with the rows that real saves would leave, in one transaction, for benches and tests of
 * scale. There are no files behind them. The same size gives the same rows.
 */
export function fillLibrary(file: string, site: Site, { materials, versions, callbacks }: LibrarySize): void {
  const db = openIndex(file)
  const sites = createSites(db)
  const materialRows = createMaterials(db)
  const versionRows = createVersions(db, materialRows)
  const blobs = createBlobs(db)
  const log = createCallbacks(db)
  const tags = createMaterialTags(db, materialRows)
  const start = Date.parse('2026-01-01T00:00:00Z')
  const momentOf = (at: number): string => new Date(start + at * 60_000).toISOString()
  // Rows come by arithmetic, not by chance: a figure is the same on every run.
  const word = (at: number): string => words[(at * 7919) % words.length] ?? 'word'
  const some = (from: number, many: number): string =>
    Array.from({ length: many }, (_, at) => word(from + at * 31)).join(' ')

  db.transaction(() => {
    sites.put(site)
    for (let at = 0; at < versions; at += 1) {
      const material = at % materials
      const names = [sha(`h${at}`), sha(`s${at}`), sha(`k${at}`), sha(`m${at % 5000}`)]
      blobs.add(names.map((sha256) => ({ sha256, sizeBytes: 20_000, pack: null })))
      const [html, state, kept, image] = names as [Sha256, Sha256, Sha256, Sha256]
      versionRows.add({
        site: site.id,
        materialId: `post-${material}` as MaterialId,
        versionId: `v${at}` as VersionId,
        versionCdate: momentOf(at),
        receivedAt: momentOf(at),
        userEmail: `editor${material % 40}@example.com`,
        html,
        state,
        metadata: null,
        archiveSha256: kept,
        keptSha256: kept,
        sizeBytes: 10_000 + ((at * 37) % 90_000),
        publicBase: 'https://site.test',
        warnings: [],
        media: [{ name: `picture-${at % 50}.jpg`, sha256: image, sizeBytes: 20_000 }],
        title: `${word(material)} ${word(material + 3)} ${material}`,
        text: some(material, 150),
      })
    }
    for (let at = 0; at < callbacks; at += 1) {
      const isStored = at % 10 !== 0
      const id = `callback-${at}` as CallbackId
      log.begin({
        id,
        site: site.id,
        receivedAt: momentOf(at),
        kind: at % 50 === 0 ? 'site_fonts_updated' : 'article_saved',
        materialId: `post-${at % materials}`,
        contentUrl: `https://svc.test/integration/download/media/s/v${at}`,
        signature: isStored ? 'valid' : 'invalid',
        payload: null,
      })
      log.finish(id, {
        outcome: isStored ? 'stored' : 'rejected',
        httpStatus: isStored ? 200 : 400,
        rc: isStored ? 1 : 0,
        code: isStored ? null : 'invalid_signature',
        rm: isStored ? 'Saved successfully' : 'The signature does not match.',
        versionId: isStored ? `v${at}` : null,
        duplicateOf: null,
        steps: [{ name: 'download', ms: 12 + (at % 40) }],
      })
    }
  })()
  const tagged = (rest: number) => Array.from({ length: materials }, (_, at) => at).filter((at) => at % 10 === rest)
  tags.change(
    site.id,
    tagged(0).map((at) => `post-${at}`),
    { add: ['front page'], remove: [] },
  )
  tags.change(
    site.id,
    tagged(3).map((at) => `post-${at}`),
    { add: ['archive'], remove: [] },
  )
  db.close()
}
