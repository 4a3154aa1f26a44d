import { expect, test } from 'vitest'

import { callbacksShow } from '../../packages/cli/callbacks.ts'
import type { Context } from '../../packages/cli/command.ts'
import { aSave, createTestGalley } from '../support/test-galley.ts'

test.each([
  ['true', true],
  ['{"trace":[1,2]}', { trace: [1, 2] }],
  ['null', null],
])('a callback shows what the service sent as debug: %s', async (_name, debug) => {
  const { galley, service, know, post } = await createTestGalley()
  await know('post-1')
  const show = async () => {
    const [newest] = galley.index.callbacks.list({ site: null, outcome: null, limit: 1 })
    const context = { positionals: [newest?.id], galley: () => Promise.resolve(galley) } as unknown as Context
    return callbacksShow.run(context, {})
  }
  const save = aSave(service, { payload: { debug } })
  await post(save.body, save.headers)
  const shown = await show()
  expect(shown?.json).toMatchObject({ outcome: 'stored', debug })
  expect(shown?.text).toContain('"debug"')
  const plain = aSave(service, { payload: { debug: undefined } })
  await post(plain.body, plain.headers)
  expect((await show())?.json).not.toHaveProperty('debug')
})
