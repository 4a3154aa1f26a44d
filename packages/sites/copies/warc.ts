/** Records of web archives, WARC 1.1 (ISO 28500), and the lines of their index. */

import { sha256Of } from '@galley/platform'
import type { Sha256 } from '@galley/wire'

/** A file of an archive: what its address answers. */
export interface ArchivedFile {
  readonly url: string
  /** As in `content-type`. */
  readonly type: string
  readonly sizeBytes: number
  readonly sha256: Sha256
}

const block = (...lines: readonly string[]): string => `${lines.join('\r\n')}\r\n\r\n`

/** A UUID of version 8, whose digits an application chooses: equal input gives equal bytes. */
function uuidOf(text: string): string {
  const digits = sha256Of(text)
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-')
}

/** The start of a record; its content of `sizeBytes` and `recordEnd` follow. `date`: ISO 8601 UTC. */
const recordHead = (type: string, date: string, sizeBytes: number, more: readonly string[]): string =>
  block(
    'WARC/1.1',
    `WARC-Type: ${type}`,
    `WARC-Record-ID: <urn:uuid:${uuidOf([type, date, ...more].join('\n'))}>`,
    `WARC-Date: ${date}`,
    ...more,
    `Content-Length: ${sizeBytes}`,
  )

export const recordEnd = '\r\n\r\n'

/** The first record of a file, which names the program that wrote it. */
export function infoRecord(software: string, date: string): string {
  const content = `software: ${software}\r\nformat: WARC File Format 1.1\r\n`
  return recordHead('warcinfo', date, content.length, ['Content-Type: application/warc-fields']) + content + recordEnd
}

/** What precedes the bytes of a file in its record. */
export function responseHead({ url, type, sizeBytes, sha256 }: ArchivedFile, date: string): string {
  const answer = block(
    'HTTP/1.1 200 OK',
    `Content-Type: ${type}`,
    `Content-Length: ${sizeBytes}`,
    // Fonts load from another host only with it; Galley's listener sends it too.
    'Access-Control-Allow-Origin: *',
  )
  const about = [
    `WARC-Target-URI: ${url}`,
    `WARC-Payload-Digest: sha256:${sha256}`,
    'Content-Type: application/http; msgtype=response',
  ]
  return recordHead('response', date, answer.length + sizeBytes, about) + answer
}

/** An address as the index sorts it: the host reversed, all in lower case. */
function sortedForm(url: string): string {
  const { hostname, port, pathname, search } = new URL(url)
  const host = hostname.split('.').toReversed().join(',')
  return `${host}${port === '' ? '' : `:${port}`})${pathname}${search}`.toLowerCase()
}

/** The line of the index (CDXJ) for a record that begins at `offset` of `data.warc` and has `length` bytes. */
export function indexLine(
  { url, type, sha256 }: ArchivedFile,
  date: string,
  place: { readonly offset: number; readonly length: number },
): string {
  const facts = {
    url,
    mime: type.split(';', 1)[0],
    status: 200,
    digest: `sha256:${sha256}`,
    ...place,
    filename: 'data.warc',
  }
  return `${sortedForm(url)} ${date.replace(/\D/g, '').slice(0, 14)} ${JSON.stringify(facts)}`
}
