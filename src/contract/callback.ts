import { cause } from './cause.ts'
import type { ArchiveKind, ContentUrl } from './content-url.ts'
import { parseContentUrl } from './content-url.ts'
import type { CallbackFailure } from './failure.ts'
import { membersNamed, objectAt } from './json-objects.ts'
import type { JsonValue } from './json-text.ts'
import { readJson, stringText } from './json-text.ts'
import type { Result } from './result.ts'
import { fail, ok } from './result.ts'
import type { Site } from './site.ts'

/** The two events of the contract. */
export type CallbackEvent = 'article_saved' | 'site_fonts_updated'

/** The members of a callback body that have a meaning; values as they came, JSON parts as text. */
export interface CallbackBody {
  /** Read as strings for the signature, absent ones as empty (INTERFACES section 3, Order). */
  readonly signed: { readonly materialId: string; readonly contentUrl: string }
  /** null when absent; a value that is no string stands here as its JSON text, which is never one of the two events. */
  readonly event: string | null
  readonly materialId: string | null
  readonly contentUrl: string | null
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

/** Reads a callback body that may hold anything; `invalid_request` unless it is one JSON object. */
export function readCallbackBody(text: string): Result<CallbackBody, CallbackFailure> {
  const root = readJson(text)
  if (!root.ok) return fail({ kind: 'invalid_request', problem: cause('not_json', { why: root.failure.problem }) })
  if (root.value.kind !== 'object') return fail({ kind: 'invalid_request', problem: cause('not_json_object') })
  const body = objectAt(text, root.value)
  // A key that is written twice means its last value, as every JSON parser has it.
  const member = (key: string): JsonValue | null => membersNamed(text, body, key).at(-1)?.value ?? null
  const string = (key: string): string | null => {
    const value = member(key)
    return value?.kind === 'string' ? stringText(text, value) : null
  }
  const asString = (key: string): string => {
    const value = member(key)
    if (value?.kind === 'number' || value?.kind === 'boolean') return text.slice(value.start, value.end)
    return string(key) ?? ''
  }
  const eventText = (): string | null => {
    const value = member('event')
    return string('event') ?? (value && text.slice(value.start, value.end))
  }
  const json = (key: string, kinds: readonly JsonValue['kind'][]): string | null => {
    const value = member(key)
    return value && kinds.includes(value.kind) ? text.slice(value.start, value.end) : null
  }
  return ok({
    signed: { materialId: asString('material_id'), contentUrl: asString('content_url') },
    event: eventText(),
    materialId: string('material_id'),
    contentUrl: string('content_url'),
    metadata: json('metadata', ['object']),
    fonts: json('fonts', ['object', 'array']),
  })
}

/** What the log can say of a body before it was judged. */
export const claimedKind = (body: CallbackBody): CallbackEvent | 'unknown' =>
  body.event === 'article_saved' || body.event === 'site_fonts_updated' ? body.event : 'unknown'

/**
 * The event of a callback, or null for `unknown_event` (INTERFACES section 5). The event is not signed and the address
 * is: where both name one they have to agree, and an event that is neither of the two follows no path.
 */
function eventOf(body: CallbackBody, told: CallbackEvent | null): CallbackEvent | null {
  if (body.event === null) return told
  const claimed = claimedKind(body)
  return claimed === 'unknown' || (told !== null && told !== claimed) ? null : claimed
}

/** Judges a body whose signature fits: its shape, its download address, and that the two agree. */
export function judgeCallback(
  body: CallbackBody,
  site: Pick<Site, 'baseUrl' | 'downloadOrigins'>,
): Result<SignedCallback, CallbackFailure> {
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
