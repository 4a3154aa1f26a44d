import { open } from 'node:fs/promises'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
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

/** Overwrites pages of an index, beside its WAL. */
async function overwrite(library: string, pages: readonly number[]): Promise<void> {
  await using file = await open(join(library, 'index.db'), 'r+')
  for (const page of pages) await file.write(Buffer.alloc(4096, 0xaa), 0, 4096, (page - 1) * 4096)
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at)

/** A library with saves whose listener was killed, so that its WAL is there. */
async function aKilledLibrary() {
  const { service, library, environment } = await aLibrary()
  const { prepare, acknowledge } = createSaves(service, randomFrom(13))
  const listener = await startListen(library, environment)
  const saves = Array.from({ length: 6 }, (_, at) => prepare('media', `post/${at % 3}`))
  for (const save of saves) acknowledge(save, (await post(listener.url, save))?.text ?? '')
  // Some pages have to be in the file, not only in the WAL.
  const db = new BetterSqlite3(join(library, 'index.db'))
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
  const last = prepare('media', 'post/0')
  acknowledge(last, (await post(listener.url, last))?.text ?? '')
  listener.child.kill('SIGKILL')
  await listener.ended
  return { library, environment, saves: [...saves, last], prepare, acknowledge }
}

it.each([range(3, 9), range(10, 25), range(26, 60), range(3, 60)])(
  'damage beside a whole WAL, in pages %j..., keeps neither the listener nor a command from the library',
  async (...pages) => {
    const { library, environment, saves } = await aKilledLibrary()
    await overwrite(library, pages)
    const listed = await galley(['versions', 'acme', 'post/0', '--json', '--library', library], environment)
    expect([listed.code, listed.json()], listed.stderr).toMatchObject([0, Array.from({ length: 3 }, () => ({}))])
    await overwrite(library, pages)
    const listener = await startListen(library, environment)
    expect(await Promise.all(saves.map((save) => servedProblem(listener.url, save)))).toEqual(saves.map(() => null))
    const checked = await galley(['fsck', '--json', '--library', library], environment)
    expect([checked.code, checked.json()], checked.stdout).toMatchObject([0, { ok: true, findings: [] }])
  },
  120_000,
)

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
  await expect
    .poll(async () => (await post(listener.url, saves[0] ?? prepare('media', 'post/1')))?.json.rc, { timeout: 60_000 })
    .toBe(1)
  expect(await Promise.all(saves.map((save) => servedProblem(listener.url, save)))).toEqual(saves.map(() => null))
}, 120_000)
