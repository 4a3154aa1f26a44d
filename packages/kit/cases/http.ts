import { setTimeout as delay } from 'node:timers/promises'

import type { Bench, Delivered } from '../drive/bench.ts'
import { accepted, refused, refusedWithoutDownload, saved, unexplainedAcceptance } from '../judge/common-verdicts.ts'
import type { Verdict } from '../judge/verdict.ts'
import { verdict } from '../judge/verdict.ts'
import { isClientError, describeAnswer } from '../protocol/answer.ts'
import type { Theme } from '../suite/case.ts'
import { advice, contract, listener } from '../suite/case.ts'

/** Larger than any callback; docs/api.md limits bodies to 4 MiB. */
const largeBytes = 5 * 1024 * 1024

/** How long the kit keeps sending a body byte by byte before it gives up. */
const dripMs = 40_000

async function* drip(text: string): AsyncIterable<Buffer> {
  for (const byte of Buffer.from(text)) {
    yield Buffer.from([byte])
    await delay(1000)
  }
}

async function* inTwoChunks(text: string): AsyncIterable<Buffer> {
  const bytes = Buffer.from(text)
  yield bytes.subarray(0, 50)
  await delay(50)
  yield bytes.subarray(50)
}

/** Passes for a refusal with any status below 500. */
function refusedWithoutFault(bench: Bench, { answer }: Delivered): Verdict {
  const isFault = answer.kind === 'answer' && answer.status >= 500
  const why = isFault ? describeAnswer(answer) : unexplainedAcceptance(bench, answer)
  return verdict('refused', why, describeAnswer(answer))
}

export const http: Theme = {
  title: 'HTTP',
  dependsOn: 'save-accepted',
  cases: [
    {
      id: 'http-get',
      name: 'GET on the callback URL saves nothing and is refused',
      rule: contract('Site callback endpoint', 'Receives POST'),
      severity: 'unwise',
      run: async (bench) => {
        const { answer } = await bench.save({}, { method: 'GET', body: '' })
        const isRefused = answer.kind === 'answer' && isClientError(answer.status)
        return verdict('HTTP 4xx', isRefused ? unexplainedAcceptance(bench, answer) : describeAnswer(answer))
      },
    },
    {
      id: 'http-charset',
      name: 'A content type with a charset is accepted as JSON',
      rule: contract('Site callback endpoint', 'Receives POST with a JSON payload'),
      severity: 'breaks the contract',
      run: async (bench) =>
        accepted(await bench.save({}, { headers: { 'content-type': 'application/json; charset=utf-8' } })),
    },
    {
      id: 'http-body-in-pieces',
      name: 'A body without a declared length (chunked) is read whole',
      rule: advice('HTTP allows it, and proxies do it'),
      severity: 'unwise',
      run: async (bench) => {
        const prepared = bench.prepareSave()
        return accepted(await bench.deliver(prepared, { body: inTwoChunks(JSON.stringify(prepared.payload)) }))
      },
    },
    {
      id: 'http-form',
      name: 'A form is not treated as a callback',
      rule: listener('not JSON type: 415; web pages can send forms anywhere'),
      severity: 'unwise',
      run: async (bench) => {
        const prepared = bench.prepareSave()
        const fields = Object.entries(prepared.payload).map(([key, value]) => [key, String(value)] as const)
        const body = new URLSearchParams(Object.fromEntries(fields)).toString()
        return refused(
          bench,
          await bench.deliver(prepared, { body, headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
        )
      },
    },
    {
      id: 'http-medium-body',
      name: 'A callback of 300 KB is read whole',
      rule: advice('font trees and metadata have no limit in the contract, but several frameworks stop at 100 KB'),
      severity: 'unwise',
      run: async (bench) => accepted(await bench.save({ payload: { padding: 'x'.repeat(300_000) } })),
    },
    {
      id: 'http-large-body',
      name: 'A callback of five megabytes is refused without a server error',
      rule: listener('body over 4 MiB: 413'),
      severity: 'unwise',
      run: async (bench) =>
        refusedWithoutFault(bench, await bench.save({ payload: { padding: 'x'.repeat(largeBytes) } })),
    },
    {
      id: 'http-not-utf8',
      dependsOn: 'body-not-json',
      name: 'A body that is not UTF-8 is refused without a server error',
      rule: listener('not JSON: 400'),
      severity: 'unwise',
      run: async (bench) =>
        refusedWithoutFault(bench, await bench.save({}, { body: Buffer.from('{"event":"\xff\xfe"}', 'latin1') })),
    },
    {
      id: 'http-from-web-page',
      name: 'A request that a browser sends for a web page is refused',
      rule: listener('POST refuses requests that carry Origin or Sec-Fetch headers'),
      severity: 'unwise',
      run: async (bench) =>
        refusedWithoutDownload(
          bench,
          await bench.save({}, { headers: { origin: 'https://example.com', 'sec-fetch-site': 'cross-site' } }),
        ),
    },
    {
      id: 'http-compressed-body',
      name: 'A body in an unexpected encoding is refused without a server error',
      rule: listener('a body with a content encoding: 415'),
      severity: 'unwise',
      run: async (bench) =>
        refusedWithoutFault(bench, await bench.save({}, { body: 'not gzip', headers: { 'content-encoding': 'gzip' } })),
    },
    {
      id: 'http-unicode-body',
      name: 'A callback may contain text in any script',
      rule: contract('metadata', 'Values must be JSON-serialisable: strings'),
      severity: 'breaks the contract',
      dependsOn: 'media-served',
      run: async (bench) => saved(bench, await bench.save({ payload: { title: 'Zürich Привет 東京 🖼️' } })),
    },
    {
      id: 'http-slow-body',
      name: 'The backend gives up on a body that arrives at one byte a second',
      rule: listener('too slow: 408'),
      severity: 'unwise',
      needs: 'slow',
      run: async (bench) => {
        const body = drip(JSON.stringify(bench.prepareSave().payload))
        const { answer } = await bench.save({}, { body, timeoutMs: dripMs })
        const why =
          answer.kind === 'silent' ? `still reading after ${dripMs / 1000} s` : unexplainedAcceptance(bench, answer)
        return verdict('refused, or the connection ended', why, describeAnswer(answer))
      },
    },
  ],
}
