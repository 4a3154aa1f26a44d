import type { Case, Theme } from '../case.ts'
import { advice, contract, listener, verdict } from '../case.ts'
import type { SaveParts } from '../drive/prepare.ts'
import { isClientError, whyNotRefused, words } from '../judge/answers.ts'
import { noFault, plainlyRefused, refused, refusedUnread, saved, wholeOrRefused } from '../judge/verdicts.ts'

const readable = listener('not JSON, not an object; material_id or content_url missing: 400, rc 0, invalid_request')

/** A body that is no callback at all, sent with the signature of one. */
const noCallback = (id: string, name: string, body: string): Case => ({
  id,
  name,
  rule: readable,
  severity: 'unwise',
  run: async (bench) => plainlyRefused(await bench.save({}, { body }), isClientError, 'HTTP 4xx, rc 0 with a reason'),
})

/** A save whose odd metadata must not trip the backend up, whatever it decides. */
const oddMetadata = (id: string, name: string, metadata: unknown): Case => ({
  id,
  name,
  rule: listener('anything but an object counts as no metadata'),
  severity: 'unwise',
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

export const payload: Theme = {
  title: 'Payload',
  restsOn: 'save-accepted',
  cases: [
    {
      id: 'metadata-any-shape',
      name: 'Metadata of any JSON shape is no obstacle',
      rule: contract('metadata', 'A JSON object with no fixed schema'),
      severity: 'breaks the contract',
      restsOn: 'media-served',
      run: async (bench) => {
        const plain = bench.prepareSave()
        const metadata = { ...anyMetadata, ...(plain.payload['metadata'] as object) }
        return saved(bench, await bench.deliver({ ...plain, payload: { ...plain.payload, metadata } }))
      },
    },
    {
      id: 'debug-flag',
      name: 'A callback with debug true is saved like any other',
      rule: contract('article_saved callback payload', 'debug: present in the payload'),
      severity: 'breaks the contract',
      restsOn: 'media-served',
      run: async (bench) => saved(bench, await bench.save({ payload: { debug: true } })),
    },
    {
      id: 'payload-more-members',
      name: 'Members nobody has heard of are ignored',
      rule: advice('services grow'),
      severity: 'unwise',
      restsOn: 'media-served',
      run: async (bench) => saved(bench, await bench.save({ payload: { conformance: { more: [1, 2] }, extra: null } })),
    },
    oddMetadata('metadata-empty', 'Empty metadata is no fault of the server', {}),
    oddMetadata('metadata-list', 'Metadata that is a list is no fault of the server', ['a']),
    oddMetadata('metadata-text', 'Metadata that is a text is no fault of the server', 'a'),
    oddMetadata('metadata-null', 'Metadata that is null is no fault of the server', null),
    oddMetadata('metadata-absent', 'A callback without metadata is no fault of the server', undefined),
    noCallback('body-not-json', 'A body that is not JSON is refused readably', '{"event":'),
    noCallback('body-empty', 'An empty body is refused readably', ''),
    noCallback('body-list', 'A body that is a list is refused readably', '[]'),
    noCallback('body-text', 'A body that is a JSON text is refused readably', '"article_saved"'),
    noCallback('body-null', 'A body that is null is refused readably', 'null'),
    {
      id: 'body-deep',
      name: 'Endless nesting is refused and does not bring the backend down',
      rule: advice('a body nested 100,000 deep overflows the stack of some readers'),
      severity: 'unsafe',
      run: async (bench) => {
        const { answer } = await bench.save({}, { body: `{"metadata":${'['.repeat(100_000)}` })
        const after = await bench.save({}, { signature: null })
        const expected = 'refused, and the backend answers the next callback'
        const why = answer.kind === 'silent' ? answer.why : whyNotRefused(answer)
        return verdict(expected, why ?? (after.answer.kind === 'answer' ? null : `afterwards ${words(after.answer)}`))
      },
    },
    {
      id: 'material-id-missing',
      name: 'A callback without material_id is refused',
      rule: readable,
      severity: 'unsafe',
      run: async (bench) => {
        const prepared = bench.prepareSave({ payload: { material_id: undefined } })
        return refused(await bench.deliver(prepared, { signature: bench.sign('', prepared.contentUrl) }))
      },
    },
    {
      id: 'content-url-missing',
      name: 'A callback without content_url is refused, and saves no empty page',
      rule: readable,
      severity: 'unsafe',
      run: async (bench) =>
        refused(
          await bench.save({ payload: { content_url: undefined } }, { signature: bench.sign(bench.material, '') }),
        ),
    },
    {
      id: 'content-url-empty',
      name: 'An empty content_url is refused, and saves no empty page',
      rule: readable,
      severity: 'unsafe',
      run: async (bench) => refused(await bench.save({ address: () => '' })),
    },
    {
      id: 'material-id-number',
      name: 'A material_id that is a number is no fault of the server',
      rule: readable,
      severity: 'unwise',
      run: async (bench) => {
        const prepared = bench.prepareSave({ payload: { material_id: 42 } })
        return noFault(await bench.deliver(prepared, { signature: bench.sign('42', prepared.contentUrl) }))
      },
    },
    {
      id: 'material-unknown',
      name: 'A material the backend has never heard of is refused before the download, or saved whole',
      rule: contract(
        'Site callback endpoint',
        'A site may refuse a save before downloading: then no ZIP is downloaded',
      ),
      severity: 'breaks the contract',
      restsOn: 'media-served',
      run: async (bench) => {
        const delivered = await bench.save({ material: `conformance-unknown-${bench.run.fresh()}` })
        const isRefusedUnread = whyNotRefused(delivered.answer) === null && delivered.offer.downloads.length === 0
        return isRefusedUnread ? refusedUnread(delivered) : wholeOrRefused(bench, delivered)
      },
    },
    {
      id: 'material-odd-ids',
      name: 'Ids with slashes, colons, any script or 300 signs are refused before the download, or saved whole',
      rule: contract('Terms', 'material_id: identifier in the site’s CMS, a string'),
      severity: 'unwise',
      restsOn: 'media-served',
      run: async (bench) => {
        const word = bench.run.fresh()
        for (const odd of ['a/b', 'a:b', 'a%2Fb', 'a b', '..a', 'Ж-🖼️', 'long'.repeat(75)]) {
          const found = await wholeOrRefused(bench, await bench.save({ material: `${word}-${odd}` }))
          if (!found.ok) return { ...found, got: `for ${odd.slice(0, 10)}: ${found.got}` }
        }
        return verdict('each saved whole or refused', null)
      },
    },
    ...unknownEvents(),
    {
      id: 'event-contradicts-media',
      name: 'A fonts event for a media archive is refused',
      rule: contradiction,
      severity: 'unsafe',
      run: async (bench) => refused(await bench.save({ payload: { event: 'site_fonts_updated' } })),
    },
    {
      id: 'event-contradicts-fonts',
      name: 'A save event for a fonts archive is refused',
      rule: contradiction,
      severity: 'unsafe',
      run: async (bench) => refused(await bench.fonts({ payload: { event: 'article_saved' } })),
    },
  ],
}

function unknownEvents(): readonly Case[] {
  const elsewhere: SaveParts = { kind: 'other', payload: { event: 'conformance_event' } }
  return [
    {
      id: 'event-unknown',
      name: 'An unknown event is not taken for a save',
      rule: contract('Events 2', 'A site chooses the handler by the event field'),
      severity: 'unwise',
      run: async (bench) => refused(await bench.save(elsewhere)),
    },
    {
      id: 'event-absent',
      name: 'A callback without event is saved by its address or refused, and no fault of the server',
      rule: listener('an absent or unknown event follows the path'),
      severity: 'unwise',
      restsOn: 'media-served',
      run: async (bench) => {
        const delivered = await bench.save({ payload: { event: undefined } })
        const fault = noFault(delivered)
        return fault.ok ? wholeOrRefused(bench, delivered) : fault
      },
    },
  ]
}
