import { hideCredentials } from '@galley/wire'

/** Patterns of personal data and credentials, and their replacements. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/[^\s@/:;,"'<>()]+@[^\s@/:;,"'<>()]+/g, '(e-mail)'],
  [/\b[0-9a-f]{64}\b/gi, '(signature)'],
  [/\b(?!127\.)(?:\d{1,3}\.){3}\d{1,3}\b/g, '(IP)'],
  [
    /(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}|(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4})*)?::[0-9a-f]{1,4}(?::[0-9a-f]{1,4})*/gi,
    '(IP)',
  ],
]

/**
 * A text without e-mail addresses, IP addresses, signatures and credentials, for data that leaves this computer. The ids and
 * names in unsigned callbacks can be anything, and reasons are free text. Loopback addresses are not personal and stay.
 */
export const impersonal = (text: string): string =>
  patterns.reduce((shown, [form, placeholder]) => shown.replaceAll(form, placeholder), hideCredentials(text))
