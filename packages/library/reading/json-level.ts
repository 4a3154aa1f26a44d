import { itemsAt, objectAt, rootOf, stringText } from '@galley/wire'
import type { JsonValue } from '@galley/wire'

import type { JsonLevel, JsonMemberView, JsonPiece } from '../views/versions.ts'

/** The path of a value in a checked JSON text. For a duplicate key, it means the last member. */
type Path = readonly (string | number)[]

const previewChars = 300

/** One level of a checked JSON text, the members from `offset` on; null if `path` does not exist. */
export function jsonLevel(text: string, path: Path, offset: number, limit: number): JsonLevel | null {
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
export function jsonPiece(text: string, path: Path, offset: number, limit: number): JsonPiece | null {
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
