import { isPublicUrl } from '@galley/wire'

import type { DeliveryResult } from '../callbacks/deliver.ts'
import type { CallbackOutcome } from '../callbacks/outcome.ts'
import { failed } from '../callbacks/outcome.ts'
import { readAnswer } from '../callbacks/read-answer.ts'
import { isEmptyArray, isJsonObject, parseJsonObject } from '../json/json-value.ts'
import { assetEntries, clientUrlOf, isUnresolved, unresolvedFiles, withClientUrls } from './state-assets.ts'

/** The result of an answer to `article_saved`, and the state to store. */
export interface SaveVerdict {
  readonly outcome: CallbackOutcome
  readonly state: string
}

/** The answered state: missing, not an object, without an assets object, or the `clientUrl` of each asset. */
type AnsweredState = 'none' | 'no_state' | 'no_assets' | ReadonlyMap<string, string>

function answeredState(state: unknown): AnsweredState {
  if (state === undefined || state === null) return 'none'
  if (!isJsonObject(state) && !isEmptyArray(state)) return 'no_state'
  const assets = isJsonObject(state) ? state['assets'] : undefined
  const isObject = assets === undefined || isJsonObject(assets) || isEmptyArray(assets)
  return isObject ? new Map(assetEntries(state).map(([name, entry]) => [name, clientUrlOf(entry)])) : 'no_assets'
}

/** The first three names, for an error message. */
const firstNames = (names: readonly string[]): string =>
  `${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''}`

/** Without blanks that some parsers of URLs drop and others do not. */
const isAbsoluteUrl = (url: string): boolean => isPublicUrl(url) && !/^\s|\s$|[\t\r\n]/.test(url)

/** Why an accepted answer is not merged, or null (contract, Callback answer and Errors 2). */
function whyNotMerged(answered: AnsweredState, sentState: string): CallbackOutcome | null {
  const waiting = unresolvedFiles(sentState)
  if ((answered === 'none' || answered === 'no_state') && waiting.length > 0)
    return failed('missing_vms_json', 'The response has no data.vms_json with the URLs.')
  if (answered === 'none') return null
  if (answered === 'no_state') return failed('invalid_answer', 'data.vms_json in the response is not a JSON object.')
  const urls = answered === 'no_assets' ? new Map<string, string>() : answered
  const unresolved = [...new Set([...waiting, ...urls.keys()])].filter((name) => isUnresolved(urls.get(name) ?? ''))
  if (unresolved.length > 0)
    return failed(
      'dummy_client_url',
      `The response has no public URL for ${firstNames(unresolved)}, so none of its URLs were merged.`,
    )
  if (answered === 'no_assets')
    return failed('invalid_answer', 'data.vms_json.assets in the response is not a JSON object.')
  const invalid = [...urls].filter(([, url]) => !isAbsoluteUrl(url)).map(([name]) => name)
  if (invalid.length > 0)
    return failed(
      'invalid_client_url',
      `The clientUrl of ${firstNames(invalid)} is not an absolute http or https URL, so none of the URLs were merged.`,
    )
  const missing = assetEntries(parseJsonObject(sentState)).filter(([name]) => !urls.has(name))
  if (missing.length === 0) return null
  return failed('invalid_answer', `data.vms_json in the response has no ${firstNames(missing.map(([name]) => name))}.`)
}

/**
 * Judges the site's answer (contract, Errors 1 and 2). If one asset has no public URL, nothing is merged. An accepted
 * answer may omit the state only if no sent file is waiting for a URL.
 */
export function judgeSaved(delivery: DeliveryResult, sentState: string): SaveVerdict {
  const accepted = readAnswer(delivery)
  if (!accepted.ok) return { outcome: accepted.failure, state: sentState }
  const { message, data } = accepted.value
  const answered = answeredState(data['vms_json'])
  const why = whyNotMerged(answered, sentState)
  if (why !== null) return { outcome: why, state: sentState }
  const urls = typeof answered === 'string' ? new Map<string, string>() : answered
  return { outcome: { result: 'merged', error: null, message }, state: withClientUrls(sentState, urls) }
}
