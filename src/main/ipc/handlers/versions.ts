import type { IndexReads, Reading, Vault } from '@galley/library'
import { readTextPart } from '@galley/library'
import { ok, redactPayload } from '@galley/wire'

import type { HandlersOf } from '../../../ipc/call.ts'
import type { versionCalls } from '../../../ipc/versions.ts'
import { unknownVersion } from './unknown.ts'

export interface VersionPorts {
  readonly index: IndexReads
  readonly vault: Vault
  readonly reading: Reading
}

/** Calls about the versions of one material: timeline, contents. */
export function versionHandlers({ index, vault, reading }: VersionPorts): HandlersOf<typeof versionCalls> {
  const { versions, versionList, blobs, callbacks, exports } = index

  return {
    queryVersions: ({ site, materialId, offset, limit }) => versionList.query(site, materialId, offset, limit),
    inspectVersion({ site, materialId, versionId }) {
      const version = versionList.find(site, materialId, versionId)
      const summary = versions.find(site, materialId, versionId)
      const parts = versions.parts(site, materialId, versionId)
      if (!version || !summary || !parts) return unknownVersion(versionId)
      const bytes = (sha256: typeof parts.html): number => blobs.find(sha256)?.sizeBytes ?? 0
      return ok({
        version,
        hashes: {
          html: parts.html,
          state: parts.state,
          archive: summary.archiveSha256,
          kept: parts.kept,
        },
        htmlBytes: bytes(parts.html),
        stateBytes: bytes(parts.state),
        archiveBytes: bytes(parts.kept),
        metadata: parts.metadata === null ? null : redactPayload(parts.metadata),
        callbackId: callbacks.storingVersion(site, 'article_saved', materialId, versionId),
        exports: exports.ofVersion(site, materialId, versionId),
      })
    },
    async readVersionText({ site, materialId, versionId, part, offset, maxBytes }) {
      const parts = versions.parts(site, materialId, versionId)
      const slice = parts && blobs.find(parts[part])
      return slice ? ok(await readTextPart(vault, slice, offset, maxBytes)) : unknownVersion(versionId)
    },
    async readStateLevel({ site, materialId, versionId, path, offset, limit }) {
      const parts = versions.parts(site, materialId, versionId)
      const slice = parts && blobs.find(parts.state)
      if (!slice) return unknownVersion(versionId)
      const level = await reading.jsonLevel(slice, path, offset, limit)
      return level ? ok(level) : unknownVersion(versionId)
    },
    async readStateValue({ site, materialId, versionId, path, offset, limit }) {
      const parts = versions.parts(site, materialId, versionId)
      const slice = parts && blobs.find(parts.state)
      const piece = slice && (await reading.jsonPiece(slice, path, offset, limit))
      return piece ? ok(piece) : unknownVersion(versionId)
    },
  }
}
