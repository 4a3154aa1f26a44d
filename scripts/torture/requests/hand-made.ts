/** Invalid requests, written byte by byte. Each must be refused, or its connection closed. */

export interface RawRequest {
  readonly name: string
  readonly bytes: Buffer
}

/** A forged delivery for this host; `contentUrl` points to a complete archive. */
export interface Forged {
  readonly host: string
  readonly contentUrl: string
}

const path = '/callback/acme'
const signature = `X-Service-Signature: ${'0a'.repeat(32)}`
const json = 'Content-Type: application/json'

/** A forged delivery in the form of a valid one. */
export function forgedDelivery({ host, contentUrl }: Forged, change: Readonly<Record<string, unknown>> = {}): Buffer {
  return request(host, bodyOf(contentUrl, change))
}

const bodyOf = (contentUrl: string, change: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({
    event: 'article_saved',
    material_id: 'post-1',
    content_url: contentUrl,
    metadata: { version_id: 'v', user_email: 'editor@example.test' },
    debug: false,
    ...change,
  })

function request(
  host: string,
  body: string | Buffer,
  headers: readonly string[] = [json, signature],
  start = `POST ${path}`,
) {
  const bytes = Buffer.from(body)
  const head = [
    `${start} HTTP/1.1`,
    `Host: ${host}`,
    ...headers,
    `Content-Length: ${bytes.length}`,
    'Connection: close',
  ]
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes])
}

const lines = (...all: readonly string[]): Buffer => Buffer.from(all.join('\r\n'), 'latin1')

/** All invalid requests. */
export function handMade(forged: Forged): readonly RawRequest[] {
  const { host, contentUrl } = forged
  const whole = bodyOf(contentUrl, {})
  const of = (name: string, bytes: Buffer): RawRequest => ({ name, bytes })
  const body = (name: string, text: string | Buffer): RawRequest => of(`body: ${name}`, request(host, text))
  const member = (name: string, change: Readonly<Record<string, unknown>>): RawRequest =>
    of(`member: ${name}`, forgedDelivery(forged, change))
  const header = (name: string, ...headers: readonly string[]): RawRequest =>
    of(`header: ${name}`, request(host, whole, headers))
  const start = (name: string, line: string): RawRequest =>
    of(
      `start line: ${name}`,
      lines(line, `Host: ${host}`, json, signature, `Content-Length: ${whole.length}`, '', whole),
    )
  return [
    body('nothing', ''),
    body('only a blank', ' '),
    body('no JSON', 'event=article_saved'),
    body('cut JSON', whole.slice(0, -5)),
    body('two values', whole + whole),
    body('a list', '[]'),
    body('null', 'null'),
    body('a number', '1e999'),
    body('a byte order mark', `\uFEFF${whole}`),
    body('UTF-16', Buffer.from(whole, 'utf16le')),
    body('broken UTF-8', Buffer.concat([Buffer.from(whole.slice(0, 40)), Buffer.from([0xff, 0xc0, 0xaf])])),
    body('NUL at the end', `${whole}\0`),
    body('500,000 lists deep', '['.repeat(500_000)),
    body('a deep member', `{"material_id":${'['.repeat(200_000)}${']'.repeat(200_000)}}`),
    body('many members', `{${Array.from({ length: 40_000 }, (_, at) => `"k${at}":1`).join(',')}}`),
    body('__proto__', '{"__proto__":{"material_id":"post-1"},"constructor":{"prototype":1}}'),
    body('members twice', `{"material_id":"a","material_id":"post-1","content_url":"${contentUrl}"}`),
    body('a lone surrogate', '{"material_id":"\\ud800","content_url":"\\udfff"}'),
    body('over the limit', 'x'.repeat(4 * 1024 * 1024 + 1)),
    member('material_id is missing', { material_id: undefined }),
    member('material_id is null', { material_id: null }),
    member('material_id is a number', { material_id: 12 }),
    member('material_id is a list', { material_id: ['post-1'] }),
    member('material_id is an object', { material_id: { toString: 'post-1' } }),
    member('material_id is empty', { material_id: '' }),
    member('material_id is a megabyte', { material_id: 'x'.repeat(1_000_000) }),
    member('material_id climbs', { material_id: '../../../etc/passwd' }),
    member('content_url is missing', { content_url: undefined }),
    member('content_url is a number', { content_url: 1 }),
    member('content_url is no URL', { content_url: 'nowhere' }),
    member('content_url is a file', { content_url: 'file:///etc/passwd' }),
    member('content_url with user-info', { content_url: contentUrl.replace('://', '://a:b@') }),
    member('content_url of the listener itself', { content_url: `http://${host}/download/media/a/b` }),
    member('event is missing', { event: undefined }),
    member('event is unknown', { event: 'deleted' }),
    member('event is an object', { event: {} }),
    member('fonts for an article', { event: 'site_fonts_updated' }),
    member('metadata is a text', { metadata: 'x' }),
    header('no signature', json),
    header('an empty signature', json, 'X-Service-Signature: '),
    header('two signatures', json, signature, signature),
    header('a folded signature', json, 'X-Service-Signature: 0a0a', ` ${'0a'.repeat(30)}`),
    header('another type', 'Content-Type: text/plain', signature),
    header('no type', signature),
    header('compressed', json, signature, 'Content-Encoding: gzip'),
    header('from a web page', json, signature, 'Origin: https://evil.example'),
    header('by a browser', json, signature, 'Sec-Fetch-Site: cross-site'),
    header('an expectation', json, signature, 'Expect: 200-maybe'),
    header('20 KB of it', json, signature, `X-Long: ${'x'.repeat(20_000)}`),
    header('2,000 of them', json, signature, ...Array.from({ length: 2_000 }, (_, at) => `X-${at}: 1`)),
    header('a control character', json, signature, 'X-Bad: a\u0001b'),
    header('a bare line feed', json, `${signature}\nX-Smuggled: 1`),
    header('both lengths', json, signature, 'Transfer-Encoding: chunked'),
    header('chunked, then not', json, signature, 'Transfer-Encoding: chunked, identity'),
    of('header: another host', request('evil.example', whole)),
    of(
      'header: no host',
      lines(`POST ${path} HTTP/1.1`, json, signature, `Content-Length: ${whole.length}`, '', whole),
    ),
    of('length: negative', lines(`POST ${path} HTTP/1.1`, `Host: ${host}`, json, 'Content-Length: -5', '', whole)),
    of(
      'length: of two kinds',
      lines(`POST ${path} HTTP/1.1`, `Host: ${host}`, json, 'Content-Length: 5', 'Content-Length: 6', '', whole),
    ),
    of(
      'length: endless',
      lines(`POST ${path} HTTP/1.1`, `Host: ${host}`, json, 'Content-Length: 99999999999999999999', '', whole),
    ),
    of(
      'chunks: a false size',
      lines(`POST ${path} HTTP/1.1`, `Host: ${host}`, json, 'Transfer-Encoding: chunked', '', 'zz', whole, '0', '', ''),
    ),
    of(
      'chunks: cut',
      lines(`POST ${path} HTTP/1.1`, `Host: ${host}`, json, 'Transfer-Encoding: chunked', '', 'ff', whole),
    ),
    start('another method', `DELETE ${path} HTTP/1.1`),
    start('an unknown method', `SAVE ${path} HTTP/1.1`),
    start('a tunnel', 'CONNECT 127.0.0.1:22 HTTP/1.1'),
    start('an upgrade', `POST ${path} HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade`),
    start('another site', 'POST /callback/other HTTP/1.1'),
    start('a climbing path', 'POST /callback/../../etc HTTP/1.1'),
    start('a broken escape', 'POST /callback/%zz HTTP/1.1'),
    start('a whole address', `POST http://evil.example${path} HTTP/1.1`),
    start('another version', `POST ${path} HTTP/9.9`),
    start('no version', `POST ${path}`),
    of('noise', Buffer.from(Array.from({ length: 3_000 }, (_, at) => (at * 167) & 0xff))),
    of('TLS', Buffer.from('1603010200010001fc0303', 'hex')),
  ]
}
