import { expect } from 'vitest'

import { archiveLimits } from '../../../packages/wire/protocol/archive.ts'
import { describeFailure } from '../../../packages/wire/protocol/failure.ts'
import { strays, unpackMedia } from './fixture.ts'

/** Refused as `kind` with a matching message, and with nothing outside of the job's folder. */
export async function expectRefused(bytes: Buffer, words: RegExp, kind = 'invalid_archive', limits = archiveLimits) {
  const { failure, parent } = await unpackMedia(bytes, { limits })
  expect(failure).toMatchObject({ kind })
  expect(failure && describeFailure(failure)).toMatch(words)
  expect(JSON.stringify(failure)).not.toContain(parent)
  expect(strays(parent)).toEqual([])
}
