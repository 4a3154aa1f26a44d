import type { BlobLocation } from '@galley/platform'
import { withWait } from '@galley/platform'
import { archiveFacts, archiveLimits, fail, mediaPath, notUnicode, ok } from '@galley/wire'
import type { SignedCallback } from '@galley/wire'

import type { ArchiveWorkers } from '../archive/client.ts'
import type { StagedFile, UnpackedMedia } from '../archive/jobs.ts'
import type { IndexReads } from '../db/library-index.ts'
import type { VersionParts } from '../db/version/versions.ts'
import type { NewVersion } from '../records/changes.ts'
import { referencesForm } from '../records/media-references.ts'
import { publicBase } from '../records/site.ts'
import type { SharedStaging } from '../vault/staging.ts'
import type { Vault } from '../vault/vault.ts'
import type { ContentReader, Save } from './content.ts'
import { haveSameFiles } from './same-files.ts'

/** Reads media archives (contract, Media ZIP contents): the saved page of one material. */
export function createMediaReader(index: IndexReads, vault: Vault, workers: ArchiveWorkers): ContentReader {
  const unpack = createUnpack(index, vault, workers)

  return async (save, archive, staging) => {
    const { site, callback, receivedAt } = save
    const materialId = callback.materialId
    const base = publicBase(site)
    const result = await unpack(save, archive, staging)
    if (!result.ok) return result
    const unpacked = result.value

    const { versionId, versionCdate, userEmail } = factsOf(unpacked, callback)
    if (!versionId.isWellFormed()) return fail(notUnicode('version_id'))
    const version: NewVersion = {
      site: site.id,
      materialId,
      versionId,
      versionCdate,
      userEmail,
      receivedAt,
      html: unpacked.html.sha256,
      state: unpacked.state.sha256,
      metadata: unpacked.metadata,
      archiveSha256: archive.sha256,
      keptSha256: unpacked.kept.sha256,
      sizeBytes: [unpacked.html, unpacked.state, ...unpacked.media].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      publicBase: base,
      warnings: unpacked.warnings,
      media: unpacked.media,
      references: unpacked.references,
      referencesForm,
      title: unpacked.title,
    }
    return ok({
      unpacked,
      versionId,
      known: () => compareWithStored(index, version, unpacked),
      answer: unpacked.state.sha256,
      rows: { version, text: unpacked.text, ownReferences: unpacked.ownReferences },
      publicBlobs: () =>
        unpacked.media.map((blob) => ({ path: mediaPath(blob.sha256, blob.name), blob, immutable: true })),
    })
  }
}

/** Only the content URL is signed, so a fact of the callback counts only if the archive does not have it. */
function factsOf({ metadata }: UnpackedMedia, callback: SignedCallback) {
  const fromArchive = metadata === null ? null : archiveFacts(metadata)
  const fromCallback = archiveFacts(callback.metadata ?? '{}')
  return {
    versionId: fromArchive?.versionId ?? fromCallback.versionId ?? callback.contentUrl.lastSegment,
    versionCdate: fromArchive?.versionCdate ?? fromCallback.versionCdate,
    userEmail: fromArchive?.userEmail ?? fromCallback.userEmail,
  }
}

/** Unpacks an archive. Assets whose file the editor did not send again get the URLs of an earlier version. */
function createUnpack(index: IndexReads, vault: Vault, workers: ArchiveWorkers) {
  const stateOf = async (parts: VersionParts | null): Promise<BlobLocation | null> => {
    const place = parts && index.blobs.find(parts.state)
    return place && (await vault.locate(place))
  }

  return async ({ site, callback, steps }: Save, archive: StagedFile, { folder, prefix }: SharedStaging) => {
    const materialId = callback.materialId
    const base = publicBase(site)
    async function unpackAfter(earlier: VersionParts | null, stagingPrefix: string) {
      const askedMs = performance.now()
      const { result, steps: workerSteps } = await workers.run({
        kind: 'unpackMedia',
        archive,
        stagingDir: folder,
        stagingPrefix,
        limits: archiveLimits,
        publicBase: base,
        isInFolder: site.publish.kind === 'folder',
        ownBases: [...new Set([base, ...index.versions.publicBases(site.id)])],
        earlierState: await stateOf(earlier),
      })
      steps.add(withWait(askedMs, workerSteps))
      return result
    }

    const result = await unpackAfter(index.versions.currentParts(site.id, materialId), prefix)
    if (result.ok || result.failure.kind !== 'missing_asset') return result
    // The archive of a stored version, that comes again, may need URLs that the current version no longer has.
    const stored = index.versions.list(site.id, materialId).find((each) => each.archiveSha256 === archive.sha256)
    if (stored === undefined) return result
    const own = index.versions.parts(site.id, materialId, stored.versionId)
    const again = await unpackAfter(own, `${prefix}again-`)
    return again.ok && factsOf(again.value, callback).versionId === stored.versionId ? again : result
  }
}

/** Archives of the same save may be packed differently; only the page, its state and its files are compared. */
function compareWithStored(
  index: IndexReads,
  version: NewVersion,
  unpacked: UnpackedMedia,
): 'nothing' | 'same' | 'other' {
  const stored = index.versions.find(version.site, version.materialId, version.versionId)
  if (!stored) return 'nothing'
  if (stored.archiveSha256 === version.archiveSha256) return 'same'
  const parts = index.versions.parts(version.site, version.materialId, version.versionId)
  const media = index.versions.media(version.site, version.materialId, version.versionId)
  const samePage = parts?.html === version.html && parts.state === version.state
  return samePage && haveSameFiles(media, unpacked.media) ? 'same' : 'other'
}
