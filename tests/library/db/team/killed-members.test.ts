import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { Agent } from 'undici'
import { describe, expect, onTestFinished, test } from 'vitest'

import { compareIndexes } from '../../../../packages/library/db/open/compare-index.ts'
import { entryKey } from '../../../../packages/library/team/keys.ts'
import { hasCeph, sharedCeph } from '../../../support/ceph.ts'
import { randomFrom } from '../../../support/random.ts'
import type { Mishap } from '../../../support/s3-server.ts'
import { startS3Server } from '../../../support/s3-server.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { expectSameAsLog } from '../committed.ts'
import { aMember, copyOf, firstEntry, makeMember } from './members.ts'
import type { Storage } from './reach.ts'
import { reach } from './reach.ts'

/** Members of a team in processes of their own; the acknowledged saves are what they said. */
function startMembers({ url, keys, bucket = 'team' }: Storage) {
  const acknowledged: string[] = []
  let starts = 0

  async function start(folder: string) {
    const here = import.meta.dirname
    starts += 1
    const child = spawn(
      process.execPath,
      [
        '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON',
        '--import',
        join(here, '..', 'raw-sql.ts'),
        join(here, 'save-forever.ts'),
        folder,
        url,
        bucket,
        keys.id,
        keys.secret,
        `process${starts}`,
      ],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    )
    const lines = createInterface(child.stdout)
    lines.on('line', (line) => void (line === 'opened' || acknowledged.push(line)))
    await Promise.race([once(lines, 'line'), once(child, 'exit')])
    return async (): Promise<void> => {
      const over = once(lines, 'close')
      child.kill('SIGKILL')
      await over
    }
  }

  return { start, acknowledged }
}

/** Kills members at random moments, starts them again, and compares what they have in the end. */
async function playKills(storage: Storage, kills: number, everyMs: number, onCalm: () => void): Promise<number> {
  const agent = new Agent({ connect: { timeout: 2000 } })
  onTestFinished(() => agent.destroy())
  const { bucket, run } = reach(storage, agent)
  for (let tries = 0; (await bucket.create(entryKey(1), firstEntry)).kind === 'unknown' && tries < 20; tries += 1);
  const folders = [await temporaryFolder(), await temporaryFolder()]
  for (const folder of folders) makeMember(folder)
  const members = startMembers(storage)
  const running = await Promise.all(folders.map(members.start))
  const random = randomFrom(7)
  for (let kill = 0; kill < kills; kill += 1) {
    await delay(random() * everyMs)
    const at = kill % folders.length
    await running[at]!()
    running[at] = await members.start(folders[at]!)
  }
  for (const end of running) await end()
  onCalm()

  const all = [...(await Promise.all(folders.map((folder) => aMember(run, folder)))), await aMember(run)]
  for (const { follow } of all) await follow()
  const copies = await Promise.all(all.map(copyOf))
  for (const copy of copies.slice(1)) expect(await compareIndexes(copies[0]!, copy)).toEqual([])
  for (const member of all) await expectSameAsLog(member)
  const stored = all[0]!.index.versions.list('acme', 'post-1').map(({ versionId }) => String(versionId))
  expect(new Set(stored).size).toBe(stored.length)
  expect(members.acknowledged.filter((id) => !stored.includes(id))).toEqual([])
  return members.acknowledged.length
}

describe('members that are killed while they save', () => {
  test('lose no acknowledged save, beside a storage that cuts, conflicts and fails', async () => {
    const mishaps: readonly Mishap[] = ['cut_before', 'cut_after', 'status_409', 'status_500', 'status_503']
    const random = randomFrom(3)
    let isCalm = false
    const server = await startS3Server({
      mishap: () => (!isCalm && random() < 0.1 ? (mishaps[Math.floor(random() * mishaps.length)] ?? null) : null),
    })
    onTestFinished(server.close)
    const storage = { url: server.url, keys: { id: 'key', secret: 'secret' } }
    expect(await playKills(storage, 8, 600, () => void (isCalm = true))).toBeGreaterThan(5)
  })

  test.skipIf(!hasCeph)('lose no acknowledged save in a real Ceph gateway', async () => {
    const ceph = await sharedCeph()
    const storage = { url: ceph.url, keys: ceph.owner, bucket: await ceph.aBucket('private') }
    expect(await playKills(storage, 6, 2000, () => undefined)).toBeGreaterThan(5)
  })
})
