import { expect, it } from 'vitest'

import { createTestGalley } from '../../support/test-galley.ts'

it('the keys of buckets are hidden from logs: those of a team once read or kept, and those of the environment', async () => {
  const sources: (() => Iterable<string>)[] = []
  const hidden = (): readonly string[] => sources.flatMap((values) => [...values()])
  const environment = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'of-aws', AWS_SESSION_TOKEN: 'of-a-session' }
  const { galley } = await createTestGalley({
    edges: { environment, hide: (values) => void sources.push(values) },
    listen: false,
  })
  expect(hidden()).toEqual(expect.arrayContaining(['of-aws', 'of-a-session']))
  await galley.keepTeamKeys('anna', { id: 'of-anna', secret: 'first' })
  expect(hidden()).toContain('first')
  await galley.keepTeamKeys('anna', { id: 'of-anna', secret: 'second' })
  expect(await galley.teamKeysIn(galley.folder).read('anna')).toEqual({ id: 'of-anna', secret: 'second' })
  expect(hidden()).toContain('second')
})
