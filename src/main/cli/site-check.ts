import { createHmac, randomUUID } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import { Agent, request } from 'undici'

import { probeEvent, probeText } from '../../contract/probe.ts'
import type { Site, SiteSummary } from '../../contract/site.ts'
import type { Galley } from '../galley.ts'
import { authorizationHeader, sign } from '../intake/signature.ts'
import { listenerPort } from '../listener-address.ts'

/** One thing that was looked at; `fix` is what to do, empty when all is well. */
export interface Check {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
  readonly fix: string
}

const probeTimeoutMs = 10_000
/** Less room than this and a large save may not fit beside its archive. */
const wantedFreeBytes = 1024 ** 3
/** Signatures carry no time, but versions are ordered by the service's clock and callbacks by ours. */
const tolerableClockMs = 120_000

/** Looks at everything a save of this site depends on. When no listener runs, one is started for the probe. */
export async function checkSite(galley: Galley, site: SiteSummary, port: number | null): Promise<readonly Check[]> {
  const agent = new Agent({ connectTimeout: probeTimeoutMs })
  try {
    const secret = checkSecret(site)
    const service = await checkService(site, agent)
    const listener = await checkListener(galley, site, port)
    const callback = await checkCallbackUrl(galley, site, agent)
    return [secret, service.reachable, listener, callback, service.clock, await checkDisk(galley.folder)]
  } finally {
    await agent.destroy()
  }
}

const good = (name: string, detail: string): Check => ({ name, ok: true, detail, fix: '' })
const bad = (name: string, detail: string, fix: string): Check => ({ name, ok: false, detail, fix })

function checkSecret({ secret, id }: SiteSummary): Check {
  switch (secret) {
    case 'stored':
      return good('keychain', 'the secret can be read')
    case 'missing':
      return bad('keychain', 'no secret is stored', `Run galley site add ${id} --secret-stdin.`)
    case 'changed':
      return bad('keychain', 'the keychain no longer holds the secret', `Run galley site add ${id} --secret-stdin.`)
    case 'locked':
      return bad('keychain', 'the keychain is locked', 'Unlock it and check again.')
    case 'unavailable':
      return bad('keychain', 'there is no keychain', 'Start one, or use --secrets env.')
  }
}

async function checkService(site: Site, dispatcher: Agent): Promise<{ reachable: Check; clock: Check }> {
  try {
    const before = Date.now()
    const { statusCode, headers, body } = await request(site.baseUrl, {
      dispatcher,
      method: 'HEAD',
      signal: AbortSignal.timeout(probeTimeoutMs),
    })
    body.on('error', () => undefined).destroy()
    const reachable = good('base_url', `it answers (status ${statusCode})`)
    const theirs = typeof headers.date === 'string' ? Date.parse(headers.date) : Number.NaN
    if (Number.isNaN(theirs)) return { reachable, clock: good('clock', 'the service does not tell its time') }
    const offMs = Math.abs(theirs - before)
    const clock =
      offMs <= tolerableClockMs
        ? good('clock', 'it agrees with the service')
        : bad(
            'clock',
            `it is ${Math.round(offMs / 60_000)} minutes away from the service's`,
            'Set the clock of this machine.',
          )
    return { reachable, clock }
  } catch {
    return {
      reachable: bad('base_url', 'it does not answer', 'Check the base URL and the network.'),
      clock: good('clock', 'there is nothing to compare it with'),
    }
  }
}

async function checkListener(galley: Galley, site: Site, port: number | null): Promise<Check> {
  const owner = galley.owner()
  if (owner)
    return good('listener', `process ${owner.processId} listens at ${owner.url ?? 'an address it has not told yet'}`)
  const wanted = port ?? listenerPort([site])
  const state = await galley.startListener('127.0.0.1', wanted)
  return state.kind === 'listening'
    ? good('listener', `port ${wanted} is free`)
    : bad(
        'listener',
        state.kind === 'failed' ? state.reason : 'it could not be started',
        'End the other program, or use another port.',
      )
}

/** Sends a signed probe to the callback URL: only a Galley that holds the secret can answer it. */
async function checkCallbackUrl(galley: Galley, site: Site, dispatcher: Agent): Promise<Check> {
  const name = 'callback_url'
  const secret = await galley.secrets.secret(site.id)
  const credentials = await galley.secrets.callbackAuth(site)
  if (!secret.ok || !credentials.ok)
    return bad(name, 'it cannot be probed without the secret', 'Mend the keychain first.')
  const nonce = randomUUID()
  try {
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
    const answer: unknown = await body.json()
    const expected = createHmac('sha256', secret.value).update(probeText(nonce)).digest('hex')
    const reached = typeof answer === 'object' && answer !== null && 'proof' in answer && answer.proof === expected
    return reached
      ? good(name, 'it reaches this Galley')
      : bad(name, 'something else answers there', 'Point the callback URL, or the tunnel behind it, to the listener.')
  } catch {
    return bad(name, 'nothing answers there', 'Point the callback URL, or the tunnel behind it, to the listener.')
  }
}

async function checkDisk(folder: string): Promise<Check> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const shown = `${(free / 1024 ** 3).toFixed(1)} GB are free`
  return free >= wantedFreeBytes ? good('disk', shown) : bad('disk', shown, 'Make room: a large save may not fit.')
}
