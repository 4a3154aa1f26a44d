import { hideCredentials, hideNamedSecrets, redactedMark } from '@galley/wire'

import { hideSpellings } from './spellings.ts'

/** A signature, or a key of at least 30 bytes: 64 hexadecimal digits, or Base64. A path or a name is not mixed like this. */
const digits = /(?<![0-9a-f])[0-9a-f]{64,}(?![0-9a-f])/gi
const base64 = /[\w+/-]{40,}={0,2}/g
const isMixed = (text: string): boolean => /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text)

const atSign = /[@＠﹫]|%(?:25){0,8}40|\\{1,16}u0040|&#0*64;|&#x0*40;|&commat;/gi
const aroundAddress = /[\s"<>()@＠﹫,;:=]/
const domain = /[^\s"'<>()@＠﹫,;:]+/y
/** A local part may have quoted words and comments, with any character inside. */
const openings: Readonly<Record<string, string>> = { '"': '"', ')': '(' }

/** The start of the local part that ends here, not before `limit`. */
function startOfAddress(text: string, end: number, limit: number): number {
  let at = end
  while (at > limit) {
    const before = text.charAt(at - 1)
    const opening = openings[before]
    const opened = opening === undefined ? -1 : text.slice(limit, at - 1).lastIndexOf(opening)
    if (opened === -1 && aroundAddress.test(before)) return at
    at = opened === -1 ? at - 1 : limit + opened
  }
  return at
}

/** Without e-mail addresses, in any spelling of their sign. */
function hideAddresses(text: string): string {
  let shown = ''
  let copied = 0
  let limit = 0
  for (const { 0: sign, index } of text.matchAll(atSign)) {
    let start = startOfAddress(text, index, limit)
    // A quote at the start is not part of the address. Inside, as in a name, it is.
    while (text[start] === "'") start += 1
    limit = domain.lastIndex = index + sign.length
    const after = start === index ? null : domain.exec(text)
    if (after === null) continue
    limit = domain.lastIndex
    shown += text.slice(copied, start) + redactedMark
    copied = limit
  }
  return shown + text.slice(copied)
}

/** Also without a digit: the log needs no sentence about bearers. */
const scheme = /\b(?:bearer|basic)\s+[\w.~+/=-]+/gi

/**
 * A text as one line without known secrets in any spelling, values of names that sound like a secret, credentials in known
 * formats, signatures and e-mail addresses.
 */
export function redactLine(text: string, secrets: ReadonlySet<string>): string {
  return hideAddresses(
    hideCredentials(hideNamedSecrets(hideSpellings(text, secrets, redactedMark)))
      .replaceAll(scheme, redactedMark)
      .replaceAll(digits, redactedMark)
      .replaceAll(base64, (run) => (isMixed(run) ? redactedMark : run)),
  ).replaceAll(/\r\n?|[\n\u2028\u2029]/g, ' ↵ ')
}
