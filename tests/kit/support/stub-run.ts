import { onTestFinished } from 'vitest'

import type { Options } from '../../../packages/kit/options.ts'
import { aFreePort } from '../../support/free-port.ts'
import { runKit } from './kit.ts'
import { startSiteStub } from './site-stub.ts'
import type { Fault } from './site-stub/faults.ts'

export const secret = 'stub-secret'
export const apiKey = 'stub-key'
export const auth = { user: 'hook', password: 'word' }
/** The credentials as a stub may ask for them. */
export const basic = `Basic ${Buffer.from(`${auth.user}:${auth.password}`).toString('base64')}`

/** A stub that downloads from a kit that will be started on the reserved port. */
export async function aStub(
  faults: readonly Fault[],
  authorization: string | null = null,
  itsSecret = secret,
  host = '127.0.0.1',
) {
  const port = await aFreePort()
  const baseUrl = `http://${host}:${port}/integration`
  const stub = await startSiteStub({
    baseUrl,
    secret: itsSecret,
    apiKey,
    authorization,
    faults,
  })
  return { ...stub, secret: itsSecret, apiKey, port, baseUrl }
}

/** A whole run against a stub that asks for credentials. */
export async function runStub(faults: readonly Fault[], options: Partial<Options> = {}) {
  const stub = await aStub(faults, basic)
  onTestFinished(stub.close)
  return { report: await runKit(stub, { auth, pageTemplate: stub.pageTemplate, ...options }) }
}
