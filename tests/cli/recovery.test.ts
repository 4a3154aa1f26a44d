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
  expect([answer?.status, answer?.json]).toMatchObject([503, { rc: 0, code: 'busy' }])
  await listener.says('the index is damaged; no save is lost')
  // The service repeats refused deliveries.
  await expect.poll(async () => (await post(listener.url, refused))?.json.rc, { interval: 100 }).toBe(1)
  acknowledge(refused, (await post(listener.url, refused))?.text ?? '')
  expect(await Promise.all([...saves, refused].map((save) => servedProblem(listener.url, save)))).toEqual(
    [...saves, refused].map(() => null),
  )
  const checked = await galley(['fsck', '--json', '--library', library], environment)
  expect([checked.code, checked.json()]).toMatchObject([0, { ok: true, findings: [] }])
  listener.child.kill('SIGTERM')
  expect(await listener.ended).toBe(0)
})

it('damage that only the thread of a large save meets is mended too', async () => {
  const { service, library, environment } = await aLibrary()
  const { prepare, acknowledge } = createSaves(service, randomFrom(23), {
    sizes: Array.from({ length: 1_100 }, () => 64),
  })
  const listener = await startListen(library, environment)
  const first = prepare('media', 'post/1')
  acknowledge(first, (await post(listener.url, first))?.text ?? '')
  await damageIndex(library, 'material_text_data')
  const save = prepare('media', 'post/1')
  const answer = await post(listener.url, save)
  expect([answer?.status, answer?.json]).toMatchObject([503, { rc: 0, code: 'busy' }])
  await expect.poll(async () => (await post(listener.url, save))?.json.rc, { interval: 100 }).toBe(1)
  acknowledge(save, (await post(listener.url, save))?.text ?? '')
  expect(await Promise.all([first, save].map((each) => servedProblem(listener.url, each)))).toEqual([null, null])
})

it('damage that a command meets beside an idle listener is mended by that listener, and the command ends well', async () => {
  const { service, library, environment } = await aLibrary()
  const { prepare, acknowledge } = createSaves(service, randomFrom(17))
  const listener = await startListen(library, environment)
  const saves = Array.from({ length: 4 }, () => prepare('media', 'post/1'))
  for (const save of saves) acknowledge(save, (await post(listener.url, save))?.text ?? '')
  await damageIndex(library)
  const listed = await galley(['versions', 'acme', 'post/1', '--json', '--library', library], environment)
  expect([listed.code, (listed.json() as unknown[]).length], listed.stderr).toEqual([0, 4])
  await listener.says('reopening the library')
  await expect.poll(async () => (await post(listener.url, saves[0] ?? prepare('media', 'post/1')))?.json.rc).toBe(1)
  expect(await Promise.all(saves.map((save) => servedProblem(listener.url, save)))).toEqual(saves.map(() => null))
})
