import type { Json } from './exact-json.ts'
import { member, stringIn } from './exact-json.ts'

/** The raw response of the backend. */
export type Answer =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
      readonly text: string
      /** The body as exact JSON; null when it is not JSON. */
      readonly json: Json | null
      readonly ms: number
    }
  /** `unreached`: no connection; `cut`: an incomplete or too large answer; `silent`: no answer in time. */
  | { readonly kind: 'unreached' | 'cut' | 'silent'; readonly why: string; readonly ms: number }

/** `rc` as written, or undefined. */
export function rcOf(answer: Answer): string | undefined {
  const rc = answer.kind === 'answer' && answer.json !== null ? member(answer.json, 'rc') : undefined
  return rc?.kind === 'plain' ? rc.text : rc?.kind === 'string' ? JSON.stringify(rc.value) : undefined
}

/** The message of an answer, or undefined. */
export const rmOf = (answer: Answer): string | undefined =>
  answer.kind === 'answer' && answer.json !== null ? stringIn(member(answer.json, 'rm')) : undefined

/** All of `data`, or undefined. */
export const allDataOf = (answer: Answer): Json | undefined =>
  answer.kind === 'answer' && answer.json !== null ? member(answer.json, 'data') : undefined

/** A member of `data`, or undefined. */
export const dataOf = (answer: Answer, key: 'vms_json' | 'fonts'): Json | undefined => member(allDataOf(answer), key)

/** Summarises an answer for a report. */
export function describeAnswer(answer: Answer): string {
  if (answer.kind !== 'answer') return answer.why
  const rc = rcOf(answer)
  const rm = rmOf(answer)
  const said = rm === undefined ? '' : `, rm "${rm}"`
  if (answer.json === null) return `HTTP ${answer.status} ${whyNotJson(answer.text)}${notJsonDetail(answer)}`
  return `HTTP ${answer.status}, ${rc === undefined ? 'no rc' : `rc ${rc}`}${said}`
}

/** Describes an answer that is not JSON. In a text that begins like JSON, the mistake is hard to see. */
function whyNotJson(text: string): string {
  if (text.startsWith('\ufeff')) return 'with a byte order mark, which JSON does not allow'
  if (!/^\s*[{[]/.test(text)) return 'without JSON'
  try {
    JSON.parse(text)
    return 'with JSON that is nested too deeply'
  } catch (error) {
    return `with broken JSON (${error instanceof Error ? error.message : ''})`
  }
}

/** Describes an answer that is not JSON: its type, its redirect and its first characters. */
function notJsonDetail({ headers, text }: Extract<Answer, { kind: 'answer' }>): string {
  const header = (name: string): string => String(headers[name] ?? '')
  const begins = text.replace(/\s+/g, ' ').trim().slice(0, 160)
  const parts = [
    header('content-type'),
    header('content-encoding'),
    header('location') && `Location ${header('location')}`,
  ]
  return [...parts, begins === '' ? 'an empty body' : `body "${begins}"`].map((part) => part && `, ${part}`).join('')
}

/** Whether an answer has `rc` 1, with any HTTP status; `"1"` and `true` count, since some clients are lax. */
export const saysAccepted = (answer: Answer): boolean => ['1', '"1"', 'true', '1.0'].includes(rcOf(answer) ?? '')

/**
 * Whether the service would treat this as "accepted and saved". With a redirect or a failure status, HTTP says that the
 * callback was not handled, whatever `rc` says.
 */
export const isAccepted = (answer: Answer): boolean =>
  saysAccepted(answer) && answer.kind === 'answer' && answer.status >= 200 && answer.status <= 299

/** Why this is not an acceptance, or null. */
export const whyNotAccepted = (answer: Answer): string | null => (isAccepted(answer) ? null : describeAnswer(answer))

/** Why this is not a refusal, or null. The contract leaves the form open, so any answer except `rc` 1 is a refusal. */
export function whyNotRefused(answer: Answer): string | null {
  if (answer.kind === 'silent' || answer.kind === 'unreached') return answer.why
  return saysAccepted(answer) ? describeAnswer(answer) : null
}

/**
 * Why this is not a readable refusal, or null. Readable means JSON with `rc` 0 and a reason, without a server error.
 */
export function whyNotRefusedWithReason(
  answer: Answer,
  statuses: (status: number) => boolean = () => true,
): string | null {
  if (answer.kind !== 'answer' || rcOf(answer) !== '0' || !rmOf(answer)?.trim()) return describeAnswer(answer)
  return statuses(answer.status) ? null : describeAnswer(answer)
}

export const isClientError = (status: number): boolean => status >= 400 && status < 500
