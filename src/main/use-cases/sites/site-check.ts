import { createHmac, randomUUID } from 'node:crypto'
import type { Agent } from 'undici'

import { causeSentence } from '../../../contract/cause.ts'
import type { ProblemFacts } from '../../../contract/ipc/problem.ts'
import type { SiteCheck, SiteCheckCode, TargetFinding } from '../../../contract/ipc/sites.ts'
import { probeEvent, probeText } from '../../../contract/domain/probe.ts'
import { describePlainAddress, plainAddresses } from '../../../contract/domain/plain-http.ts'
import type { Site, SiteSummary } from '../../../contract/domain/site.ts'
import { diskSpace } from '../../platform/disk/disk-space.ts'
import type { ListenerState } from '../../../contract/domain/listener-state.ts'
import type { Owner } from '../../library/db/owner.ts'
import type { SiteSecrets } from '../../library/secrets/site-secrets.ts'
import { bytesUpTo } from '../../platform/network/chunks.ts'
import { httpClient, serviceAgents } from '../../platform/network/http-client.ts'
import { authorizationHeader, sign } from '../../library/secrets/signature.ts'
import { privateAddressCode } from '../../platform/network/private-addresses.ts'
import { listenerPort } from './listener-port.ts'
import { errorCode } from '../../../contract/error-code.ts'

/**
 * The result of one check with English text for the command line. `fix` is what to do; empty if the check passed. A check
 * with the code `clock_unknown` is `ok` with a `fix`: nothing was compared, and nothing is known to be wrong.
 */
export interface Check extends SiteCheck {
  readonly detail: string
  readonly fix: string
}

/** The parts of a library that a check needs. */
export interface SiteCheckPorts {
  readonly folder: string
  readonly secrets: SiteSecrets
  /** Tests the publishing target of a site. `isListenerReached`: whether its public URL can reach the listener at all. */
  readonly publishers: { check(site: Site, isListenerReached: boolean): Promise<readonly TargetFinding[]> }
  readonly listener: {
    owner(): Owner | null
    /** Starts the listener, if it is not running, until the probe has ended. */
    borrow(host: string, port: number): Promise<ListenerState>
    whileProbing<Value>(probe: () => Promise<Value>): Promise<Value>
  }
}

const probeTimeoutMs = 10_000
/** A listener answers a probe in a line, but another server may send an endless body. */
const probeAnswerMaxBytes = 64 * 1024
/** Signatures have no time, but versions are ordered by the service's clock and callbacks by this computer's. */
const clockToleranceMs = 120_000

/** Checks everything that a save of this site depends on. If no listener is running, starts one for the probe. */
export const checkSite = (ports: SiteCheckPorts, site: SiteSummary, port: number | null): Promise<readonly Check[]> =>
  ports.listener.whileProbing(() => probe(ports, site, port))

async function probe(ports: SiteCheckPorts, site: SiteSummary, port: number | null): Promise<readonly Check[]> {
  if (!site.isConfirmed) return [notConfirmed(site), await checkDisk(ports.folder)]
  const client = await httpClient()
  const agents = serviceAgents({ connectTimeout: probeTimeoutMs })
  // The callback URL is Galley's own. Behind a tunnel or a split DNS, its name may resolve to a private address.
  const agent = new client.Agent({ connectTimeout: probeTimeoutMs })
  try {
    const secret = checkSecret(site)
    const service = await checkService(site, await agents.for(site, new URL(site.baseUrl).hostname))
    const listener = await checkListener(ports, site, port)
    const callback = await checkCallbackUrl(ports, site, agent)
    // Without a public URL, media have the origin of the callback URL: one fault there is not reported twice.
    const isReached = listener.ok && (callback.ok || site.publicUrl !== null)
    const target = (await ports.publishers.check(site, isReached)).map(targetCheck)
    const disk = await checkDisk(ports.folder)
    return [secret, service.reachable, listener, callback, ...checkEncryption(site), ...target, service.clock, disk]
  } finally {
    await Promise.all([agents.destroy(), agent.destroy()])
  }
}

const good = (name: Check['name'], code: SiteCheckCode, detail: string, facts: ProblemFacts = {}): Check => ({
  name,
  ok: true,
  code,
  facts,
  detail,
  fix: '',
})
const bad = (
  name: Check['name'],
  code: SiteCheckCode,
  detail: string,
  fix: string,
  facts: ProblemFacts = {},
): Check => ({ name, ok: false, code, facts, detail, fix })

/** Galley sends no request to addresses that are not confirmed, and signs nothing for them. */
const notConfirmed = ({ id }: SiteSummary): Check =>
  bad(
    'base_url',
    'site_unconfirmed',
    'the addresses of this site are not confirmed on this computer',
    `Check them with galley site show ${id}, then run galley site add ${id}.`,
  )

function checkSecret({ secret, id }: SiteSummary): Check {
  switch (secret) {
    case 'stored':
      return good('keychain', 'secret_readable', 'the secret can be read')
    case 'missing':
      return bad('keychain', 'secret_missing', 'no secret is stored', `Run galley site add ${id} --secret-stdin.`)
    case 'changed':
      return bad(
        'keychain',
        'secret_changed',
        'the keychain no longer has the secret',
        `Run galley site add ${id} --secret-stdin.`,
      )
    case 'locked':
      return bad('keychain', 'keychain_locked', 'the keychain is locked', 'Unlock it and check again.')
    case 'unavailable':
      return bad('keychain', 'keychain_unavailable', 'there is no keychain', 'Start one, or use --secrets env.')
  }
}

/** Nothing is known to be wrong, so it fails no script, but it is not `ok` either. */
const notCompared = (why: string, fix: string): Check => ({ ...good('clock', 'clock_unknown', why), fix })

const nothingToCompare = notCompared(
  'not compared, because the service did not respond as expected',
  'Correct base_url, then check again. Until then, make sure that this computer sets its clock automatically.',
)

async function checkService(site: Site, dispatcher: Agent): Promise<{ reachable: Check; clock: Check }> {
  try {
    const { request } = await httpClient()
    const before = Date.now()
    const { statusCode, headers, body } = await request(site.baseUrl, {
      dispatcher,
      method: 'HEAD',
      signal: AbortSignal.timeout(probeTimeoutMs),
    })
    body.on('error', () => undefined).destroy()
    if (statusCode >= 500)
      return {
        reachable: bad(
          'base_url',
          'service_failed',
          `it returned an error (status ${statusCode})`,
          'Try again later. If it keeps happening, contact the operator of the service or of the proxy in front of it.',
          { status: statusCode },
        ),
        // The date may come from a proxy, which says nothing about the service.
        clock: nothingToCompare,
      }
    const reachable = good('base_url', 'service_answers', `it responds (status ${statusCode})`, { status: statusCode })
    const theirs = typeof headers.date === 'string' ? Date.parse(headers.date) : Number.NaN
    if (Number.isNaN(theirs))
      return {
        reachable,
        clock: notCompared(
          'not compared, because the service does not send its time',
          'Make sure that this computer sets its clock automatically.',
        ),
      }
    const offMs = Math.abs(theirs - before)
    const clock =
      offMs <= clockToleranceMs
        ? good('clock', 'clock_agrees', 'it matches the service')
        : bad(
            'clock',
            'clock_off',
            `it is ${Math.round(offMs / 60_000)} minutes off the service’s clock`,
            'Turn on automatic time on this computer.',
            { minutes: Math.round(offMs / 60_000) },
          )
    return { reachable, clock }
  } catch (error) {
    const isPrivate = errorCode(error) === privateAddressCode
    const reachable = isPrivate
      ? bad(
          'base_url',
          'service_private',
          'its host name resolves to a private network, so Galley does not connect',
          'Correct the base URL, or use --environment dev if the service runs in your network.',
        )
      : bad('base_url', 'service_silent', 'it does not respond', 'Check the base URL and the network.')
    return { reachable, clock: nothingToCompare }
  }
}

async function checkListener(ports: SiteCheckPorts, site: Site, port: number | null): Promise<Check> {
  const owner = ports.listener.owner()
  if (owner)
    return good(
      'listener',
      'listener_runs',
      `process ${owner.processId} listens at ${owner.url ?? 'an address that is not known yet'}`,
      { url: owner.url },
    )
  const wanted = port ?? listenerPort([site])
  const state = await ports.listener.borrow('127.0.0.1', wanted)
  return state.kind === 'listening'
    ? good('listener', 'listener_free', `port ${wanted} is free`, { port: wanted })
    : bad(
        'listener',
        'listener_failed',
        state.kind === 'failed' ? state.reason : 'it could not be started',
        state.kind === 'failed' && state.code === 'library_unusable'
          ? 'Fix this, then check again.'
          : 'End the other program, or use another port.',
        { port: wanted },
      )
}

/** Sends a signed probe to the callback URL: only a Galley with the secret can answer it. */
async function checkCallbackUrl(ports: SiteCheckPorts, site: Site, dispatcher: Agent): Promise<Check> {
  const name = 'callback_url' as const
  const secret = await ports.secrets.secret(site.id)
  const credentials = await ports.secrets.callbackAuth(site)
  if (!secret.ok || !credentials.ok)
    return bad(name, 'callback_needs_secret', 'it cannot be probed without the secret', 'Fix the keychain first.')
  const nonce = randomUUID()
  try {
    const { request } = await httpClient()
    const { body } = await request(site.callbackUrl, {
      dispatcher,
      method: 'POST',
      signal: AbortSignal.timeout(probeTimeoutMs),
      headers: {
        'content-type': 'application/json',
        [site.signatureHeader]: sign(nonce, site.callbackUrl, secret.value),
        ...(credentials.value && { authorization: authorizationHeader(credentials.value) }),
      },
      body: JSON.stringify({ event: probeEvent, material_id: nonce, content_url: site.callbackUrl }),
    })
    const bytes = await bytesUpTo(probeAnswerMaxBytes, body)
    const answer = bytes === null ? null : jsonOf(bytes.toString('utf8'))
    const expected = createHmac('sha256', secret.value).update(probeText(nonce)).digest('hex')
    const reached = typeof answer === 'object' && answer !== null && 'proof' in answer && answer.proof === expected
    return reached
      ? good(name, 'callback_reached', 'it reaches this Galley')
      : bad(
          name,
          'callback_elsewhere',
          bytes === null
            ? `another program responds there, with more than ${probeAnswerMaxBytes / 1024} KiB`
            : 'another program responds there',
          'Point the callback URL, or the tunnel behind it, to the listener.',
        )
  } catch {
    return bad(
      name,
      'callback_unreachable',
      'nothing responds there',
      'Point the callback URL, or the tunnel behind it, to the listener.',
    )
  }
}

/** A proxy or another program may respond with something other than JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Lists the plain http URLs; empty if there are none. */
function checkEncryption(site: SiteSummary): readonly Check[] {
  const [plain] = plainAddresses(site)
  if (!plain) return []
  if (site.allowHttp)
    return [good('encryption', 'http_allowed', 'unencrypted http is used, which is allowed for this site')]
  const fix = `Use https, or run galley site add ${site.id} --allow-http if the connection is protected in another way.`
  return [bad('encryption', 'http_unconfirmed', describePlainAddress(plain), fix)]
}

const targetWords: Partial<Record<SiteCheckCode, readonly [detail: string, fix: string]>> = {
  target_written: ['files can be written there', ''],
  target_refused: ['files cannot be written there', 'Fix this: until then, Galley cannot store saves with media.'],
  public_readable: ['published files can be read at their URL', ''],
  public_unreadable: ['published files cannot be read', 'Fix this: until then, saves with media cannot be shown.'],
  public_unset: [
    'the site has no public URL, so its pages link to the listener instead of the bucket',
    'Enter the public address of the bucket with --public-url U.',
  ],
  cors_allowed: ['pages of other origins can use its fonts', ''],
  cors_missing: [
    'it does not allow other origins, so browsers block its fonts in the editor and on your pages',
    'Add a CORS rule there: allowed origins *, allowed methods GET and HEAD.',
  ],
  target_deleted: ['files can be deleted there', ''],
  target_kept: ['the probe could not be deleted', 'Allow deleting; otherwise, files of failed saves remain there.'],
}

/** The text of a cause describes the problem and, in a second sentence, the fix if there is one. */
function targetCheck({ name, code, ok, why }: TargetFinding): Check {
  const [detail = '', fix = ''] = targetWords[code] ?? []
  if (why === null) return { name, ok, code, facts: {}, detail, fix }
  const [what = '', ...help] = causeSentence(why).split('. ')
  return bad(name, code, what, help.length > 0 ? `${help.join('. ')}.` : fix, { why })
}

async function checkDisk(folder: string): Promise<Check> {
  const { freeBytes, isLow } = await diskSpace(folder)
  const shown = `${(freeBytes / 1024 ** 3).toFixed(1)} GB are free`
  return isLow
    ? bad('disk', 'disk_low', shown, 'Free up space: a large save may not fit.', { freeBytes })
    : good('disk', 'disk_fine', shown, { freeBytes })
}
