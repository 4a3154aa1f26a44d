/** Whether a metadata member is a callback credential (contract, Authentication 5). */
export const isCredentialKey = (key: string): boolean => key.startsWith('webhook_auth_')

const secretNames =
  /token|secret(?!ar)|passw|passphrase|authori[sz]ation|apikey|privatekey|accesskey|signingkey|credential|sessionid|cookie|bearer|jwt/

/**
 * Whether the value of this key is likely a secret, such as the contract's `timeLimitedAuthToken`. Ignores case and
 * separators.
 */
export const isSecretKey = (key: string): boolean =>
  isCredentialKey(key) || secretNames.test(key.toLowerCase().replace(/[\s._-]/g, ''))

/** Whether a number at this key is a secret too. At other keys a number is a count, as in `tokens_used`. */
export const hidesNumbers = (key: string): boolean => isCredentialKey(key) || /passw|passphrase/i.test(key)

export const redactedMark = '[redacted]'

/**
 * Patterns of credentials and their replacements. No pattern reads the same text from two starting points, so the run time
 * is linear.
 */
const credentialPatterns: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g, redactedMark],
  // JWT and JWE: a JSON object in Base64url begins with these letters.
  [/(?<![\w-])eyJ[\w-]{8,}(?:\.[\w-]*){2,4}/g, redactedMark],
  [/^bearer \S+$|\bbearer\s+(?=[\w.~+/=-]*\d)[\w.~+/=-]{8,}/gi, redactedMark],
  [/\bbasic\s+(?=[A-Za-z0-9+/]*[\d=+/])[A-Za-z0-9+/]{8,}={0,2}/gi, redactedMark],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, redactedMark],
  [/\b(?:gh[opsru]_|github_pat_|glpat-|xox[abprs]-|[prs]k_(?:live|test)_)[\w-]{8,}/g, redactedMark],
  // User and password in a URL, and query parameters whose names suggest a secret.
  [/\/\/[^\s/:@]*:[^\s/@]+@/g, `//${redactedMark}@`],
  [
    /([?&][^=&?#\s]{0,40}(?:token|secret|passw|api_?key|signature|credential|jwt)[^=&?#\s]{0,40}=)[^&#\s"'<>]+/gi,
    `$1${redactedMark}`,
  ],
]

/** Redacts credentials that match a known pattern; the rest of the text stays. */
export const hideCredentials = (text: string): string =>
  credentialPatterns.reduce((shown, [form, mark]) => shown.replaceAll(form, mark), text)
