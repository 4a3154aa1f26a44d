import {
  addAll,
  forEachObject,
  hideCredentials,
  isCredentialKey,
  isSecretKey,
  objectAt,
  readJson,
  stringEnd,
  stringText,
  whitespaceEnd,
} from '@galley/wire'
import type { JsonObject, Range } from '@galley/wire'

/** A warning about metadata. It never prevents sending. */
export interface MetadataWarning {
  /** `secret_key`: the key sounds like a secret. `secret_value`: the value looks like a token, key or password. */
  readonly code: 'secret_key' | 'secret_value' | 'duplicate_key'
  readonly key: string
  /** The UTF-16 offset of the key. */
  readonly offset: number
}

/** A top-level member that differs from the metadata sent last. Values as JSON text, truncated to 300 characters. */
export interface MetadataChange {
  readonly key: string
  readonly kind: 'added' | 'removed' | 'changed'
  readonly before: string | null
  readonly after: string | null
}

/** The results of checking metadata before sending. */
export interface MetadataReview {
  /** Why the metadata cannot be sent, or null. `line` and `column` start at 1. */
  readonly problem: {
    readonly code: 'not_json' | 'not_object' | 'reserved_key'
    readonly offset: number
    readonly line: number
    readonly column: number
    /** The reserved key; otherwise empty. */
    readonly key: string
  } | null
  readonly warnings: readonly MetadataWarning[]
  readonly changes: readonly MetadataChange[]
}

const shownChars = 300

/** Checks metadata by the rules of `session/open` and compares it with `lastSent` (null: never sent). */
export function reviewMetadata(text: string, lastSent: string | null): MetadataReview {
  const warnings: MetadataWarning[] = []
  const read = forEachObject(text, (object) => addAll(warnings, warningsOf(text, object)))
  if (!read.ok) return stopped(text, 'not_json', read.failure.offset)
  if (read.value.kind !== 'object') return stopped(text, 'not_object', read.value.start)
  const root = objectAt(text, read.value)
  const reserved = root.members.find(({ key }) => isCredentialKey(stringText(text, key)))
  if (reserved) return stopped(text, 'reserved_key', reserved.key.start, stringText(text, reserved.key))
  return {
    problem: null,
    warnings: warnings.toSorted((a, b) => a.offset - b.offset),
    changes: changesOf(text, root, lastSent),
  }
}

function stopped(
  text: string,
  code: NonNullable<MetadataReview['problem']>['code'],
  offset: number,
  key = '',
): MetadataReview {
  const before = text.slice(0, offset).split('\n')
  const column = (before.at(-1)?.length ?? 0) + 1
  return { problem: { code, offset, line: before.length, column, key }, warnings: [], changes: [] }
}

function warningsOf(text: string, { members }: JsonObject): readonly MetadataWarning[] {
  const seen = new Set<string>()
  return members.flatMap(({ key: range, value }): readonly MetadataWarning[] => {
    const key = stringText(text, range)
    const warn = (code: MetadataWarning['code']): MetadataWarning => ({ code, key, offset: range.start })
    const isRepeated = seen.has(key)
    seen.add(key)
    const isEmpty = value.kind === 'null' || (value.kind === 'string' && value.end - value.start === 2)
    const found: MetadataWarning[] = isRepeated ? [warn('duplicate_key')] : []
    if (isSecretKey(key) && !isEmpty) found.push(warn('secret_key'))
    else if (value.kind === 'string' && looksSecret(stringText(text, value))) found.push(warn('secret_value'))
    return found
  })
}

/** Whether a value looks like a credential: a known prefix, or long and random. */
export function looksSecret(value: string): boolean {
  if (hideCredentials(value) !== value || /^(sk|pk)[_-]\S{12,}/i.test(value)) return true
  const isRandom = /^[A-Za-z0-9+/_=-]{32,}$/.test(value) && /\d/.test(value) && /[A-Za-z]/.test(value)
  // UUIDs are not secrets.
  return isRandom && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)
}

function changesOf(text: string, root: JsonObject, lastSent: string | null): readonly MetadataChange[] {
  const after = valuesOf(text, root)
  const before = lastSent === null ? new Map<string, string>() : topLevel(lastSent)
  const gone = [...before].filter(([key]) => !after.has(key))
  return [
    ...[...after].flatMap(([key, value]): readonly MetadataChange[] => {
      const old = before.get(key)
      if (old === undefined) return [{ key, kind: 'added', before: null, after: shown(value) }]
      return old === value ? [] : [{ key, kind: 'changed', before: shown(old), after: shown(value) }]
    }),
    ...gone.map(([key, value]): MetadataChange => ({ key, kind: 'removed', before: shown(value), after: null })),
  ]
}

function topLevel(text: string): ReadonlyMap<string, string> {
  const read = readJson(text)
  return read.ok && read.value.kind === 'object' ? valuesOf(text, objectAt(text, read.value)) : new Map()
}

/** The values by key without insignificant whitespace. For a duplicate key the last value counts. */
const valuesOf = (text: string, { members }: JsonObject): ReadonlyMap<string, string> =>
  new Map(members.map(({ key, value }) => [stringText(text, key), compact(text, value)]))

function compact(text: string, { start, end }: Range): string {
  const parts: string[] = []
  for (let at = start; at < end;) {
    const next = text[at] === '"' ? stringEnd(text, at) : at + 1
    parts.push(text.slice(at, next))
    at = whitespaceEnd(text, next)
  }
  return parts.join('')
}

const shown = (value: string): string => (value.length > shownChars ? `${value.slice(0, shownChars)}…` : value)
