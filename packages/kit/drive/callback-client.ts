import { request as plainRequest } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'

import type { Answer } from '../protocol/answer.ts'
import { readExactly } from '../protocol/exact-json.ts'

/** One raw HTTP request to the backend. */
export interface RequestSpec {
  readonly method?: string
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  /** Text, bytes, or chunks that are sent as they become available. */
  readonly body: string | Buffer | AsyncIterable<Buffer>
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

const megabyte = 1024 * 1024
/** Larger than any answer to a test save, even from a backend that echoes the largest body; the rest is not read. */
const answerMaxBytes = 8 * megabyte

/** Sends one request on its own connection. Never throws and always ends within its timeout. */
export async function sendTo(url: URL, spec: RequestSpec): Promise<Answer> {
  const started = performance.now()
  const took = () => performance.now() - started
  const deadline = AbortSignal.timeout(spec.timeoutMs)
  const request = url.protocol === 'https:' ? tlsRequest : plainRequest
  return new Promise((resolve) => {
    const fail = (error: Error) => {
      if (deadline.aborted) {
        resolve({ kind: 'silent', why: `no answer within ${Math.round(spec.timeoutMs / 1000)} s`, ms: took() })
      } else {
        const kind = isUnreached(error) ? 'unreached' : 'cut'
        resolve({ kind, why: networkErrorText(error), ms: took() })
      }
    }
    const { body } = spec
    const isWhole = typeof body === 'string' || Buffer.isBuffer(body)
    const length = isWhole && spec.method !== 'GET' ? { 'content-length': String(Buffer.byteLength(body)) } : {}
    const outgoing = request(url, {
      method: spec.method ?? 'POST',
      headers: { ...length, ...(spec.headers as Record<string, string | string[]>) },
      agent: false,
      signal: AbortSignal.any([deadline, spec.signal]),
    })
    let isAnswered = false
    outgoing.on('response', (response) => {
      isAnswered = true
      const chunks: Buffer[] = []
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes <= answerMaxBytes) return void chunks.push(chunk)
        resolve({ kind: 'cut', why: `the answer is larger than ${answerMaxBytes / megabyte} MiB`, ms: took() })
        response.destroy()
      })
      response.on('error', fail)
      response.on('end', () => {
        const { statusCode: status = 0, headers } = response
        const text = decoded(Buffer.concat(chunks), headers['content-encoding']).toString('utf8')
        resolve({ kind: 'answer', status, headers, text, json: readExactly(text), ms: took() })
      })
    })
    // A backend may answer and hang up while the body is still being sent: the answer counts.
    outgoing.on('error', (error) => (isAnswered && !deadline.aborted ? undefined : fail(error)))
    if (isWhole) outgoing.end(body)
    else
      sendPieces(outgoing, body).catch((error: unknown) => outgoing.destroy(error instanceof Error ? error : undefined))
  })
}

const decoders = { gzip: gunzipSync, 'x-gzip': gunzipSync, deflate: inflateSync, br: brotliDecompressSync }

/** The body without its content encoding. HTTP allows every encoding when none was asked for. */
function decoded(bytes: Buffer, encoding = ''): Buffer {
  const found = Object.entries(decoders).find(([name]) => name === encoding.trim().toLowerCase())
  try {
    return found === undefined ? bytes : found[1](bytes, { maxOutputLength: answerMaxBytes })
  } catch {
    // The body is too large, or not in the encoding that it declares. Its text is then not JSON, and the report shows
    // both.
    return bytes
  }
}

async function sendPieces(outgoing: ReturnType<typeof plainRequest>, pieces: AsyncIterable<Buffer>): Promise<void> {
  for await (const piece of pieces) {
    if (outgoing.destroyed || outgoing.writableEnded) return
    outgoing.write(piece)
  }
  outgoing.end()
}

const unreachedTexts: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name cannot be looked up',
  EHOSTUNREACH: 'the host cannot be reached over the network',
  ENETUNREACH: 'the host cannot be reached over the network',
}

const cutTexts: Readonly<Record<string, string>> = {
  ECONNRESET: 'the connection was cut without an answer',
  EPIPE: 'the connection was cut without an answer',
  UND_ERR_SOCKET: 'the connection was cut without an answer',
}

const isUnreached = (error: unknown): boolean => (codeOf(error) ?? '') in unreachedTexts

function codeOf(error: unknown): string | undefined {
  const { code, cause } = error as { readonly code?: string; readonly cause?: unknown }
  return code ?? (cause === undefined ? undefined : codeOf(cause))
}

/** Describes a network error, without the query of any URL. */
export function networkErrorText(error: unknown): string {
  const code = codeOf(error)
  if (code === undefined) return 'the connection failed'
  return unreachedTexts[code] ?? cutTexts[code] ?? `the connection failed (${code})`
}
