import type { Cause } from '../cause.ts'
import { cause } from '../cause.ts'
import type { Result } from '../result.ts'
import { fail, ok } from '../result.ts'
import type { Edit } from '../text/edits.ts'
import { applyEdits } from '../text/edits.ts'
import type { JsonObject } from '../text/json/objects.ts'
import { appendMembers, membersNamed, objectAt } from '../text/json/objects.ts'
import type { JsonValue } from '../text/json/reader.ts'
import { readJson, stringText } from '../text/json/reader.ts'
import { bySpelling } from '../text/references/spellings.ts'
import type { CallbackFailure } from './failure.ts'
import { isPublicUrl } from './public-url.ts'

export type StateFailure = Extract<CallbackFailure, { kind: 'invalid_archive' | 'missing_asset' }>

/** An entry of `assets`. */
interface Asset {
  readonly name: string
  readonly entry: JsonValue
}

/** The `clientUrl`s of an entry and the position for a new one; null if the entry is not an object. */
function urlsOf(text: string, entry: JsonValue): { readonly object: JsonObject; readonly values: JsonValue[] } | null {
  if (entry.kind !== 'object') return null
  const object = objectAt(text, entry)
  return { object, values: membersNamed(text, object, 'clientUrl').map((member) => member.value) }
}

/** All entries of all `assets` objects of the state, or why they cannot be read. */
function readAssets(text: string): Result<readonly Asset[], Cause> {
  const root = readJson(text)
  if (!root.ok) return fail(cause('at_character', { why: root.failure.problem, name: root.failure.offset }))
  if (root.value.kind !== 'object') return fail(cause('not_object'))
  const found: Asset[] = []
  for (const { value } of membersNamed(text, objectAt(text, root.value), 'assets')) {
    if (value.kind === 'null' || isEmptyArray(text, value)) continue
    if (value.kind !== 'object') return fail(cause('assets_not_object'))
    for (const member of objectAt(text, value).members) {
      found.push({ name: stringText(text, member.key), entry: member.value })
    }
  }
  return ok(found)
}

/** PHP writes an empty object as `[]`. Both mean that there are no assets. */
const isEmptyArray = (text: string, value: JsonValue): boolean =>
  value.kind === 'array' && text.slice(value.start + 1, value.end - 1).trim() === ''

/**
 * Writes the public URL of every asset into the state. Changes only `assets[name].clientUrl`; every other byte stays
 * (docs/api.md, section 3). An asset with a file in the archive gets the URL of that file, even if it has one already. An
 * asset without a file keeps its public URL, otherwise takes the earlier version's, otherwise is a `missing_asset`. Entries
 * are never created. If a key is duplicated, each occurrence is written.
 *
 * `urls` has the URL of every asset after writing. `urlByFile` and `earlierUrls` are by media file name.
 */
export function writeClientUrls(
  text: string,
  urlByFile: ReadonlyMap<string, string>,
  earlierUrls: ReadonlyMap<string, string>,
): Result<{ readonly text: string; readonly urls: ReadonlyMap<string, string> }, StateFailure> {
  const assets = readAssets(text)
  if (!assets.ok)
    return fail({
      kind: 'invalid_archive',
      problem: cause('unreadable', { name: 'vms_json.json', why: assets.failure }),
    })

  const stored = bySpelling(urlByFile)
  const earlier = bySpelling(new Map([...earlierUrls].filter(([, url]) => isPublicUrl(url))))
  const urls = new Map<string, string>()
  const missing = new Set<string>()
  const edits: Edit[] = []
  for (const { name, entry } of assets.value) {
    const fresh = stored.get(name)
    const url = fresh ?? earlier.get(name)
    const present = urlsOf(text, entry)
    if (present === null || (present.values.length === 0 && url === undefined)) missing.add(name)
    else if (present.values.length === 0 && url !== undefined) {
      edits.push(appendMembers(present.object, [['clientUrl', JSON.stringify(url)]]))
      urls.set(name, url)
    }
    for (const value of present?.values ?? []) {
      const written = value.kind === 'string' ? stringText(text, value) : ''
      if (fresh === undefined && isPublicUrl(written)) urls.set(name, written)
      else if (url === undefined) missing.add(name)
      else {
        edits.push({ start: value.start, end: value.end, text: JSON.stringify(url) })
        urls.set(name, url)
      }
    }
  }
  if (missing.size > 0) return fail({ kind: 'missing_asset', names: [...missing] })
  return ok({ text: applyEdits(text, edits), urls })
}

/** The `clientUrl`s of a stored state, by asset name. Empty if the text cannot be read. */
export function clientUrls(text: string): ReadonlyMap<string, string> {
  const assets = readAssets(text)
  const urls = new Map<string, string>()
  for (const { name, entry } of assets.ok ? assets.value : []) {
    const written = urlsOf(text, entry)?.values.at(-1)
    if (written?.kind === 'string') urls.set(name, stringText(text, written))
  }
  return urls
}
