import type { Json } from './exact-json.ts'
import { member, stringIn } from './exact-json.ts'

/** What came back from the backend, as it came. */
export type Answer =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
      readonly text: string
      /** The body read exactly; null when it is no JSON. */
      readonly json: Json | null
      readonly ms: number
    }
  /** `unreached`: no connection; `cut`: the answer was incomplete or too large; `silent`: no answer in time. */
  | { readonly kind: 'unreached' | 'cut' | 'silent'; readonly why: string; readonly ms: number }

/** `rc` as it was written, or undefined. */
export function rcOf(answer: Answer): string | undefined {
  const rc = answer.kind === 'answer' && answer.json !== null ? member(answer.json, 'rc') : undefined
  return rc?.kind === 'plain' ? rc.text : rc?.kind === 'string' ? JSON.stringify(rc.value) : undefined
}

/** The reason or message of an answer, or undefined. */
export const rmOf = (answer: Answer): string | undefined =>
  answer.kind === 'answer' && answer.json !== null ? stringIn(member(answer.json, 'rm')) : undefined

/** A member of `data`, or undefined. */
export const dataOf = (answer: Answer, key: 'vms_json' | 'fonts'): Json | undefined =>
  answer.kind === 'answer' && answer.json !== null ? member(member(answer.json, 'data'), key) : undefined

/** An answer in a few words. */
export function words(answer: Answer): string {
  if (answer.kind !== 'answer') return answer.why
  const rc = rcOf(answer)
  const rm = rmOf(answer)
  const said = rm === undefined ? '' : `, rm "${rm}"`
  if (answer.json === null) return `HTTP ${answer.status} without JSON${notJsonDetail(answer)}`
  return `HTTP ${answer.status}, ${rc === undefined ? 'no rc' : `rc ${rc}`}${said}`
}

/** Of an answer that is no JSON: what it is, where it sends one, and how it begins. */
function notJsonDetail({ headers, text }: Extract<Answer, { kind: 'answer' }>): string {
  const header = (name: string): string => String(headers[name] ?? '')
  const begins = text.replace(/\s+/g, ' ').trim().slice(0, 160)
  const parts = [header('content-type'), header('location') && `Location ${header('location')}`]
  return [...parts, begins === '' ? 'an empty body' : `body "${begins}"`].map((part) => part && `, ${part}`).join('')
}

/** Whether the service would take it for "accepted and saved"; `"1"` and `true` count, since some clients are lax. */
export const isAccepted = (answer: Answer): boolean => ['1', '"1"', 'true', '1.0'].includes(rcOf(answer) ?? '')

/** Why this is not an acceptance, or null. */
export const whyNotAccepted = (answer: Answer): string | null => (isAccepted(answer) ? null : words(answer))

/** Why this is not a refusal, or null. What the contract leaves open, any answer but `rc` 1, is a refusal. */
export function whyNotRefused(answer: Answer): string | null {
  if (answer.kind === 'silent' || answer.kind === 'unreached') return answer.why
  return isAccepted(answer) ? words(answer) : null
}

/** Why this is not a refusal that somebody could read, or null: JSON with `rc` 0 and a reason, and no fault of the server. */
export function whyNotPlainlyRefused(
  answer: Answer,
  statuses: (status: number) => boolean = () => true,
): string | null {
  if (answer.kind !== 'answer' || rcOf(answer) !== '0' || !rmOf(answer)?.trim()) return words(answer)
  return statuses(answer.status) ? null : words(answer)
}

export const isClientError = (status: number): boolean => status >= 400 && status < 500
