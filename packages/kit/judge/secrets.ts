import type { Run } from '../drive/bench.ts'
import type { Unknown } from './verdict.ts'

/** Shorter texts, such as `secret`, may be ordinary words. */
const tellingChars = 8

/** Why a text with this key or secret in it would prove no leak, or null. */
export function whyNoProof(run: Run, key: string): Unknown | null {
  if (key.length < tellingChars)
    return { unchecked: `shorter than ${tellingChars} characters, so any text may contain it`, isOptional: true }
  const { apiKey, secret, baseUrl, callbackUrl, signatureHeader, materials } = run
  const around = [apiKey, secret, baseUrl, callbackUrl.href, signatureHeader, ...materials]
  return around.some((text) => text !== key && text.includes(key))
    ? { unchecked: 'part of a key, an address or a name that is no secret', isOptional: true }
    : null
}
