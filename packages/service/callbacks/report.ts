import { objectText } from '../json/object-text.ts'
import type { DeliveryResult } from './deliver.ts'
import type { CallbackOutcome } from './outcome.ts'

/** The site's answer as JSON: unchanged if it is JSON, else as a string; null when there was none. */
function answerText(delivery: DeliveryResult): string {
  if (!delivery.delivered) return 'null'
  try {
    JSON.parse(delivery.text)
    return delivery.text
  } catch (problem) {
    if (problem instanceof SyntaxError) return JSON.stringify(delivery.text)
    throw problem
  }
}

/**
 * The answer of the save and fonts commands (docs/api.md, section 4): `{delivered, http_status, answer, result, error?,
 * message, version_id|snapshot_id}`. The site's answer is included unchanged, digit by digit.
 */
export function deliveryReport(
  delivery: DeliveryResult,
  outcome: CallbackOutcome,
  id: Readonly<Record<'version_id', string>> | Readonly<Record<'snapshot_id', string>>,
): string {
  const members = new Map<string, string>([
    ['delivered', JSON.stringify(delivery.delivered)],
    ['http_status', JSON.stringify(delivery.httpStatus)],
    ['answer', answerText(delivery)],
    ['result', JSON.stringify(outcome.result)],
  ])
  if (outcome.error !== null) members.set('error', JSON.stringify(outcome.error))
  members.set('message', JSON.stringify(outcome.message))
  for (const [key, value] of Object.entries(id)) members.set(key, JSON.stringify(value))
  return objectText(members)
}
