import { cause } from '../cause.ts'
import type { MaterialId } from '../ids.ts'
import type { Result } from '../result.ts'
import { fail, ok } from '../result.ts'
import { lastMembers } from '../text/json/members.ts'
import type { JsonValue } from '../text/json/reader.ts'
import { stringText } from '../text/json/reader.ts'
import type { ArchiveKind, ContentUrl, DownloadOrigins } from './content-url.ts'
import { parseContentUrl } from './content-url.ts'
import type { CallbackFailure } from './failure.ts'

/** The two events of the contract. */
export type CallbackEvent = 'article_saved' | 'site_fonts_updated'

/** The parts of a callback body that are needed before the signature is verified, and that the log may contain. */
export interface CallbackHead {
  /** Strings for the signature; absent members are empty (docs/api.md, section 3, Order). */
  readonly signed: { readonly materialId: MaterialId; readonly contentUrl: string }
  /** null if absent. A value that is not a string is its JSON text, which never equals an event name. */
  readonly event: string | null
  readonly materialId: MaterialId | null
  readonly contentUrl: string | null
}

/** The known members of a callback body. Values are unchanged, JSON parts are text. */
export interface CallbackBody extends CallbackHead {
  /** A JSON object, or null: any other value counts as no metadata. */
  readonly metadata: string | null
  readonly fonts: string | null
}

/** A callback with a valid signature and the shape that the contract requires. */
export interface SignedCallback {
  readonly event: CallbackEvent
  readonly materialId: MaterialId
  readonly contentUrl: ContentUrl
  readonly metadata: string | null
  readonly fonts: string | null
}

const eventByArchive: Record<ArchiveKind, CallbackEvent> = { media: 'article_saved', fonts: 'site_fonts_updated' }

/** The longest accepted `material_id`, `content_url` or `event`, in UTF-16 units. */
export const nameLimitChars = 8 * 1024

const names = ['event', 'material_id', 'content_url', 'metadata', 'fonts'] as const
type Members = Readonly<Partial<Record<(typeof names)[number], JsonValue>>>

/**
 * Checks that a body is one JSON object, in one pass that builds no values. Fails with `invalid_request` if it is not, or if
 * a name in it is longer than `nameLimitChars`.
 */
function membersOf(text: string): Result<Members, CallbackFailure> {
  const read = lastMembers(text, names)
  if (!read.ok) return fail({ kind: 'invalid_request', problem: cause('not_json', { why: read.failure.problem }) })
  if (read.value === null) return fail({ kind: 'invalid_request', problem: cause('not_json_object') })
  const { value: members } = read
  const long = (['event', 'material_id', 'content_url'] as const).find((name) => {
    const value = members[name]
    return value !== undefined && isTooLong(text, value)
  })
  return long === undefined
    ? ok(members)
    : fail({ kind: 'invalid_request', problem: cause('member_too_long', { name: long }) })
}

/** Decodes only a string that may be short enough: each of its units takes 1 to 6 in the body. */
function isTooLong(text: string, { kind, ...range }: JsonValue): boolean {
  const written = range.end - range.start
  if (kind === 'number') return written > nameLimitChars
  if (kind !== 'string' || written <= nameLimitChars) return false
  return written > 6 * nameLimitChars + 2 || stringText(text, range).length > nameLimitChars
}

function headOf(text: string, members: Members): CallbackHead {
  const string = (name: keyof Members): string | null => {
    const value = members[name]
    return value?.kind === 'string' ? stringText(text, value) : null
  }
  const asString = (name: keyof Members): string => {
    const value = members[name]
    if (value?.kind === 'number' || value?.kind === 'boolean') return text.slice(value.start, value.end)
    return string(name) ?? ''
  }
  const eventText = (): string | null => {
    const value = members.event
    return string('event') ?? (value ? text.slice(value.start, value.end) : null)
  }
  return {
    signed: { materialId: asString('material_id'), contentUrl: asString('content_url') },
    event: eventText(),
    materialId: string('material_id'),
    contentUrl: string('content_url'),
  }
}

/** Reads the signed part of a callback body. Fails with `invalid_request` like `readCallbackBody`. */
export function readCallbackHead(text: string): Result<CallbackHead, CallbackFailure> {
  const members = membersOf(text)
  return members.ok ? ok(headOf(text, members.value)) : members
}

/**
 * Reads an untrusted callback body. Fails with `invalid_request` unless it is one JSON object with names below the length
 * limit.
 */
export function readCallbackBody(text: string): Result<CallbackBody, CallbackFailure> {
  const members = membersOf(text)
  if (!members.ok) return members
  const json = (name: keyof Members, kinds: readonly JsonValue['kind'][]): string | null => {
    const value = members.value[name]
    return value && kinds.includes(value.kind) ? text.slice(value.start, value.end) : null
  }
  return ok({
    ...headOf(text, members.value),
    metadata: json('metadata', ['object']),
    fonts: json('fonts', ['object', 'array', 'string', 'number', 'boolean']),
  })
}

/** The event for the log, before the body is validated. */
export const claimedKind = (body: CallbackHead): CallbackEvent | 'unknown' =>
  body.event === 'article_saved' || body.event === 'site_fonts_updated' ? body.event : 'unknown'

/**
 * The event of a callback, or null for `unknown_event` (docs/api.md, section 5). Only the address is signed, not the event:
 * if both name an event, they must agree. An unsupported event is never derived from the path.
 */
function eventOf(body: CallbackBody, byArchive: CallbackEvent | null): CallbackEvent | null {
  if (body.event === null) return byArchive
  const claimed = claimedKind(body)
  return claimed === 'unknown' || (byArchive !== null && byArchive !== claimed) ? null : claimed
}

/** An identifier with half of a surrogate pair. Stored as UTF-8, it would be one with U+FFFD, which may be another's. */
export const notUnicode = (name: string): CallbackFailure => ({
  kind: 'invalid_request',
  problem: cause('member_not_unicode', { name }),
})

/** Validates a body whose signature is valid: its shape, its download address, and that both name the same event. */
export function judgeCallback(body: CallbackBody, site: DownloadOrigins): Result<SignedCallback, CallbackFailure> {
  const { materialId, contentUrl: address, metadata, fonts } = body
  if (materialId === null || materialId === '')
    return fail({ kind: 'invalid_request', problem: cause('member_missing', { name: 'material_id' }) })
  if (address === null || address === '')
    return fail({ kind: 'invalid_request', problem: cause('member_missing', { name: 'content_url' }) })
  const name = !materialId.isWellFormed() ? 'material_id' : address.isWellFormed() ? null : 'content_url'
  if (name !== null) return fail(notUnicode(name))
  const contentUrl = parseContentUrl(address, site)
  if (!contentUrl) return fail({ kind: 'foreign_content_url' })
  const event = eventOf(body, contentUrl.kind && eventByArchive[contentUrl.kind])
  return event === null ? fail({ kind: 'unknown_event' }) : ok({ event, materialId, contentUrl, metadata, fonts })
}
