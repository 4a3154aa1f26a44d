import { targetLocation } from '@galley/library/records'
import type { Answer } from '@galley/library/records'
import type { TeamKeys, TeamLocation } from '@galley/team'
import { fail, ok } from '@galley/wire'

import type { TeamLocationForm } from '../../../ipc/team.ts'

export const invalid = (field: string) => fail({ code: 'invalid_target', field, state: field } as const)

export function readTeamLocation({ bucket, prefix, endpoint, region }: TeamLocationForm): Answer<TeamLocation> {
  const place = { kind: 's3', bucket, prefix, endpoint, region }
  const read = targetLocation.safeParse(place)
  if (!read.success) return invalid(String(read.error.issues[0]?.path.at(-1) ?? 'bucket'))
  if (read.data.kind !== 's3') return invalid('bucket')
  return ok({ bucket, endpoint: read.data.endpoint, region, prefix: prefix === '' ? '' : `${prefix}/` })
}

export function readKeys({ id, secret }: TeamKeys): Answer<TeamKeys> {
  const keys = { id: id.trim(), secret: secret.trim() }
  // The ID is part of a header, which allows printable ASCII only.
  if (!/^[!-~]+$/.test(keys.id) || keys.id.includes(':')) return invalid('keyId')
  return /^[!-~]+$/.test(keys.secret) ? ok(keys) : invalid('keySecret')
}

export const formOfLocation = ({ bucket, prefix, endpoint, region }: TeamLocation): TeamLocationForm => ({
  bucket,
  endpoint,
  region,
  prefix: prefix.replace(/\/$/, ''),
})
