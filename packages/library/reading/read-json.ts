import type { BlobLocation } from '@galley/platform'
import { readBlob } from '@galley/platform'

import type { JsonLevel, JsonPiece } from '../views/versions.ts'
import { jsonLevel, jsonPiece } from './json-level.ts'

interface JsonLocation {
  readonly text: BlobLocation
  readonly path: readonly (string | number)[]
  /** In members of a level, or in UTF-16 units of a value. */
  readonly offset: number
  readonly limit: number
}

/** The jobs of a background thread that read large stored texts. */
export interface ReadingJobs {
  jsonLevel: { input: JsonLocation; output: JsonLevel | null }
  jsonPiece: { input: JsonLocation; output: JsonPiece | null }
}

/** Caches the last text, because a tree is opened level by level. */
let last: { readonly at: string; readonly text: string } | null = null

async function textOf(location: BlobLocation): Promise<string> {
  const at = `${location.path} ${location.offset}`
  if (last?.at !== at) last = { at, text: new TextDecoder().decode(await readBlob(location)) }
  return last.text
}

export const readLevel = async (input: JsonLocation): Promise<JsonLevel | null> =>
  jsonLevel(await textOf(input.text), input.path, input.offset, input.limit)

export const readPiece = async (input: JsonLocation): Promise<JsonPiece | null> =>
  jsonPiece(await textOf(input.text), input.path, input.offset, input.limit)
