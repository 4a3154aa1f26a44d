import type {
  CallbackBody,
  CallbackFailure,
  MaterialId,
  RefusalRule,
  Result,
  Sha256,
  SignedCallback,
  SiteId,
} from '@galley/wire'
import { archiveFacts, fail, judgeCallback, metadataFact, ok, parsedJson } from '@galley/wire'

import type { IndexReads } from '../db/library-index.ts'
import type { StoredRules } from '../db/site/rules.ts'
import type { Site } from '../records/site.ts'
import type { SavePause } from '../views/rules.ts'
import type { Accepted } from './answer.ts'

/** What to do with a signed callback: `stored` ones get their stored answer. `callback` is null if it breaks the contract. */
export type Judgement =
  | { readonly kind: 'refused'; readonly callback: SignedCallback | null; readonly failure: CallbackFailure }
  | { readonly kind: 'stored'; readonly callback: SignedCallback; readonly accepted: Accepted }
  | { readonly kind: 'allowed'; readonly callback: SignedCallback }

/**
 * Checks a signed callback against the contract, the ledger and the library's rules, in this order: a stored delivery gets
 * its original response, whatever the rules are now.
 */
export function judge(
  { index, isConfirmed }: { readonly index: Ledger; readonly isConfirmed: (site: Site) => boolean },
  rules: RuleFacts,
  site: Site,
  body: CallbackBody,
): Judgement {
  const judged = judgeCallback(body, site)
  if (!judged.ok) return { kind: 'refused', callback: null, failure: judged.failure }
  const callback = judged.value
  const accepted = storedDelivery(index, site, callback)
  if (accepted !== null) return { kind: 'stored', callback, accepted }
  if (!isConfirmed(site)) return { kind: 'refused', callback, failure: { kind: 'site_unconfirmed' } }
  const allowed = checkRules(site, callback, rules)
  return allowed.ok ? { kind: 'allowed', callback } : { kind: 'refused', callback, failure: allowed.failure }
}

export type Ledger = Pick<IndexReads, 'callbacks' | 'snapshots' | 'versions'>

/** The ledger: what a stored delivery was answered with; null if it is not stored. */
export function storedDelivery(index: Ledger, site: Site, callback: SignedCallback): Accepted | null {
  const { event, materialId, contentUrl } = callback
  const stored = index.callbacks.storedDelivery(site.id, event, materialId, contentUrl.signed)
  const content = stored && storedContent(index, site, callback, stored.versionId)
  if (!content) return null
  return {
    outcome: 'duplicate',
    answer: content.answer,
    versionId: stored.versionId,
    duplicateOf: stored.callback,
  }
}

/** The blob of the answer of a stored version or snapshot; null if it is not stored. */
export function storedContent(
  index: Ledger,
  site: Site,
  { event, materialId }: SignedCallback,
  versionId: string,
): { readonly answer: Sha256 | null } | null {
  if (event === 'site_fonts_updated') return index.snapshots.find(site.id, versionId)
  const parts = index.versions.parts(site.id, materialId, versionId)
  return parts && { answer: parts.state }
}

/** The facts that the rules need from the library. */
export interface RuleFacts {
  readonly isKnownMaterial: (site: SiteId, materialId: MaterialId) => boolean
  /** The pause of all sites, or null. */
  readonly everywhere: () => SavePause | null
  readonly rulesOf: (site: SiteId) => StoredRules
  readonly refusalOf: (site: SiteId, materialId: MaterialId) => string | null
  readonly nowMs: () => number
}

/** The facts from the library's index. */
export const ruleFacts = (index: IndexReads, now: () => Date): RuleFacts => ({
  isKnownMaterial: (site, materialId) => index.materials.find(site, materialId) !== null,
  everywhere: index.rules.pauseEverywhere,
  rulesOf: index.rules.of,
  refusalOf: index.rules.refusalOf,
  nowMs: () => now().getTime(),
})

/**
 * When the token in a callback's metadata at `key` expires, in milliseconds since 1970; null if unknown: the key is missing,
 * or its value is neither a JWT with `exp` nor a date (ISO 8601, seconds or milliseconds).
 */
export function tokenExpiryMs(metadata: string | null, key: string): number | null {
  const value = metadata === null ? null : metadataFact(metadata, key)
  if (value === null) return null
  const claims = jwtClaims(value)
  if (claims !== null) return typeof claims.exp === 'number' ? momentMs(claims.exp) : null
  if (/^\d{9,13}(\.\d+)?$/.test(value)) return momentMs(Number(value))
  const isIso = /^\d{4}-\d\d-\d\dT/.test(value)
  return isIso && !Number.isNaN(Date.parse(value)) ? Date.parse(value) : null
}

/** Values of twelve or more digits are milliseconds: as seconds they would be after the year 5000. */
const momentMs = (moment: number): number => (moment >= 1e11 ? moment : moment * 1000)

/** The claims of a JWT. Its signature is not checked, because the rule can only block. */
function jwtClaims(value: string): { readonly exp?: unknown } | null {
  const [, payload] = /^[\w-]+\.([\w-]+)\.[\w-]*$/.exec(value) ?? []
  if (payload === undefined) return null
  // Three words separated by dots may be no JWT.
  const claims = parsedJson(Buffer.from(payload, 'base64url').toString('utf8'))
  return typeof claims === 'object' ? claims : null
}

/**
 * The rules that block a save before its archive is downloaded (contract, Errors 4). The signature covers neither metadata
 * nor event, so these may only cause a rule to block, never to permit. Fonts have no material and no editor: only the pauses
 * apply.
 */
export function checkRules(site: Site, callback: SignedCallback, facts: RuleFacts): Result<null, CallbackFailure> {
  const everywhere = facts.everywhere()
  if (everywhere) return refused('paused_everywhere', everywhere.reason)
  const rules = facts.rulesOf(site.id)
  if (rules.pause) return refused('paused', rules.pause.reason)
  if (callback.event !== 'article_saved') return ok(null)

  if (site.unknownMaterials === 'refuse' && !facts.isKnownMaterial(site.id, callback.materialId))
    return refused('unknown_material')
  const refusal = facts.refusalOf(site.id, callback.materialId)
  if (refusal !== null) return refused('material', refusal)
  const email = archiveFacts(callback.metadata ?? '{}').userEmail
  const editor = email === null ? undefined : rules.editors.find(({ pattern }) => matches(pattern, email))
  if (editor) return refused('editor', editor.reason)
  const { action, key } = rules.expiredToken
  const expiresMs = action === 'refuse' ? tokenExpiryMs(callback.metadata, key) : null
  return expiresMs !== null && expiresMs <= facts.nowMs() ? refused('expired_token') : ok(null)
}

const refused = (rule: RefusalRule, reason = '') => fail({ kind: 'refused', rule, reason: reason.trim() } as const)

/** `*` matches any characters; everything else matches itself, ignoring case. */
export function matches(pattern: string, email: string): boolean {
  const parts = pattern.trim().toLowerCase().split('*')
  const text = email.toLowerCase()
  const [first = '', ...rest] = parts
  if (rest.length === 0) return text === first
  const last = rest.at(-1) ?? ''
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false
  // Matches each part at its first position, which leaves the most text for the next.
  let at = first.length
  for (const part of rest.slice(0, -1)) {
    const found = text.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return at <= text.length - last.length
}
