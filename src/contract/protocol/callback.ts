import { cause } from '../cause.ts'
import type { ArchiveKind, ContentUrl, DownloadOrigins } from './content-url.ts'
import { parseContentUrl } from './content-url.ts'
import type { CallbackFailure } from './failure.ts'
import { lastMembers } from '../text/json/members.ts'
import type { JsonValue } from '../text/json/reader.ts'
import { stringText } from '../text/json/reader.ts'
import type { Result } from '../result.ts'
import { fail, ok } from '../result.ts'

/** The two events of the contract. */
export type CallbackEvent = 'article_saved' | 'site_fonts_updated'

/** What has to be known of a callback body before its signature can be verified, and what the log may repeat of it. */
export interface CallbackHead {
  /** Read as strings for the signature, absent ones as empty (docs/api.md, section 3, Order). */
  readonly signed: { readonly materialId: string; readonly contentUrl: string }
  /** null when absent; a value that is no string stands here as its JSON text, which is never one of the two events. */
  readonly event: string | null
  readonly materialId: string | null
  readonly contentUrl: string | null
}

/** The members of a callback body that have a meaning; values as they came, JSON parts as text. */
export interface CallbackBody extends CallbackHead {
  /** A JSON object, or null: anything else counts as no metadata. */
  readonly metadata: string | null
  readonly fonts: string | null
}

/** A callback whose signature fits and whose shape is that of the contract. */
export interface SignedCallback {
  readonly event: CallbackEvent
  readonly materialId: string
  readonly contentUrl: ContentUrl
  readonly metadata: string | null
  readonly fonts: string | null
}

const eventByArchive: Record<ArchiveKind, CallbackEvent> = { media: 'article_saved', fonts: 'site_fonts_updated' }

/** The longest `material_id`, `content_url` or `event` that is read, in UTF-16 units as written in the body. */
const nameLimitChars = 8 * 1024

const names = ['event', 'material_id', 'content_url', 'metadata', 'fonts'] as const
type Members = Readonly<Partial<Record<(typeof names)[number], JsonValue>>>

/**
 * Checks that a body of any content is one JSON object, in one pass that builds no values; `invalid_request` if it is
 * not, or if a name in it is longer than `nameLimitChars`.
 */
function membersOf(text: string): Result<Members, CallbackFailure> {
  const read = lastMembers(text, names)
  if (!read.ok) return fail({ kind: 'invalid_request', problem: cause('not_json', { why: read.failure.problem }) })
  if (read.value === null) return fail({ kind: 'invalid_request', problem: cause('not_json_object') })
  const { value: members } = read
  const long = (['event', 'material_id', 'content_url'] as const).find((name) => {
    const value = members[name]
    return value !== undefined && isNameLike(value) && value.end - value.start > nameLimitChars
  })
  return long === undefined
    ? ok(members)
    : fail({ kind: 'invalid_request', problem: cause('member_too_long', { name: long }) })
}

const isNameLike = ({ kind }: JsonValue): boolean => kind === 'string' || kind === 'number'

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

/** Reads the part of a callback body that its signature depends on; `invalid_request` as `readCallbackBody`. */
export function readCallbackHead(text: string): Result<CallbackHead, CallbackFailure> {
  const members = membersOf(text)
  return members.ok ? ok(headOf(text, members.value)) : members
}

/** Reads a callback body that may hold anything; `invalid_request` unless it is one JSON object with names of a sane length. */
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
    fonts: json('fonts', ['object', 'array']),
  })
}

/** What the log can say of a body before it was judged. */
export const claimedKind = (body: CallbackHead): CallbackEvent | 'unknown' =>
  body.event === 'article_saved' || body.event === 'site_fonts_updated' ? body.event : 'unknown'

/**
 * The event of a callback, or null for `unknown_event` (docs/api.md, section 5). The event is not signed and the address
 * is: where both name one they have to agree, and an event that is neither of the two follows no path.
 */
function eventOf(body: CallbackBody, told: CallbackEvent | null): CallbackEvent | null {
  if (body.event === null) return told
  const claimed = claimedKind(body)
  return claimed === 'unknown' || (told !== null && told !== claimed) ? null : claimed
}

/** Judges a body whose signature fits: its shape, its download address, and that the two agree. */
export function judgeCallback(body: CallbackBody, site: DownloadOrigins): Result<SignedCallback, CallbackFailure> {
  const { materialId, contentUrl: address, metadata, fonts } = body
  if (materialId === null || materialId === '')
    return fail({ kind: 'invalid_request', problem: cause('member_missing', { name: 'material_id' }) })
  if (address === null || address === '')
    return fail({ kind: 'invalid_request', problem: cause('member_missing', { name: 'content_url' }) })
  const contentUrl = parseContentUrl(address, site)
  if (!contentUrl) return fail({ kind: 'foreign_content_url' })
  const told = contentUrl.kind && eventByArchive[contentUrl.kind]
  const event = eventOf(body, told)
  return event === null ? fail({ kind: 'unknown_event' }) : ok({ event, materialId, contentUrl, metadata, fonts })
}
