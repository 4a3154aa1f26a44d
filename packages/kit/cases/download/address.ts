import type { Bench } from '../../drive/bench.ts'
import { unexplainedAcceptance, unseenRequest } from '../../judge/common-verdicts.ts'
import { verdict } from '../../judge/verdict.ts'
import { describeAnswer } from '../../protocol/answer.ts'
import { status } from '../../service/download-handlers.ts'
import type { Severity, Case } from '../../suite/case.ts'
import { advice, contract, listener } from '../../suite/case.ts'

/** A `content_url` on a foreign host; nothing may be fetched from there. */
const withForeignUrl = (
  id: string,
  name: string,
  address: (contentUrl: string, bench: Bench, elsewhere: string) => string,
  severity: Severity = 'unsafe',
): Case => ({
  id,
  name,
  rule: contract('article_saved callback payload', 'content_url: media ZIP address on the service'),
  severity,
  dependsOn: id === 'content-url-elsewhere' ? 'save-accepted' : 'content-url-elsewhere',
  run: async (bench) => {
    const expected = 'refused, and nothing fetched'
    const { server, origin } = bench.run.foreignOrigin
    const archive = Buffer.from('the backend must not fetch this')
    const trap = server.offer('media', `trap-${bench.run.fresh()}`, archive)
    const delivered = await bench.save({ address: (url) => address(url, bench, origin + trap.path) })
    const fetched = trap.downloads.length + delivered.offer.downloads.length
    const unseen = delivered.contentUrl.endsWith(trap.path) ? unseenRequest(bench) : null
    const why =
      fetched > 0
        ? `fetched; ${describeAnswer(delivered.answer)}`
        : (unexplainedAcceptance(bench, delivered.answer) ?? unseen)
    return verdict(expected, why, describeAnswer(delivered.answer))
  },
})

/** A download that redirects to another host. */
const redirected = (id: string, what: 'save' | 'fonts', code: number): Case => ({
  id,
  name: `${what === 'save' ? 'A redirect' : 'A redirect of fonts'} (${code}) to another host is not followed`,
  rule: advice('the request carries the signature, which never expires: the target of the redirect would get it'),
  severity: 'unsafe',
  dependsOn: what === 'fonts' ? ['fonts-download', 'redirect-302'] : code === 302 ? 'save-accepted' : 'redirect-302',
  run: async (bench) => {
    const { server, origin } = bench.run.foreignOrigin
    const trap = server.offer(what === 'save' ? 'media' : 'fonts', bench.run.fresh(), Buffer.from('not reached'))
    const { answer } = await bench[what]({ handler: status(code, { location: origin + trap.path }) })
    const leaked = trap.downloads.some(({ headers }) => headers[bench.run.signatureHeader.toLowerCase()] !== undefined)
    const why =
      trap.downloads.length === 0
        ? (unexplainedAcceptance(bench, answer) ?? unseenRequest(bench))
        : `followed${leaked ? ', with the signature' : ''}`
    return verdict('refused, and no request to the other host', why, describeAnswer(answer))
  },
})

/** A redirect of a font set: backends may download it in another way than a save. */
export const fontsRedirected = redirected('fonts-redirect', 'fonts', 302)

/** Download URLs and redirects that leave the service. */
export const addresses: readonly Case[] = [
  // Backends and their HTTP clients often tell apart which codes they follow.
  ...[302, 301, 303, 307, 308].map((code) => redirected(`redirect-${code}`, 'save', code)),
  {
    id: 'redirect-same-host',
    dependsOn: 'redirect-302',
    name: 'A redirect within the service is not followed',
    rule: listener('redirects are not followed'),
    severity: 'unwise',
    run: async (bench) => {
      const target = bench.prepareSave()
      const delivered = await bench.save({ handler: status(302, { location: target.contentUrl }) })
      const why = target.offer.downloads.length > 0 ? 'followed' : unexplainedAcceptance(bench, delivered.answer)
      return verdict('refused, and the redirect not followed', why, describeAnswer(delivered.answer))
    },
  },
  withForeignUrl('content-url-elsewhere', 'A content_url on another host is refused', (_, __, elsewhere) => elsewhere),
  withForeignUrl(
    'content-url-user-info',
    'A content_url with the service’s host as its user name is refused',
    (url, _, elsewhere) => elsewhere.replace('http://', `http://${new URL(url).host}@`),
  ),
  withForeignUrl(
    'content-url-backslash',
    'A content_url that two parsers read differently is refused',
    (url, _, elsewhere) => elsewhere.replace('http://', `http://${new URL(url).host}\\@`),
  ),
  withForeignUrl('content-url-file', 'A content_url that names a local file is refused', () => 'file:///etc/hostname'),
  withForeignUrl(
    'content-url-ftp',
    'A content_url of another scheme is refused',
    (url) => url.replace(/^https?:/, 'ftp:'),
    'unwise',
  ),
  withForeignUrl(
    'content-url-data',
    'A content_url that contains its data (data:) is refused',
    () => 'data:application/zip;base64,UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==',
  ),
  withForeignUrl(
    'content-url-own',
    'The callback URL is refused as a content_url, although session/open signs it',
    (_, { run }) => run.callbackUrl.href,
  ),
  withForeignUrl(
    'content-url-relative',
    'A content_url without a host is refused',
    (url) => new URL(url).pathname,
    'unwise',
  ),
  withForeignUrl('content-url-fragment', 'A content_url with a fragment is refused', (url) => `${url}#part`, 'unwise'),
]
