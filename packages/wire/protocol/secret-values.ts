/** Whether a metadata member is a callback credential (contract, Authentication 5). */
export const isCredentialKey = (key: string): boolean => key.startsWith('webhook_auth_')

const secretNames =
  /token|secret(?!ar)|passw|passphrase|authori[sz]ation|apikey|privatekey|accesskey|signingkey|credential|sessionid|cookie|bearer|jwt|pwd|csrf|xsrf|^(?:otp|sid|xauth)$/

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
  // User and password in a URL, and parameters whose names suggest a secret, in the query or the fragment.
  [/\/\/[^\s/:@]*:[^\s/@]+@/g, `//${redactedMark}@`],
  [
    /([?&#;][^=&?#;\s]{0,40}(?:token|secret|passw|api_?key|signature|credential|jwt)[^=&?#;\s]{0,40}=)[^&#\s"'<>]+/gi,
    `$1${redactedMark}`,
  ],
]

/** Redacts credentials that match a known pattern; the rest of the text stays. */
export const hideCredentials = (text: string): string =>
  credentialPatterns.reduce((shown, [form, mark]) => shown.replaceAll(form, mark), text)

/** Names that are common words elsewhere, but carry a secret in a URL: `?sig=`, `&auth=`, `?key=`. */
const shortNames = /(?:^|[-_.])(?:sig|auth|key|pwd)$/i

const isSecretName = (name: string, isParameter: boolean): boolean =>
  // Such a name before a line number is that of a source file.
  (isSecretKey(name) && !/\.[cm]?[jt]sx?$/i.test(name)) ||
  /signature$/i.test(name) ||
  (isParameter && shortNames.test(name))

/** A name and what separates it from its value: JSON, also inside a JSON string; a header; a parameter, also percent-encoded. */
const namedValue = /(?<![\w.-])(?:(?<=%)[0-9a-f]{2})?([\w.-]+)([\\"'\]]{0,16}\s*)(=>|[:=]|%3[ad])(\s*)/gi

const parameterValue = /(?:(?:bearer|basic|digest)\s+)?[^\s&"'<>;,]*/iy
const restOfLine = /[^\r\n]*/y
const openingQuote = /\\*["']/y
/** The placeholder of a bound value in SQL. */
const boundValue = /\?\d*(?=[\s),;]|$)/y

function matchAt(form: RegExp, text: string, at: number): string | null {
  form.lastIndex = at
  return form.exec(text)?.[0] ?? null
}

/** Where the value ends that begins here; quotes are not part of it. */
function valueAt(text: string, at: number, isParameter: boolean): { readonly begin: number; readonly end: number } {
  const quote = matchAt(openingQuote, text, at)
  if (quote === null) {
    const end = at + (matchAt(isParameter ? parameterValue : restOfLine, text, at) ?? '').length
    return { begin: at, end: isParameter && matchAt(boundValue, text, at) !== null ? at : end }
  }
  const begin = at + quote.length
  let end = text.indexOf(quote, begin)
  // With another backslash, it is a quote inside the value.
  while (end > begin && text[end - 1] === '\\') end = text.indexOf(quote, end + 1)
  return { begin, end: end === -1 ? text.length : end }
}

/**
 * Redacts the values of names that sound like a secret, in any text: `"api_key":"..."`, `Cookie: ...`, `password=...`. An
 * unquoted value after a colon reaches to the end of its line. Linear.
 */
export function hideNamedSecrets(text: string): string {
  let shown = ''
  let at = 0
  for (const { index, 0: whole, 1: name = '', 2: before, 3: sign = '', 4: after } of text.matchAll(namedValue)) {
    const isParameter = !/:|%3a/i.test(sign)
    if (index < at || !isSecretName(name, isParameter && before === '' && after === '')) continue
    const { begin, end } = valueAt(text, index + whole.length, isParameter)
    if (begin === end) continue
    shown += text.slice(at, begin) + redactedMark
    at = end
  }
  return shown + text.slice(at)
}
