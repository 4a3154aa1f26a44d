import { expect, it } from 'vitest'

import { damageIndex } from '../support/damage-index.ts'
import { aLibrary } from '../support/library-with-service.ts'
import { randomFrom } from '../support/random.ts'
import { createSaves, post, servedProblem } from '../support/saves.ts'
import { galley, startListen } from './support/cli.ts'

it('a listener with a damaged index refuses saves, rebuilds the index from the log and continues without a loss', async () => {
  const { service, library, environment } = await aLibrary()
  const { prepare, acknowledge } = createSaves(service, randomFrom(7))
  const listener = await startListen(library, environment)
  const saves = Array.from({ length: 5 }, (_, at) => prepare('media', `post/${at % 2}`))
  for (const save of saves) {
    const answer = await post(listener.url, save)
    expect(answer?.json.rc, answer?.text).toBe(1)
    acknowledge(save, answer?.text ?? '')
  }
  await damageIndex(library)

  const refused = prepare('media', 'post/0')
  const answer = await post(listener.url, refused)
  expect(answer?.json).toMatchObject({ rc: 0, code: 'storage_failed' })
  await listener.says('the index is damaged; no save is lost')
  // The service repeats refused deliveries.
  await expect
    .poll(async () => (await post(listener.url, refused))?.json.rc, { timeout: 30_000, interval: 100 })
    .toBe(1)
  acknowledge(refused, (await post(listener.url, refused))?.text ?? '')
  expect(await Promise.all([...saves, refused].map((save) => servedProblem(listener.url, save)))).toEqual(
    [...saves, refused].map(() => null),
  )
  const checked = await galley(['fsck', '--json', '--library', library], environment)
  expect([checked.code, checked.json()]).toMatchObject([0, { ok: true, findings: [] }])
  listener.child.kill('SIGTERM')
  expect(await listener.ended).toBe(0)
}, 60_000)
