import { withWait } from '@galley/platform'
import type { SiteId, SnapshotId } from '@galley/wire'
import { archiveLimits, currentFontsCssPath, encodeSegment, fontsCssName, fontsPath, ok } from '@galley/wire'

import type { ArchiveWorkers } from '../archive/client.ts'
import type { StagedFile, UnpackedFonts } from '../archive/jobs.ts'
import type { IndexReads } from '../db/library-index.ts'
import { publicBase } from '../records/site.ts'
import type { ContentReader } from './content.ts'
import { haveSameFiles } from './same-files.ts'

/** Reads fonts archives (contract, Fonts ZIP contents): a font set of a site, without a material. */
export function createFontsReader(index: IndexReads, workers: ArchiveWorkers): ContentReader {
  return async ({ site, callback, receivedAt, steps }, archive, staging) => {
    const snapshotId = callback.contentUrl.lastSegment
    const folder = fontsPath(site.id, snapshotId)
    const askedMs = performance.now()
    const { result, steps: workerSteps } = await workers.run({
      kind: 'unpackFonts',
      archive,
      stagingDir: staging.folder,
      stagingPrefix: staging.prefix,
      limits: archiveLimits,
      publicFolder: publicBase(site) + folder,
      isInFolder: site.publish.kind === 'folder',
      tree: callback.fonts,
    })
    steps.add(withWait(askedMs, workerSteps))
    if (!result.ok) return result
    const { value: unpacked } = result

    return ok({
      unpacked,
      versionId: snapshotId,
      known: () => compareWithStored(index, site.id, snapshotId, archive, unpacked),
      answer: unpacked.answerTree?.sha256 ?? null,
      rows: {
        snapshot: {
          site: site.id,
          snapshotId,
          receivedAt,
          css: unpacked.css.sha256,
          tree: unpacked.tree?.sha256 ?? null,
          answer: unpacked.answerTree?.sha256 ?? null,
          archiveSha256: archive.sha256,
          keptSha256: unpacked.kept.sha256,
          publicBase: publicBase(site),
          warnings: unpacked.warnings,
          files: unpacked.files,
        },
      },
      publicBlobs: () => [
        ...unpacked.files.map((blob) => ({ path: folder + encodeSegment(blob.name), blob, immutable: true })),
        { path: folder + fontsCssName, blob: unpacked.css, immutable: true },
        { path: currentFontsCssPath(site.id), blob: unpacked.css, immutable: false },
      ],
    })
  }
}

/** Archives of the same fonts may be packed differently; only the style sheet, its tree and the files are compared. */
function compareWithStored(
  index: IndexReads,
  site: SiteId,
  snapshotId: SnapshotId,
  archive: StagedFile,
  unpacked: UnpackedFonts,
): 'nothing' | 'same' | 'other' {
  const stored = index.snapshots.find(site, snapshotId)
  if (!stored) return 'nothing'
  if (index.snapshots.archiveOf(site, snapshotId) === archive.sha256) return 'same'
  const isSame =
    stored.css === unpacked.css.sha256 &&
    stored.tree === (unpacked.tree?.sha256 ?? null) &&
    haveSameFiles(stored.files, unpacked.files)
  return isSame ? 'same' : 'other'
}
