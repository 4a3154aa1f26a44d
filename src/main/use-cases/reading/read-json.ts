import type { JsonLevel, JsonPiece } from '../../../contract/ipc/versions.ts'
import type { BackgroundJobs } from '../../edges/thread/jobs.ts'
import type { BlobLocation } from '../../platform/disk/blob-location.ts'
import { readBlob } from '../../platform/disk/blob-location.ts'
import { jsonLevel, jsonPiece } from './json-level.ts'

/** The text that was read last: a tree is opened level by level. */
let last: { readonly at: string; readonly text: string } | null = null

async function textOf(place: BlobLocation): Promise<string> {
  const at = `${place.path} ${place.offset}`
  if (last?.at !== at) last = { at, text: new TextDecoder().decode(await readBlob(place)) }
  return last.text
}

export const readLevel = async (input: BackgroundJobs['jsonLevel']['input']): Promise<JsonLevel | null> =>
  jsonLevel(await textOf(input.text), input.path, input.offset, input.limit)

export const readPiece = async (input: BackgroundJobs['jsonPiece']['input']): Promise<JsonPiece | null> =>
  jsonPiece(await textOf(input.text), input.path, input.offset, input.limit)
