import type { Delivered } from '../../drive/bench.ts'
import { refused } from '../../judge/common-verdicts.ts'
import { difference } from '../../judge/difference.ts'
import {
  clientUrlsIn,
  noTree,
  noUrl,
  treeIn,
  whyFontsNotServed,
  whyTreeNotObject,
  whyTreeNotPublic,
} from '../../judge/fonts-answer.ts'
import { urlOf, whyNotFetched } from '../../judge/save-answer.ts'
import { verdict } from '../../judge/verdict.ts'
import { rcOf, rmOf, whyNotAccepted, describeAnswer } from '../../protocol/answer.ts'
import type { Json } from '../../protocol/exact-json.ts'
import { readExactly } from '../../protocol/exact-json.ts'
import type { Case } from '../../suite/case.ts'
import { advice, contract } from '../../suite/case.ts'
import { anyShape, set, stores } from './expecting.ts'

const mayReturn = contract(
  'Site callback endpoint',
  'and may return the font tree with public clientUrl values in data.fonts',
)

const asked = (
  id: string,
  name: string,
  dependsOn: readonly string[],
  expected: string,
  why: (delivered: Delivered, apiKey: string, header: string) => string | null,
): Case => ({
  id,
  name,
  rule: contract('GET /integration/download/fonts', 'Authorisation is the same as for the media ZIP'),
  severity: 'breaks the contract',
  dependsOn,
  run: async (bench) => {
    const delivered = await bench.fonts()
    const none = delivered.offer.downloads.length === 0 ? `no download; ${describeAnswer(delivered.answer)}` : null
    return verdict(expected, none ?? why(delivered, bench.run.apiKey, bench.run.signatureHeader.toLowerCase()))
  },
})

const hostOf = (url: string | undefined): string | null =>
  url !== undefined && URL.canParse(url) ? new URL(url).hostname : null

/** Whether a text occurs anywhere in a value. */
const holdsText = (value: Json, text: string): boolean =>
  (value.kind === 'string' && value.value === text) ||
  (value.kind === 'array' && value.items.some((each) => holdsText(each, text))) ||
  (value.kind === 'object' && value.members.some(([, each]) => holdsText(each, text)))

/** A valid font set: the answer, the download request, and the files behind the answered URLs. */
export const answered: readonly Case[] = [
  set('fonts-accepted', 'A valid font set is accepted', {}, 'breaks the contract', stores),
  {
    id: 'fonts-answer',
    name: 'A stored font set is answered with the integer rc 1 and a text in rm',
    rule: contract('Callback answer', 'rc: integer, rm: string'),
    severity: 'breaks the contract',
    run: async (bench) => {
      const { answer } = await bench.fonts()
      return verdict('rc 1 and rm', rcOf(answer) === '1' && rmOf(answer) !== undefined ? null : describeAnswer(answer))
    },
  },
  asked(
    'fonts-download',
    'The fonts archive is fetched with api_key and material_id',
    ['fonts-accepted', 'download-api-key', 'download-material-id'],
    'both in the query',
    ({ offer, material }, apiKey) => {
      const query = new URLSearchParams(offer.downloads[0]?.query)
      if (query.get('api_key') !== apiKey) return 'no api_key, or another one'
      return query.get('material_id') === material ? null : 'no material_id, or another one'
    },
  ),
  asked(
    'fonts-download-signature',
    'The fonts archive is fetched with the signature',
    ['fonts-download', 'download-signature'],
    'the signature over material_id:content_url',
    ({ offer, signature }, _, header) =>
      offer.downloads[0]?.headers[header] === signature ? null : 'no signature, or another one',
  ),
  {
    id: 'fonts-signature-missing',
    dependsOn: 'signature-missing',
    name: 'A fonts callback without a signature is refused',
    rule: contract('Events 1', 'Both events carry the signature and are verified the same way'),
    severity: 'breaks the contract',
    run: async (bench) => refused(bench, await bench.fonts({}, { signature: null })),
  },
  {
    id: 'fonts-signature-wrong',
    dependsOn: 'signature-wrong',
    name: 'A fonts callback with a wrong signature is refused',
    rule: contract('Events 1', 'Both events carry the signature and are verified the same way'),
    severity: 'breaks the contract',
    run: async (bench) => refused(bench, await bench.fonts({}, { signature: '0'.repeat(64) })),
  },
  {
    id: 'fonts-tree-object',
    name: 'A returned font tree is an object',
    rule: contract('Callback answer', 'data.fonts: object'),
    severity: 'breaks the contract',
    run: async (bench) => {
      const { answer } = await bench.fonts()
      const why = whyNotAccepted(answer) ?? whyTreeNotObject(answer)
      return verdict(
        'data.fonts, a JSON object, or no tree',
        why,
        treeIn(answer) === undefined ? 'no tree' : 'an object',
      )
    },
  },
  {
    id: 'fonts-tree-public',
    name: 'A returned font tree contains public URLs for the style sheet and the files',
    rule: mayReturn,
    severity: 'breaks the contract',
    dependsOn: 'fonts-tree-object',
    run: async (bench) => {
      const delivered = await bench.fonts()
      const tree = treeIn(delivered.answer)
      return verdict(
        'public URLs, or no tree',
        whyTreeNotPublic(delivered),
        tree === undefined ? 'no tree' : 'public URLs',
      )
    },
  },
  {
    id: 'fonts-tree-kept',
    name: 'A returned font tree is the one that was sent, with only clientUrls changed',
    rule: anyShape,
    severity: 'unwise',
    dependsOn: 'fonts-tree-object',
    run: async (bench) => {
      const delivered = await bench.fonts()
      const [sent, got] = [readExactly(delivered.stateText), treeIn(delivered.answer)]
      const why = whyNotAccepted(delivered.answer)
      const changed =
        sent && got ? difference(sent, got, { by: 'value', mayDiffer: (path) => path.at(-1) === 'clientUrl' }) : null
      return verdict('the tree that was sent, or none', why ?? changed)
    },
  },
  {
    id: 'fonts-tree-unicode',
    name: 'A tree with names in any script is returned unchanged',
    rule: contract('Site callback endpoint', 'Receives POST with a JSON payload'),
    severity: 'breaks the contract',
    dependsOn: ['fonts-tree-kept', 'body-utf8'],
    run: async (bench) => {
      const tree = {
        list: [{ family: 'Прага 東京 Zürich', files: { woff2: { id: 'Conformance.woff2', clientUrl: '' } } }],
      }
      const { answer } = await bench.fonts({ tree })
      const got = treeIn(answer)
      const names = JSON.stringify(tree.list[0]?.family)
      const isKept = answer.kind === 'answer' && got !== undefined && holdsText(got, tree.list[0]?.family ?? '')
      return verdict(
        `the family ${names}`,
        whyNotAccepted(answer) ?? (got === undefined ? noTree : isKept ? null : 'another name'),
      )
    },
  },
  {
    id: 'fonts-served',
    name: 'Every returned font URL serves the bytes of its file',
    rule: mayReturn,
    severity: 'breaks the contract',
    dependsOn: 'fonts-tree-public',
    run: async (bench) => verdict('the bytes of each file', await whyFontsNotServed(bench, await bench.fonts())),
  },
  {
    id: 'fonts-cross-origin',
    name: 'Font files may be used from another origin',
    rule: advice(
      'the hosted editor loads them from its own address, and browsers refuse fonts without Access-Control-Allow-Origin',
    ),
    severity: 'unwise',
    dependsOn: 'fonts-served',
    run: async (bench) => {
      const delivered = await bench.fonts()
      const { answer } = delivered
      const url = clientUrlsIn(treeIn(answer)).get('Conformance.woff2')
      const expected = 'Access-Control-Allow-Origin'
      if (url === undefined || !URL.canParse(url))
        return verdict(expected, whyNotAccepted(answer) ?? noUrl(delivered, 'of a font'))
      const fetched = await bench.get(url, { origin: 'https://editor.example.com' })
      if (fetched.kind === 'unreachable') return verdict(expected, whyNotFetched(fetched, url))
      const allowed = fetched.headers.get('access-control-allow-origin')
      return verdict(expected, allowed === null ? 'no such header' : null)
    },
  },
  {
    id: 'fonts-own-host',
    name: 'Font URLs are on the same host as media URLs',
    rule: contract('Errors 3', 'For the fonts answer, URLs outside the allowed domains are not accepted'),
    severity: 'unwise',
    run: async (bench) => {
      const [fonts, save] = [await bench.fonts(), await bench.save()]
      const media = hostOf(urlOf(save.answer, [...save.files.keys()][0] ?? ''))
      const own = [...clientUrlsIn(treeIn(fonts.answer)).values()].map(hostOf)
      const stray = own.find((host) => host !== null && host !== media)
      const lacks = media === null || own.length === 0
      const nothing = lacks ? { unchecked: 'fonts or media were returned without URLs', isOptional: true } : null
      return verdict(
        'the same host',
        whyNotAccepted(fonts.answer) ?? nothing ?? (stray ? `fonts are on ${stray}, media on ${media}` : null),
      )
    },
  },
]
