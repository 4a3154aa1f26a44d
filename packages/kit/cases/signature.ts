import type { Bench, SendOptions } from '../drive/bench.ts'
import type { PreparedCallback, SaveParts } from '../drive/prepare.ts'
import { accepted, noFault, refusedWithReason, refused, refusedWithoutDownload } from '../judge/common-verdicts.ts'
import { verdict } from '../judge/verdict.ts'
import { isClientError } from '../protocol/answer.ts'
import { signatureOf } from '../protocol/signature.ts'
import type { Case, Theme } from '../suite/case.ts'
import { advice, contract, listener } from '../suite/case.ts'

const verify = contract(
  'Site callback endpoint',
  'Verify it as hex(HMAC_SHA256(api_secret, material_id + ":" + content_url))',
)

/** A valid save with a wrong signature, which must be refused. */
const forged = (
  id: string,
  name: string,
  manner: (prepared: PreparedCallback, bench: Bench) => SendOptions,
  dependsOn = 'signature-wrong',
  rule = verify,
  parts: SaveParts = {},
): Case => ({
  id,
  name,
  rule,
  severity: 'breaks the contract',
  dependsOn,
  run: async (bench) => {
    const prepared = bench.prepareSave(parts)
    const delivered = await bench.deliver(prepared, manner(prepared, bench))
    return refused(bench, delivered, ['unreadable-refused', 'answer-own'])
  },
})

/** A content_url whose query a site might leave out or sort before it verifies. */
const queried: SaveParts = { address: (url) => `${url}?part=media&conformance=1` }

const flipped = (signature: string, at: number): string =>
  signature.slice(0, at) + (signature[at] === '0' ? '1' : '0') + signature.slice(at + 1)

export const signature: Theme = {
  title: 'Signature',
  dependsOn: 'save-accepted',
  cases: [
    forged(
      'signature-missing',
      'A callback without a signature is refused',
      () => ({ signature: null }),
      'signature-wrong',
      contract('Site callback endpoint', 'The site must read X-Service-Signature'),
    ),
    forged('signature-empty', 'An empty signature is refused', () => ({ signature: '' }), 'signature-missing'),
    forged(
      'signature-wrong',
      'A signature of other digits is refused',
      () => ({ signature: '0123456789abcdef'.repeat(4) }),
      'save-accepted',
    ),
    forged('signature-first-digit', 'A signature that differs in its first digit is refused', ({ signature }) => ({
      signature: flipped(signature, 0),
    })),
    forged('signature-last-digit', 'A signature that differs in its last digit is refused', ({ signature }) => ({
      signature: flipped(signature, 63),
    })),
    forged('signature-cut', 'The first half of the right signature is refused', ({ signature }) => ({
      signature: signature.slice(0, 32),
    })),
    forged('signature-with-tail', 'The right signature followed by more text is refused', ({ signature }) => ({
      signature: `${signature}zz`,
    })),
    forged('signature-other-secret', 'A signature made with another secret is refused', ({ material, contentUrl }) => ({
      signature: signatureOf('another secret', material, contentUrl),
    })),
    forged(
      'signature-empty-secret',
      'A signature made with an empty secret is refused',
      ({ material, contentUrl }) => ({
        signature: signatureOf('', material, contentUrl),
      }),
    ),
    forged(
      'signature-other-material',
      'The signature of another material is refused',
      ({ material, contentUrl }, { run }) => ({
        signature: signatureOf(run.secret, `${material}-other`, contentUrl),
      }),
    ),
    forged(
      'signature-other-url',
      'The signature of another content_url is refused',
      ({ material, contentUrl }, { run }) => ({
        signature: signatureOf(run.secret, material, `${contentUrl}x`),
      }),
    ),
    forged(
      'signature-without-query',
      'A signature over content_url without its query is refused',
      ({ material, contentUrl }, { sign }) => ({ signature: sign(material, contentUrl.replace(/\?.*/, '')) }),
      'signature-wrong',
      verify,
      queried,
    ),
    forged(
      'signature-query-order',
      'A signature over content_url with its query in another order is refused',
      ({ material, contentUrl }, { sign }) => {
        const [path = '', query = ''] = contentUrl.split('?')
        return { signature: sign(material, `${path}?${query.split('&').toReversed().join('&')}`) }
      },
      'signature-wrong',
      verify,
      queried,
    ),
    forged(
      'signature-of-callback-url',
      'A signature over the callback URL, as session/open carries it, is refused',
      ({ material }, { run }) => ({ signature: signatureOf(run.secret, material, run.callbackUrl.href) }),
      'signature-wrong',
      contract('Authentication 3', 'Callback from the service to the site: signed url is content_url'),
    ),
    forged(
      'signature-in-body',
      'A signature in the body alone is refused',
      ({ payload, signature }) => ({ signature: null, body: JSON.stringify({ ...payload, signature }) }),
      'signature-missing',
    ),
    forged(
      'signature-other-header',
      'A signature under another header name is refused',
      ({ signature }) => ({ signature: null, headers: { 'x-conformance-signature': signature } }),
      'signature-missing',
    ),
    {
      id: 'signature-before-download',
      dependsOn: 'signature-wrong',
      name: 'Nothing is downloaded before the signature is verified',
      rule: contract('Site callback endpoint', 'the steps in their order: read, verify, download'),
      severity: 'unsafe',
      run: async (bench) => refusedWithoutDownload(bench, await bench.save({}, { signature: 'f'.repeat(64) })),
    },
    {
      id: 'signature-boundary',
      name: 'A colon cannot be moved between material ID and URL under the same signature',
      rule: advice('the signed text has no fixed boundary, so the URL must be checked separately'),
      severity: 'unsafe',
      run: async (bench) => {
        const { payload, signature, contentUrl, material, ...rest } = bench.prepareSave()
        const [scheme = '', address = ''] = contentUrl.split(/:(.*)/s)
        const moved = { ...payload, material_id: `${material}:${scheme}`, content_url: address }
        return refusedWithoutDownload(
          bench,
          await bench.deliver({ ...rest, material, contentUrl: address, signature, payload: moved }),
        )
      },
    },
    {
      id: 'signature-padded',
      name: 'Spaces around the signature do no harm',
      rule: listener('surrounding blanks allowed'),
      severity: 'unwise',
      run: async (bench) => {
        const prepared = bench.prepareSave()
        return accepted(await bench.deliver(prepared, { signature: ` ${prepared.signature}  ` }))
      },
    },
    {
      id: 'signature-odd-headers',
      name: 'Upper case, repeated and non-ASCII signatures cause no server error',
      rule: advice('comparing in constant time throws on unequal lengths in several languages'),
      severity: 'unwise',
      run: async (bench) => {
        const prepared = bench.prepareSave()
        const { signature } = prepared
        const odd = [signature.toUpperCase(), [signature, signature], 'é'.repeat(64), 'a'.repeat(4000)]
        for (const each of odd) {
          const found = noFault(await bench.deliver(prepared, { signature: each }))
          if (found.result !== 'passed') return found
        }
        return verdict('an answer to each, and no server error', null)
      },
    },
    {
      id: 'signature-not-told',
      dependsOn: 'signature-wrong',
      name: 'A refusal does not reveal the correct signature',
      rule: advice('whoever learns the correct signature can send any callback'),
      severity: 'unsafe',
      run: async (bench) => {
        const { answer, signature } = await bench.save({}, { signature: 'f'.repeat(64) })
        const isRevealed = answer.kind === 'answer' && answer.text.toLowerCase().includes(signature)
        return verdict('an answer without it', isRevealed ? 'the answer contains the expected signature' : null)
      },
    },
    {
      id: 'signature-refusal-readable',
      dependsOn: 'signature-wrong',
      name: 'A wrong signature is reported to the sender: status 4xx, rc 0 and a reason',
      rule: listener('signature missing or wrong: 400, rc 0, invalid_signature'),
      severity: 'unwise',
      run: async (bench) =>
        refusedWithReason(
          bench,
          await bench.save({}, { signature: 'f'.repeat(64) }),
          isClientError,
          'HTTP 4xx, rc 0 with a reason',
        ),
    },
  ],
}
