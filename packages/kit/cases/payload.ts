import { setTimeout as wait } from 'node:timers/promises'

import type { Delivered } from '../drive/bench.ts'
import {
  noFault,
  refusedWithReason,
  refused,
  refusedWithoutDownload,
  saved,
  unexplainedAcceptance,
  wholeOrRefused,
} from '../judge/common-verdicts.ts'
import { verdict } from '../judge/verdict.ts'
import { isAccepted, isClientError, whyNotAccepted, whyNotRefused, describeAnswer } from '../protocol/answer.ts'
import type { Case, Theme } from '../suite/case.ts'
import { advice, contract, listener } from '../suite/case.ts'

const readable = listener('not JSON, not an object; material_id or content_url missing: 400, rc 0, invalid_request')

/** A body that is not a callback, sent with a valid signature. */
const noCallback = (id: string, name: string, body: string): Case => ({
  id,
  name,
  rule: readable,
  severity: 'unwise',
  dependsOn: id === 'body-not-json' ? 'save-accepted' : 'body-not-json',
  run: async (bench) =>
    refusedWithReason(bench, await bench.save({}, { body }), isClientError, 'HTTP 4xx, rc 0 with a reason'),
})

/** A save with odd metadata. The backend may accept or refuse it, but must not fail. */
const oddMetadata = (id: string, name: string, metadata: unknown): Case => ({
  id,
  name,
  rule: listener('anything but an object counts as no metadata'),
  severity: 'unwise',
  dependsOn: id === 'metadata-absent' ? 'save-accepted' : 'metadata-absent',
  run: async (bench) => noFault(await bench.save({ payload: { metadata } })),
})

const anyMetadata = {
  editor_user_id: 7,
  section_id: null,
  customContainers: [{ name: 'wide', nested: { depth: [1, [2, [3]]] } }],
  'ключ "с" кавычками': 'Zürich 東京 🖼️',
  float: 0.1,
  yes: true,
  empty: {},
  none: [],
}

const contradiction = listener('event contradicts the URL: 400, unknown_event; the signature does not cover the event')

/** Status and message of a refusal, without the id that was sent. */
const refusalOf = ({ answer, material }: Delivered): string => describeAnswer(answer).replaceAll(material, '…')

/**
 * The signature covers the material id, so a body decoded as Latin-1 looks forged. A backend whose ids are all ASCII
 * reveals this only by how it refuses.
 */
const bodyIsUtf8: Case = {
  id: 'body-utf8',
  name: 'A material ID with non-ASCII characters is verified as it was signed',
  rule: contract('Authentication 2', 'signature = hex(HMAC_SHA256(api_secret, material_id + ":" + url))'),
  severity: 'breaks the contract',
  dependsOn: 'signature-wrong',
  run: async (bench) => {
    const expected = 'accepted, or refused for another reason than its signature'
    const named = bench.run.materials.find((material) => /[^\0-\x7f]/.test(material))
    const word = bench.run.fresh()
    const material = named ?? `conformance-Ж-${word}`
    const odd = await bench.save({ material })
    if (isAccepted(odd.answer)) return verdict(expected, null)
    if (named !== undefined) return verdict('rc 1', describeAnswer(odd.answer))
    const plain = await bench.save({ material: `conformance-unknown-${word}` })
    if (isAccepted(plain.answer))
      return verdict(expected, `an ASCII ID is accepted, a non-ASCII one is not: ${describeAnswer(odd.answer)}`)
    const forged = await bench.save({ material }, { signature: '0123456789abcdef'.repeat(4) })
    const [one, other, bad] = [odd, plain, forged].map(refusalOf)
    if (one === other && one === bad) {
      // The signature covers the URL as well. Few backends refuse its query.
      const marked = await bench.save({ address: (url) => `${url}?conformance=Ж` })
      if (isAccepted(marked.answer)) return verdict(expected, null, 'accepted with a non-ASCII content_url')
      return verdict(expected, {
        unchecked: 'unknown ids and forged signatures are refused alike; pass a non-ASCII --material',
      })
    }
    return verdict(expected, one === bad ? `refused as a forged signature is: ${one}` : null, one)
  },
}

export const payload: Theme = {
  title: 'Payload',
  dependsOn: 'save-accepted',
  cases: [
    {
      id: 'metadata-any-shape',
      name: 'Metadata may have any JSON shape',
      rule: contract('metadata', 'A JSON object with no fixed schema'),
      severity: 'breaks the contract',
      dependsOn: 'media-served',
      run: async (bench) => {
        const plain = bench.prepareSave()
        const metadata = { ...anyMetadata, ...(plain.payload['metadata'] as object) }
        return saved(bench, await bench.deliver({ ...plain, payload: { ...plain.payload, metadata } }))
      },
    },
    {
      id: 'version-date-forms',
      name: 'version_cdate may be in any form of ISO 8601 with a UTC offset',
      rule: contract('metadata', 'version_cdate: ISO 8601 with UTC offset'),
      severity: 'breaks the contract',
      run: async (bench) => {
        for (const fraction of ['', '.000123'])
          for (const offset of ['+00:00', '-03:30']) {
            const written = (): string => {
              const local = new Date(Date.now() - (offset === '+00:00' ? 0 : 3.5 * 3_600_000)).toISOString()
              return local.slice(0, 'YYYY-MM-DDThh:mm:ss'.length) + fraction + offset
            }
            const first = whyNotAccepted((await bench.save({ versionCdate: written() })).answer)
            if (first === null) continue
            // Cut to its second, the date may be older than that of the save before, which a backend may refuse.
            await wait(1000 - (Date.now() % 1000))
            const versionCdate = written()
            const why = whyNotAccepted((await bench.save({ versionCdate })).answer)
            if (why !== null) return verdict('rc 1 to each', `for ${versionCdate}: ${why}`)
          }
        return verdict('rc 1 to each', null)
      },
    },
    {
      id: 'debug-flag',
      name: 'A callback with debug true is saved like any other',
      rule: contract('article_saved callback payload', 'debug: present in the payload'),
      severity: 'breaks the contract',
      dependsOn: 'media-served',
      run: async (bench) => saved(bench, await bench.save({ payload: { debug: true } })),
    },
    {
      id: 'payload-more-members',
      name: 'Unknown members are ignored',
      rule: advice('services grow'),
      severity: 'unwise',
      dependsOn: 'media-served',
      run: async (bench) => saved(bench, await bench.save({ payload: { conformance: { more: [1, 2] }, extra: null } })),
    },
    oddMetadata('metadata-empty', 'Empty metadata causes no server error', {}),
    oddMetadata('metadata-list', 'Metadata that is a list causes no server error', ['a']),
    oddMetadata('metadata-text', 'Metadata that is a text causes no server error', 'a'),
    oddMetadata('metadata-null', 'Metadata that is null causes no server error', null),
    oddMetadata('metadata-absent', 'A callback without metadata causes no server error', undefined),
    noCallback('body-not-json', 'A body that is not JSON is refused readably', '{"event":'),
    noCallback('body-empty', 'An empty body is refused readably', ''),
    noCallback('body-list', 'A body that is a list is refused readably', '[]'),
    noCallback('body-text', 'A body that is a JSON text is refused readably', '"article_saved"'),
    noCallback('body-null', 'A body that is null is refused readably', 'null'),
    {
      id: 'body-deep',
      name: 'Very deep nesting is refused and does not crash the backend',
      rule: advice('a body nested 100,000 deep overflows the stack of some readers'),
      severity: 'unsafe',
      run: async (bench) => {
        const { answer } = await bench.save({}, { body: `{"metadata":${'['.repeat(100_000)}` })
        const after = await bench.save({}, { signature: null })
        const expected = 'refused, and the backend answers the next callback'
        const why = answer.kind === 'silent' ? answer.why : unexplainedAcceptance(bench, answer)
        return verdict(
          expected,
          why ?? (after.answer.kind === 'answer' ? null : `afterwards ${describeAnswer(after.answer)}`),
        )
      },
    },
    {
      id: 'material-id-missing',
      name: 'A callback without material_id is refused',
      rule: readable,
      severity: 'unsafe',
      run: async (bench) => {
        const prepared = bench.prepareSave({ payload: { material_id: undefined } })
        return refused(bench, await bench.deliver(prepared, { signature: bench.sign('', prepared.contentUrl) }))
      },
    },
    {
      id: 'content-url-missing',
      name: 'A callback without content_url is refused, and saves no empty page',
      rule: readable,
      severity: 'unsafe',
      run: async (bench) =>
        refused(
          bench,
          await bench.save({ payload: { content_url: undefined } }, { signature: bench.sign(bench.material, '') }),
        ),
    },
    {
      id: 'content-url-empty',
      name: 'An empty content_url is refused, and saves no empty page',
      rule: readable,
      severity: 'unsafe',
      run: async (bench) => refused(bench, await bench.save({ address: () => '' })),
    },
    {
      id: 'material-id-number',
      name: 'A material_id that is a number causes no server error',
      rule: readable,
      severity: 'unwise',
      run: async (bench) => {
        const prepared = bench.prepareSave({ payload: { material_id: 42 } })
        return noFault(await bench.deliver(prepared, { signature: bench.sign('42', prepared.contentUrl) }))
      },
    },
    {
      id: 'material-unknown',
      name: 'A material that the backend does not know is refused before the download, or saved whole',
      rule: contract(
        'Site callback endpoint',
        'A site may refuse a save before downloading: then no ZIP is downloaded',
      ),
      severity: 'breaks the contract',
      dependsOn: 'media-served',
      run: async (bench) => {
        const delivered = await bench.save({ material: `conformance-unknown-${bench.run.fresh()}` })
        const isRefusedUnread = whyNotRefused(delivered.answer) === null && delivered.offer.downloads.length === 0
        return isRefusedUnread ? refusedWithoutDownload(bench, delivered) : wholeOrRefused(bench, delivered)
      },
    },
    {
      id: 'material-odd-ids',
      name: 'IDs with slashes, colons, any script or 300 characters are refused before the download, or saved whole',
      rule: contract('Terms', 'material_id: identifier in the site’s CMS, a string'),
      severity: 'unwise',
      dependsOn: 'media-served',
      run: async (bench) => {
        const word = bench.run.fresh()
        for (const odd of ['a/b', 'a:b', 'a%2Fb', 'a b', '..a', 'Ж-🖼️', 'long'.repeat(75)]) {
          const found = await wholeOrRefused(bench, await bench.save({ material: `${word}-${odd}` }))
          if (found.result !== 'passed') return { ...found, got: `for ${odd.slice(0, 10)}: ${found.got}` }
        }
        return verdict('each saved whole or refused', null)
      },
    },
    bodyIsUtf8,
    ...unknownEvents(),
    {
      id: 'event-contradicts-media',
      name: 'A fonts event for a media archive is refused',
      rule: contradiction,
      severity: 'unsafe',
      run: async (bench) => refused(bench, await bench.save({ payload: { event: 'site_fonts_updated' } })),
    },
    {
      id: 'event-contradicts-fonts',
      name: 'A save event for a fonts archive is refused',
      rule: contradiction,
      severity: 'unsafe',
      run: async (bench) => refused(bench, await bench.fonts({ payload: { event: 'article_saved' } })),
    },
  ],
}

function unknownEvents(): readonly Case[] {
  const event = 'conformance_event'
  const byField = contract('Events 2', 'A site chooses the handler by the event field')
  return [
    {
      id: 'event-unknown',
      name: 'An unknown event is not treated as a save',
      rule: byField,
      severity: 'unwise',
      run: async (bench) => refused(bench, await bench.save({ kind: 'other', payload: { event } })),
    },
    {
      id: 'event-unknown-media',
      name: 'An unknown event is not treated as a save, although its URL is that of a save',
      rule: listener('an event that is neither of the two: 400, unknown_event, whatever the path says'),
      severity: 'unwise',
      dependsOn: 'event-unknown',
      run: async (bench) => refused(bench, await bench.save({ payload: { event } })),
    },
    {
      id: 'event-unknown-fonts',
      name: 'An unknown event is not treated as a font set, although its URL is that of one',
      rule: listener('an event that is neither of the two: 400, unknown_event, whatever the path says'),
      severity: 'unwise',
      dependsOn: 'event-unknown-media',
      run: async (bench) => refused(bench, await bench.fonts({ payload: { event } })),
    },
    {
      id: 'event-absent',
      name: 'A callback without event is saved by its address or refused, without a server error',
      rule: listener('an absent event follows the path'),
      severity: 'unwise',
      dependsOn: 'media-served',
      run: async (bench) => {
        const delivered = await bench.save({ payload: { event: undefined } })
        const fault = noFault(delivered)
        return fault.result === 'passed' ? wholeOrRefused(bench, delivered) : fault
      },
    },
  ]
}
