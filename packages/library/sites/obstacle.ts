import type { Cause } from '@galley/wire'
import { cause } from '@galley/wire'

import type { IndexReads } from '../db/library-index.ts'
import type { Site } from '../records/site.ts'
import type { SiteSecrets } from '../secrets/site-secrets.ts'
import type { Confirmations } from './confirmations.ts'

interface ObstaclePorts {
  readonly index: Pick<IndexReads, 'sites'>
  readonly secrets: Pick<SiteSecrets, 'secret' | 'callbackAuth'>
  readonly confirmations: Pick<Confirmations, 'isConfirmed'>
}

/** Why no site can receive a save on this computer, whatever the service sends; null if one can, or if there is none yet. */
export async function siteObstacle(ports: ObstaclePorts): Promise<Cause | null> {
  let first: Cause | null = null
  for (const site of ports.index.sites.list()) {
    const found = await obstacleOf(ports, site)
    if (found === null) return null
    first ??= found
  }
  return first
}

async function obstacleOf({ secrets, confirmations }: ObstaclePorts, site: Site): Promise<Cause | null> {
  const facts = { name: site.id }
  if (!confirmations.isConfirmed(site)) return cause('site_unconfirmed', facts)
  const secret = await secrets.secret(site.id)
  if (!secret.ok) return cause(`secret_${secret.failure}`, facts)
  const credentials = await secrets.callbackAuth(site)
  if (credentials.ok) return null
  const { failure } = credentials
  return cause(failure === 'credentials_missing' ? failure : `secret_${failure}`, facts)
}
