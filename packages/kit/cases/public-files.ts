import { picture } from '../archives/sample-files.ts'
import { urlOf, whyNotFetched, whyNotPublic, whyUndecided } from '../judge/save-answer.ts'
import { verdict } from '../judge/verdict.ts'
import { whyNotAccepted } from '../protocol/answer.ts'
import type { Case, Severity, Theme } from '../suite/case.ts'
import { advice } from '../suite/case.ts'

/** A case about how a file saved under this name is served. */
const served = (
  id: string,
  name: string,
  why: string,
  expected: string,
  [file, content]: readonly [string, Buffer],
  judge: (headers: Headers) => string | null,
  severity: Severity = 'unwise',
): Case => ({
  id,
  name,
  rule: advice(why),
  severity,
  run: async (bench) => {
    const { answer, unreachableHosts } = await bench.save({ files: { [file]: content } })
    const refused = whyNotAccepted(answer)
    // A refused script is never served. A refused ordinary picture leaves the headers untested.
    if (refused !== null) return verdict(expected, severity === 'unsafe' ? null : { unchecked: refused }, 'refused')
    const url = urlOf(answer, file)
    const missing = whyNotPublic(url, unreachableHosts)
    if (missing !== null || url === undefined)
      return verdict(expected, `${file} was accepted, and has ${missing ?? 'no clientUrl'}`)
    const fetched = await bench.get(url, { origin: 'https://editor.example.com' })
    if (fetched.kind === 'unreachable') return verdict(expected, whyNotFetched(fetched, url))
    if (fetched.status !== 200) {
      const why = severity === 'unsafe' ? whyUndecided(fetched.status) : `HTTP ${fetched.status}`
      return verdict(expected, why, 'not served')
    }
    return verdict(expected, judge(fetched.headers))
  },
})

/** Whether a browser that opens the URL would run a script on the site's origin. */
function runsScripts(headers: Headers): boolean {
  const type = headers.get('content-type') ?? ''
  const policy = headers.get('content-security-policy') ?? ''
  const isMarkup = type === '' || /html|svg|xml/i.test(type)
  const isKeptStill = /sandbox(?!\s+[^;]*allow-scripts)|script-src 'none'|default-src 'none'/i.test(policy)
  return isMarkup && !isKeptStill && !/^attachment/i.test(headers.get('content-disposition') ?? '')
}

const still = (headers: Headers): string | null =>
  runsScripts(headers) ? 'a browser would run the script in it' : null
const noScript = 'its scripts do not run: another type, a policy, or a download'

export const publicFiles: Theme = {
  title: 'Public files',
  dependsOn: 'media-served',
  cases: [
    served(
      'public-type',
      'A picture is served as a picture',
      'browsers show what its type says',
      'content-type image/png',
      ['typed.png', picture('typed')],
      (headers) =>
        /^image\/png\b/i.test(headers.get('content-type') ?? '')
          ? null
          : `content-type ${headers.get('content-type') ?? 'missing'}`,
    ),
    served(
      'public-nosniff',
      'Browsers are told not to guess types',
      'a text file that looks like a page would run as one',
      'X-Content-Type-Options: nosniff',
      ['sniff.png', picture('sniff')],
      (headers) => (headers.get('x-content-type-options')?.toLowerCase() === 'nosniff' ? null : 'no such header'),
    ),
    served(
      'public-cross-origin',
      'Media may be used from another origin',
      'the hosted editor shows and edits them from its own address',
      'Access-Control-Allow-Origin',
      ['cross.png', picture('cross')],
      (headers) => (headers.get('access-control-allow-origin') === null ? 'no such header' : null),
    ),
    served(
      'public-svg',
      'A picture with a script does not run it on the site',
      'an editor could take over the session of anyone who opens the picture',
      noScript,
      ['script.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
      still,
      'unsafe',
    ),
    served(
      'public-html',
      'A page among the media is not run on the site',
      'an editor could take over the session of anyone who opens it',
      noScript,
      ['page.html', Buffer.from('<!doctype html><script>alert(1)</script>')],
      still,
      'unsafe',
    ),
  ],
}
