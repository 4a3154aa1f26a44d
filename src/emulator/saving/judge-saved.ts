import type { Delivery } from '../callbacks/deliver.ts'
import type { CallbackOutcome } from '../callbacks/outcome.ts'
import { failed } from '../callbacks/outcome.ts'
import { readAnswer } from '../callbacks/read-answer.ts'
import { isJsonObject } from '../json/json-value.ts'
import { assetEntries, clientUrlOf, isUnresolved, unresolvedFiles, withClientUrls } from './state-assets.ts'

/** What an answer to `article_saved` comes to, and the state to store after it. */
export interface SaveVerdict {
  readonly outcome: CallbackOutcome
  readonly state: string
}

/**
 * Judges the site's answer (contract, Errors 1 and 2). One asset without a public URL spoils the whole answer: nothing
 * is merged then. An accepted answer may leave out the state only when no file of the sent one waits for its URL.
 */
export function judgeSaved(delivery: Delivery, sentState: string): SaveVerdict {
  const accepted = readAnswer(delivery)
  if (!accepted.ok) return { outcome: accepted.failure, state: sentState }
  const { message, data } = accepted.value
  const answered = data['vms_json']
  if (!isJsonObject(answered) && unresolvedFiles(sentState).length > 0)
    return { outcome: failed('missing_vms_json', 'The answer has no data.vms_json with the URLs.'), state: sentState }

  const urls = new Map(assetEntries(answered).map(([name, entry]) => [name, clientUrlOf(entry)]))
  const unresolved = [...urls].filter(([, url]) => isUnresolved(url)).map(([name]) => name)
  if (unresolved.length > 0) {
    const names = unresolved.slice(0, 3).join(', ')
    const more = unresolved.length > 3 ? ` and ${unresolved.length - 3} more` : ''
    const words = `The site gave no public address for ${names}${more}, so none of its addresses were taken over.`
    return { outcome: failed('dummy_client_url', words), state: sentState }
  }
  return { outcome: { result: 'merged', error: null, message }, state: withClientUrls(sentState, urls) }
}
