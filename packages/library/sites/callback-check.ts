import { randomUUID } from 'node:crypto'
import { bytesUpTo, hostCause, httpClient } from '@galley/platform'
import { parsedJson } from '@galley/wire'
import type { Agent } from 'undici'

import type { Site } from '../records/site.ts'
import { variablePart } from '../secrets/from-environment.ts'
import { probeEvent, probeProof } from '../secrets/probe-proof.ts'
import { authorizationHeader, sign } from '../secrets/signature.ts'
import type { SiteSecrets } from '../secrets/site-secrets.ts'
import type { Check } from './check.ts'
import { bad, good, unreached } from './check.ts'

export const probeTimeoutMs = 10_000
/** A listener answers a probe in a line, but another server may send an endless body. */
const probeAnswerMaxBytes = 64 * 1024

/** Sends a signed probe to the callback URL: only a Galley with the secret can answer it. */
export async function checkCallbackUrl(secrets: SiteSecrets, site: Site, dispatcher: Agent): Promise<Check> {
  const name = 'callback_url' as const
  const secret = await secrets.secret(site.id)
  const credentials = await secrets.callbackAuth(site)
  if (!secret.ok)
    return bad(name, 'callback_needs_secret', 'it cannot be probed without the secret', 'Fix the keychain first.')
  if (!credentials.ok)
    return bad(
      name,
      'callback_needs_credentials',
      'it cannot be probed without the callback credentials',
      `Fix the keychain first, or set GALLEY_CALLBACK_AUTH_${variablePart(site.id)}.`,
    )
  const nonce = randomUUID()
  try {
    const { request } = await httpClient()
    const { body } = await request(site.callbackUrl, {
      dispatcher,
      method: 'POST',
      signal: AbortSignal.timeout(probeTimeoutMs),
      headers: {
        'content-type': 'application/json',
        [site.signatureHeader]: sign(nonce, site.callbackUrl, secret.value),
        ...(credentials.value && { authorization: authorizationHeader(credentials.value) }),
      },
      body: JSON.stringify({ event: probeEvent, material_id: nonce, content_url: site.callbackUrl }),
    })
    const bytes = await bytesUpTo(probeAnswerMaxBytes, body)
    const answer = bytes === null ? null : parsedJson(bytes.toString('utf8'))
    const expected = probeProof(nonce, site.id, secret.value)
    return isObject(answer) && answer['proof'] === expected
      ? good(name, 'callback_reached', 'it reaches this Galley')
      : otherResponder(bytes, isObject(answer) ? answer : {}, site)
  } catch (error) {
    return unreached(
      name,
      'callback_unreachable',
      hostCause(error),
      'Point the callback URL, or the tunnel behind it, to the listener.',
    )
  }
}

/** What responds at the callback URL instead of the expected listener. */
function otherResponder(
  bytes: Buffer | null,
  { code, proof }: Readonly<Record<string, unknown>>,
  { id, callbackUrl }: Site,
): Check {
  const name = 'callback_url' as const
  const isMistyped = code === 'not_found' && new URL(callbackUrl).pathname !== `/callback/${id}`
  // The environment of a service often differs from that of a shell.
  if (code === 'secrets_unavailable')
    return bad(
      name,
      'callback_without_secret',
      'the listener there cannot read its secret or its callback credentials',
      'Unlock its keychain, or set them in its environment.',
    )
  if (code === 'invalid_signature')
    return bad(
      name,
      'callback_other_secret',
      'the listener there rejects the signature',
      'Give the listener there the same secret, or point the callback URL to the right one.',
    )
  if (code === 'unauthorized')
    return bad(
      name,
      'callback_other_credentials',
      'the listener there rejects the callback credentials',
      'Give the listener there the same callback credentials, or point the callback URL to the right one.',
    )
  if (code === 'forbidden_host')
    return bad(
      name,
      'callback_other_host',
      'the listener there receives a different host name',
      'Configure the proxy in front of it to forward the Host header unchanged.',
    )
  if ((code === 'probe' && proof !== undefined) || isMistyped)
    return bad(name, 'callback_other_site', 'it does not reach this site', `End the callback URL with /callback/${id}.`)
  return bad(
    name,
    'callback_elsewhere',
    bytes === null
      ? `another program responds there, with more than ${probeAnswerMaxBytes / 1024} KiB`
      : 'another program responds there',
    'Point the callback URL, or the tunnel behind it, to the listener.',
  )
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
