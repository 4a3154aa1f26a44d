import type { Bench, Delivered } from '../../drive/bench.ts'
import { accepted, unlessAccepting } from '../../judge/common-verdicts.ts'
import { verdict } from '../../judge/verdict.ts'
import { whyNotAccepted, describeAnswer } from '../../protocol/answer.ts'
import type { Download } from '../../service/archive-server.ts'
import { chunked } from '../../service/download-handlers.ts'
import type { Case } from '../../suite/case.ts'
import { advice, contract, listener } from '../../suite/case.ts'

const endpoint = (text: string): string => contract('GET /integration/download/media', text)

/** A case about the download request for an ordinary save. */
const asked = (
  id: string,
  name: string,
  rule: string,
  expected: string,
  why: (download: Download, bench: Bench, delivered: Delivered) => string | null,
): Case => ({
  id,
  name,
  rule,
  severity: 'breaks the contract',
  dependsOn: 'download-before-answer',
  run: async (bench) => {
    const delivered = await bench.save()
    const [first] = delivered.offer.downloads
    if (first === undefined) return verdict(expected, `no download; ${describeAnswer(delivered.answer)}`)
    return verdict(expected, why(first, bench, delivered))
  },
})

/** The value of a query parameter that occurs exactly once. */
function inQuery({ query }: Download, key: string, wanted: string): string | null {
  const values = new URLSearchParams(query).getAll(key)
  if (values.length === 0) return `no ${key} in the query`
  if (values.length > 1) return `${values.length} times ${key} in the query`
  return values[0] === wanted ? null : `another ${key} in the query`
}

/** How backends request the archive. */
export const requests: readonly Case[] = [
  asked('download-get', 'The archive is fetched with GET', endpoint('GET'), 'GET', ({ method }) =>
    method === 'GET' ? null : method,
  ),
  asked(
    'download-api-key',
    'The download carries the api_key',
    endpoint('query parameter api_key'),
    'api_key once, as configured',
    (download, { run }) => inQuery(download, 'api_key', run.apiKey),
  ),
  asked(
    'download-material-id',
    'The download carries the material_id',
    endpoint('query parameter material_id'),
    'material_id once, as in the callback',
    (download, { material }) => inQuery(download, 'material_id', material),
  ),
  asked(
    'download-signature',
    'The download carries the signature over material_id:content_url',
    endpoint('header X-Service-Signature, computed over material_id:content_url'),
    'the signature over the bare content_url',
    ({ headers }, { run }, { signature }) => {
      const sent = headers[run.signatureHeader.toLowerCase()]
      return sent === signature ? null : sent === undefined ? `no ${run.signatureHeader}` : 'another signature'
    },
  ),
  {
    id: 'download-query-kept',
    dependsOn: 'download-before-answer',
    name: 'An existing query of content_url is sent unchanged',
    rule: listener('appends api_key and material_id to the raw query without touching what is there'),
    severity: 'unwise',
    run: async (bench) => {
      const query = 'x=1&x=2&flag&a.b=c%20d'
      const delivered = await bench.save({ address: (url) => `${url}?${query}` })
      const [first] = delivered.offer.downloads
      if (!first) return verdict(`?${query}&api_key=…`, `no download; ${describeAnswer(delivered.answer)}`)
      return verdict(
        `?${query}&api_key=…`,
        first.query.startsWith(`${query}&`) ? null : 'another query',
        describeAnswer(delivered.answer),
      )
    },
  },
  {
    id: 'download-once',
    dependsOn: 'download-before-answer',
    name: 'An ordinary save is downloaded once',
    rule: advice('archives may have 200 MB'),
    severity: 'unwise',
    run: async (bench) => {
      const { offer, answer } = await bench.save()
      const count = offer.downloads.length
      return verdict('one request', whyNotAccepted(answer) ?? (count === 1 ? null : `${count} requests`))
    },
  },
  {
    id: 'download-chunked',
    name: 'An archive without a declared length is saved',
    rule: advice('HTTP allows it, and proxies do it'),
    severity: 'unwise',
    run: async (bench) => accepted(await bench.save({ handler: chunked })),
  },
  {
    id: 'download-before-answer',
    name: 'A save is accepted only after its archive was downloaded',
    rule: contract('Site callback endpoint', 'the steps in their order: download, store, answer'),
    severity: 'breaks the contract',
    run: async (bench) => {
      const { offer, answer } = await bench.save()
      const why = offer.downloads.length === 0 ? `${describeAnswer(answer)} without a download` : whyNotAccepted(answer)
      return verdict('rc 1 after the download', unlessAccepting(bench, answer, why))
    },
  },
]
