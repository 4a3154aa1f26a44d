import { expect, it } from 'vitest'

import { isOutdated } from '../../../packages/library/care/take-over.ts'
import { createTestGalley } from '../../support/test-galley.ts'

it('the known owner is outdated once it has ended or another process owns the library', async () => {
  const { galley: first, folder } = await createTestGalley()
  const { galley: second } = await createTestGalley({ listen: false, edges: { folder } })
  expect(await second.listener.start('127.0.0.1', 0)).toMatchObject({ kind: 'elsewhere' })
  expect([isOutdated(first.listener), isOutdated(second.listener)]).toEqual([false, false])
  await first.listener.stop()
  expect([isOutdated(first.listener), isOutdated(second.listener)]).toEqual([false, true])
  const { galley: third } = await createTestGalley({ edges: { folder } })
  expect(isOutdated(second.listener)).toBe(true)
  expect(await second.listener.start('127.0.0.1', 0)).toMatchObject({ url: third.listener.owner()?.url })
  expect(isOutdated(second.listener)).toBe(false)
  await third.listener.stop()
  expect(await second.listener.start('127.0.0.1', 0)).toMatchObject({ kind: 'listening' })
  expect(isOutdated(second.listener)).toBe(false)
})
