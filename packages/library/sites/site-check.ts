import { diskSpace, hostCause, httpClient } from '@galley/platform'
import type { Network } from '@galley/platform'
import { isAllowedHost } from '@galley/wire'
import type { Agent } from 'undici'

import type { Owner } from '../db/owner.ts'
import { listenFailureSentence } from '../records/listener-state.ts'
import type { ListenerState } from '../records/listener-state.ts'
import { describePlainAddress, plainAddresses } from '../records/plain-http.ts'
import { unreachableFields } from '../records/site-reach.ts'
import type { Site, SiteSummary } from '../records/site.ts'
import { publicBase } from '../records/site.ts'
import type { SiteSecrets } from '../secrets/site-secrets.ts'
import type { SiteCheckCode, TargetFinding } from '../views/sites.ts'
import { checkCallbackUrl, probeTimeoutMs } from './callback-check.ts'
import type { Check } from './check.ts'
import { bad, good, unreached } from './check.ts'
import { listenerPort } from './listener-port.ts'

/** The parts of a library that a check needs. */
export interface SiteCheckPorts {
  readonly folder: string
  readonly network: Network
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

/** Signatures have no time, but versions are ordered by the service's clock and callbacks by this computer's. */
const clockToleranceMs = 120_000

/** Checks everything that a save of this site depends on. If no listener is running, starts one for the probe. */
export const checkSite = (ports: SiteCheckPorts, site: SiteSummary, port: number | null): Promise<readonly Check[]> =>
  ports.listener.whileProbing(() => probe(ports, site, port))

async function probe(ports: SiteCheckPorts, site: SiteSummary, port: number | null): Promise<readonly Check[]> {
  if (!site.isConfirmed) return [notConfirmed(site), await checkDisk(ports.folder)]
  const agents = ports.network.agents({ connectMs: probeTimeoutMs })
  // The callback URL is Galley's own. Behind a tunnel or a split DNS, its name may resolve to a private address.
  const own = await agents.for({ environment: 'dev' }, new URL(site.callbackUrl).hostname)
  try {
    const secret = checkSecret(site)
    const service = await checkService(site, await agents.for(site, new URL(site.baseUrl).hostname))
    const listener = await checkListener(ports, site, port)
    const isOutOfReach = unreachableFields(site).includes('callbackUrl')
    const callback = isOutOfReach ? callbackOutOfReach : await checkCallbackUrl(ports.secrets, site, own)
    // Without a public URL, media have the origin of the callback URL: one fault there is not reported twice.
    const isReached = listener.ok && (callback.ok || site.publicUrl !== null)
    const target = publicRead(site, (await ports.publishers.check(site, isReached)).map(targetCheck))
    const disk = await checkDisk(ports.folder)
    return [
      secret,
      service.reachable,
      listener,
      callback,
      ...checkEncryption(site),
      ...checkDomains(site),
      ...target,
      service.clock,
      disk,
    ]
  } finally {
    await agents.destroy()
  }
}

const callbackOutOfReach = bad(
  'callback_url',
  'callback_private',
  'the service is on the internet, and only this computer or its network can reach the callback URL',
  'Enter the address of a tunnel or a reverse proxy that leads to the listener.',
)

/** A fetch from this computer shows nothing about a public URL that only this computer or its network can reach. */
function publicRead(site: Site, checks: readonly Check[]): readonly Check[] {
  if (!unreachableFields(site).includes('publicUrl')) return checks
  const outOfReach = bad(
    'public_read',
    'public_out_of_reach',
    'the service is on the internet, and only this computer or its network can reach published files',
    'Enter a public URL that the internet can reach.',
  )
  return [...checks.filter(({ name }) => name !== 'public_read' && name !== 'font_cors'), outOfReach]
}

/** Galley sends no request to addresses that are not confirmed, and signs nothing for them. */
const notConfirmed = ({ id }: SiteSummary): Check =>
  bad(
    'base_url',
    'site_unconfirmed',
    'the addresses of this site are not confirmed on this computer',
    `Check them with galley site show ${id}, then run galley site add ${id}.`,
  )

function checkSecret({ secret, isSecretTried, id }: SiteSummary): Check {
  switch (secret) {
    case 'stored':
      return isSecretTried
        ? good('keychain', 'secret_readable', 'the secret can be read, and the service has accepted it')
        : {
            ...good('keychain', 'secret_untried', 'the secret can be read, but it was not tried yet'),
            fix: `Open a material with galley open ${id} MATERIAL: that shows whether the service accepts it.`,
          }
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

/** Checks whether a service answers, and the clock by its answer, with the proxy and the certificates in effect. */
export async function checkServiceOf(network: Network, site: Site): Promise<{ reachable: Check; clock: Check }> {
  const agents = network.agents({ connectMs: probeTimeoutMs })
  try {
    return await checkService(site, await agents.for(site, new URL(site.baseUrl).hostname))
  } finally {
    await agents.destroy()
  }
}

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
    const why = hostCause(error)
    const reachable =
      why.code === 'host_private'
        ? bad(
            'base_url',
            'service_private',
            'its host name resolves to a private network, so Galley does not connect',
            'Correct the base URL, or use --environment dev if the service runs in your network.',
          )
        : unreached('base_url', 'service_unreached', why, 'Check the base URL and the network.')
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
        state.kind === 'failed' ? listenFailureSentence(state) : 'it could not be started',
        state.kind === 'failed' && state.code === 'library_unusable'
          ? 'Fix this, then check again.'
          : 'Stop the other program, or use another port.',
        { port: wanted },
      )
}

/** Saves answer with media at the public URL, which the allowed domains have to cover; empty if they do. */
function checkDomains(site: SiteSummary): readonly Check[] {
  const { hostname } = new URL(publicBase(site))
  if (isAllowedHost(hostname, site.allowedDomains)) return []
  const detail = `media are published at ${hostname}, which is not an allowed domain`
  const fix = 'Saves with media fail. Add it to the allowed domains, or allow all.'
  return [bad('allowed_domains', 'domain_missing', detail, fix, { name: hostname })]
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
  public_readable: ['published files can be read through the public URL', ''],
  public_unreadable: ['published files cannot be read', 'Fix this: until then, saves with media cannot be shown.'],
  public_unset: [
    'the site has no public URL, so its pages link to the listener instead of the bucket',
    'Enter the public address of the bucket with --public-url U.',
  ],
  cors_allowed: ['pages on other origins can use its fonts', ''],
  cors_missing: [
    'it does not allow other origins, so browsers block its fonts in the editor and on your pages',
    'Add a CORS rule there: allowed origins *, allowed methods GET and HEAD.',
  ],
  target_deleted: ['files can be deleted there', ''],
  target_kept: ['the probe could not be deleted', 'Allow deleting; otherwise, files of failed saves remain there.'],
}

function targetCheck({ name, code, ok, why }: TargetFinding): Check {
  const [detail = '', fix = ''] = targetWords[code] ?? []
  if (why === null) return { name, ok, code, facts: {}, detail, fix }
  return unreached(name, code, why, fix)
}

async function checkDisk(folder: string): Promise<Check> {
  const { freeBytes, isLow } = await diskSpace(folder)
  const shown = `${(freeBytes / 1024 ** 3).toFixed(1)} GB are free`
  return isLow
    ? bad('disk', 'disk_low', shown, 'Free up space: a large save may not fit.', { freeBytes })
    : good('disk', 'disk_fine', shown, { freeBytes })
}
