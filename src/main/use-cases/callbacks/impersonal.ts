import { hideCredentials } from '../../../contract/protocol/secret-values.ts'

/** What names a person or proves something, by its form, and what stands in its place. */
const telling: readonly (readonly [RegExp, string])[] = [
  [/[^\s@/:;,"'<>()]+@[^\s@/:;,"'<>()]+/g, '(e-mail)'],
  [/\b[0-9a-f]{64}\b/gi, '(signature)'],
  [/\b(?!127\.)(?:\d{1,3}\.){3}\d{1,3}\b/g, '(IP)'],
  [
    /(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}|(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4})*)?::[0-9a-f]{1,4}(?::[0-9a-f]{1,4})*/gi,
    '(IP)',
  ],
]

/**
 * A text without e-mail addresses, IP addresses, signatures and credentials, for what leaves the machine: ids and names of an unsigned
 * callback are anybody's, and a reason is what somebody typed. Loopback addresses name nobody and stay.
 */
export const impersonal = (text: string): string =>
  telling.reduce((shown, [form, placeholder]) => shown.replaceAll(form, placeholder), hideCredentials(text))
