import { expect, it } from 'vitest'

import { isOutdated } from '../../../../src/main/use-cases/care/take-over.ts'
import { createTestGalley } from '../../../support/test-galley.ts'

it('what is known of the serving process is outdated once it has ended or another one serves', async () => {
  const { galley: first, folder } = await createTestGalley()
  const { galley: second } = await createTestGalley({ listen: false, edges: { folder } })
  expect(await second.startListener('127.0.0.1', 0)).toMatchObject({ kind: 'elsewhere' })
  expect([isOutdated(first), isOutdated(second)]).toEqual([false, false])
  await first.stopListener()
  expect([isOutdated(first), isOutdated(second)]).toEqual([false, true])
  const { galley: third } = await createTestGalley({ edges: { folder } })
  expect(isOutdated(second)).toBe(true)
  expect(await second.startListener('127.0.0.1', 0)).toMatchObject({ url: third.owner()?.url })
  expect(isOutdated(second)).toBe(false)
  await third.stopListener()
  expect(await second.startListener('127.0.0.1', 0)).toMatchObject({ kind: 'listening' })
  expect(isOutdated(second)).toBe(false)
})
