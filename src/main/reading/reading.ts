import type { JsonLevel, JsonPiece } from '../../contract/ipc/versions.ts'
import type { Background } from '../background/client.ts'
import type { BlobLocation } from '../background/jobs.ts'
import type { Slice, Vault } from '../vault/vault.ts'

/** Where a thread finds the bytes of a blob. */
export const locationOf = (vault: Vault, { file, offset, sizeBytes }: Slice): BlobLocation => ({
  path: vault.pathOf(file),
  offset,
  sizeBytes,
})

/** Looks into stored texts that are too large for the main thread. */
export function createReading(background: Background, vault: Vault) {
  return {
    jsonLevel: (
      place: Slice,
      path: readonly (string | number)[],
      offset: number,
      limit: number,
    ): Promise<JsonLevel | null> =>
      background.run('jsonLevel', { text: locationOf(vault, place), path, offset, limit }),
    jsonPiece: (
      place: Slice,
      path: readonly (string | number)[],
      offset: number,
      limit: number,
    ): Promise<JsonPiece | null> =>
      background.run('jsonPiece', { text: locationOf(vault, place), path, offset, limit }),
  }
}
