import type { IndexReads, Reviewing, Vault } from '@galley/library'
import type { MediaFile } from '@galley/library/records'
import { mediaChanges } from '@galley/library/records'
import type { Background } from '@galley/platform'
import { ok, storedMediaType, typeBytes } from '@galley/wire'
import type { VersionId } from '@galley/wire'

import type { HandlersOf } from '../../../ipc/call.ts'
import type { mediaCalls, VersionMedia } from '../../../ipc/media.ts'
import type { ReviewJobs } from '../../review/jobs.ts'
import { unknownVersion } from './unknown.ts'

export interface MediaPorts {
  readonly index: IndexReads
  readonly vault: Vault
  readonly reviewing: Pick<Reviewing, 'version'>
  readonly background: Background<Pick<ReviewJobs, 'pageFiles'>>
}

/** Calls about the media files of versions. */
export function mediaHandlers(ports: MediaPorts): HandlersOf<typeof mediaCalls> {
  const { versions } = ports.index
  return {
    async versionMedia({ site, materialId, before, after }) {
      const mediaOf = async (versionId: VersionId): Promise<readonly VersionMedia[]> => {
        const alts = await altsOf(ports, { site, materialId, versionId })
        const shown = (isEarlier: boolean) => (file: MediaFile) =>
          typeOf(ports, file).then((type) => ({ ...file, type, isEarlier, alts: [...(alts.get(file.sha256) ?? [])] }))
        return Promise.all([
          ...versions.referred(site, materialId, versionId).map(shown(true)),
          // The version's own files take precedence over earlier ones of the same name.
          ...versions.media(site, materialId, versionId).map(shown(false)),
        ])
      }
      for (const versionId of [before, after])
        if (versionId !== null && versions.parts(site, materialId, versionId) === null) return unknownVersion(versionId)
      return ok(mediaChanges(before === null ? [] : await mediaOf(before), await mediaOf(after)))
    },
  }
}

/** The alternative texts of a page by the hash of their file; none if the page cannot be read. */
async function altsOf({ reviewing, background }: MediaPorts, ref: Parameters<Reviewing['version']>[0]) {
  const version = await reviewing.version(ref)
  const files = version.ok ? await background.run('pageFiles', version.value) : version
  const alts = new Map<string, Set<string>>()
  for (const { file, alt } of files.ok ? files.value : [])
    if (file !== null && alt !== null) alts.set(file, (alts.get(file) ?? new Set()).add(alt))
  return alts
}

const typeOf = ({ index: { blobs }, vault }: MediaPorts, { name, sha256 }: MediaFile): Promise<string> =>
  storedMediaType(name, async () => {
    const slice = blobs.find(sha256)
    const none = new Uint8Array()
    if (slice === null) return none
    // A file that is lost is reported where it is shown.
    return vault.readBytes({ ...slice, sizeBytes: Math.min(slice.sizeBytes, typeBytes) }).catch(() => none)
  })
