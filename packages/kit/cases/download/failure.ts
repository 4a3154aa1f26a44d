import { accepted, refused, saved, unexplainedAcceptance, wholeOrRefused } from '../../judge/common-verdicts.ts'
import { whyNoProof } from '../../judge/secrets.ts'
import { verdict } from '../../judge/verdict.ts'
import { describeAnswer } from '../../protocol/answer.ts'
import type { DownloadHandler } from '../../service/download-handlers.ts'
import { compressed, cut, recoveringFrom, page, status } from '../../service/download-handlers.ts'
import type { Case } from '../../suite/case.ts'
import { advice, contract, listener } from '../../suite/case.ts'

/** A failing download, after which the save must not be accepted. */
const failing = (id: string, name: string, handler: DownloadHandler): Case => ({
  id,
  name,
  rule: contract('Callback answer', 'rc 1 = accepted and saved; nothing arrived that could be saved'),
  severity: 'breaks the contract',
  ...(id === 'download-404' && { runsFirst: true as const }),
  run: async (bench) =>
    refused(bench, await bench.save({ handler }), [
      'unreadable-refused',
      'answer-own',
      ...(id === 'download-404' ? [] : ['download-404']),
    ]),
})

/** Downloads that fail, either once or every time. */
export const failures: readonly Case[] = [
  failing('download-404', 'A save whose archive is missing (404) is not accepted', status(404)),
  failing('download-403', 'A save whose archive is denied (403) is not accepted', status(403)),
  failing('download-500', 'A save whose download fails (500) is not accepted', status(500)),
  failing('download-page', 'A web page in place of the archive is not accepted', page),
  failing(
    'download-empty',
    'An empty download is not accepted',
    (response) => void response.writeHead(200, { 'content-length': 0 }).end(),
  ),
  failing('download-cut', 'A download that is cut off is not accepted', cut),
  failing(
    'download-204',
    'A download without content (204) is not accepted',
    (response) => void response.writeHead(204).end(),
  ),
  {
    id: 'download-denied-once',
    dependsOn: 'download-once',
    name: 'A denied download is not retried',
    rule: listener('never tried again on 403 and 404'),
    severity: 'unwise',
    run: async (bench) => {
      const { offer } = await bench.save({ handler: status(403) })
      const count = offer.downloads.length
      return verdict('one request', count === 1 ? null : `${count} requests`)
    },
  },
  {
    id: 'download-tried-again',
    name: 'A download is retried after a temporary failure (503)',
    rule: listener('at most 3 tries on network faults, 401, 429 and 5xx'),
    severity: 'unwise',
    run: async (bench) => accepted(await bench.save({ handler: recoveringFrom(1, status(503)) })),
  },
  {
    id: 'download-cut-then-whole',
    name: 'A download that is cut off once is retried, and the first attempt is discarded',
    rule: listener('at most 3 tries on network faults, 401, 429 and 5xx'),
    severity: 'unwise',
    dependsOn: ['media-served', 'download-tried-again'],
    run: async (bench) => saved(bench, await bench.save({ handler: recoveringFrom(1, cut) })),
  },
  {
    id: 'download-encoded',
    name: 'An archive in an encoding that was not requested is saved whole or refused',
    rule: advice('proxies compress, and some HTTP clients decompress without being asked'),
    severity: 'unwise',
    dependsOn: 'media-served',
    run: async (bench) => wholeOrRefused(bench, await bench.save({ handler: compressed })),
  },
  {
    id: 'download-tries-bounded',
    dependsOn: 'download-denied-once',
    name: 'The backend gives up on a download that keeps failing',
    rule: listener('at most 3 tries'),
    severity: 'unwise',
    run: async (bench) => {
      const { offer, answer } = await bench.save({ handler: status(503) })
      const count = offer.downloads.length
      return verdict(
        'refused after at most 5 requests',
        unexplainedAcceptance(bench, answer) ?? (count > 5 ? `${count} requests` : null),
        describeAnswer(answer),
      )
    },
  },
  {
    id: 'download-failure-discreet',
    name: 'A failed download is explained without api_key, signature or secret',
    rule: advice('HTTP clients often quote the whole signed URL in their error messages'),
    severity: 'unsafe',
    run: async (bench) => {
      const { answer, signature } = await bench.save({ handler: status(404) })
      const text = answer.kind === 'answer' ? answer.text : ''
      const { run } = bench
      const { apiKey, secret } = run
      const leaked = Object.entries({ 'the api_key': apiKey, 'the secret': secret, 'the signature': signature })
      const found = leaked.find(([, value]) => whyNoProof(run, value) === null && text.includes(value))
      if (answer.kind !== 'answer') return verdict('an answer without them', describeAnswer(answer))
      return verdict('none of them in the answer', found ? `${found[0]} in the answer` : null)
    },
  },
  {
    id: 'download-status-206',
    name: 'A partial response (206) that was not requested is not accepted',
    rule: contract('GET /integration/download/media', 'Response: the media ZIP'),
    severity: 'unwise',
    run: async (bench) => {
      const part: DownloadHandler = (response, archive) =>
        void response.writeHead(206, { 'content-range': `bytes 0-99/${archive.length}` }).end(archive.subarray(0, 100))
      return refused(bench, await bench.save({ handler: part }))
    },
  },
]
