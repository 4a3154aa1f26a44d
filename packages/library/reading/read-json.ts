import type { BlobLocation } from '@galley/platform'
import { readBlob } from '@galley/platform'
import { itemsAt, objectAt, rootOf, stringText } from '@galley/wire'
import type { JsonValue } from '@galley/wire'

import type { JsonLevel, JsonMemberView, JsonPiece } from '../views/versions.ts'

interface JsonLocation {
  readonly text: BlobLocation
  readonly path: readonly (string | number)[]
  /** In members of a level, or in UTF-16 units of a value. */
  readonly offset: number
  readonly limit: number
}

/** The path of a value in a checked JSON text. For a duplicate key, it means the last member. */
type Path = readonly (string | number)[]

const previewChars = 300

/** One level of a checked JSON text, the members from `offset` on; null if `path` does not exist. */
function jsonLevel(text: string, path: Path, offset: number, limit: number): JsonLevel | null {
  const value = valueAt(text, path)
  if (value === null) return null
  const members = membersOf(text, value)
  return {
    kind: value.kind,
    total: members.length,
    members: members.slice(offset, offset + limit).map((member) => view(text, member)),
  }
}

/** A value as written, `limit` UTF-16 units from `offset` on; null if `path` does not exist. */
function jsonPiece(text: string, path: Path, offset: number, limit: number): JsonPiece | null {
  const value = valueAt(text, path)
  if (value === null) return null
  const totalChars = value.end - value.start
  const next = Math.min(offset + limit, totalChars)
  return {
    text: text.slice(value.start + Math.min(offset, totalChars), value.start + next),
    nextOffset: next < totalChars ? next : null,
    totalChars,
  }
}

function valueAt(text: string, path: Path): JsonValue | null {
  let value: JsonValue | null = rootOf(text)
  for (const step of path) {
    value = membersOf(text, value).findLast(({ key }) => key === step)?.value ?? null
    if (value === null) return null
  }
  return value
}

interface Member {
  readonly key: string | number
  readonly value: JsonValue
}

function membersOf(text: string, value: JsonValue): readonly Member[] {
  if (value.kind === 'object')
    return objectAt(text, value).members.map((member) => ({ key: stringText(text, member.key), value: member.value }))
  return value.kind === 'array' ? itemsAt(text, value).map((item, key) => ({ key, value: item })) : []
}

function view(text: string, { key, value }: Member): JsonMemberView {
  const { kind, start, end } = value
  const isContainer = kind === 'object' || kind === 'array'
  return {
    key,
    kind,
    size: isContainer ? membersOf(text, value).length : kind === 'string' ? end - start - 2 : 0,
    preview: text.slice(start, Math.min(end, start + previewChars)),
    isCut: end - start > previewChars,
  }
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
