import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import BetterSqlite3 from 'better-sqlite3'
import { Agent } from 'undici'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'

import type { IndexWork } from '../../../../packages/library/db/index-work.ts'
import { indexWork, replaceIndex } from '../../../../packages/library/db/index-work.ts'
import { spareBytes } from '../../../../packages/library/db/open/checkpoints.ts'
import { compareIndexes } from '../../../../packages/library/db/open/compare-index.ts'
import { entryKey, positionIn } from '../../../../packages/library/team/keys.ts'
import { keysIn } from '../../../../packages/wire/members.ts'
import { startS3Server } from '../../../support/s3-server.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { canMount, mountSmallDisk } from '../../log/small-disk.ts'
import { aStored } from '../committed.ts'
import { acme } from '../sample.ts'
import type { Member } from './members.ts'
import { aMember, copyOf, firstEntry, makeMember, saveAndFold } from './members.ts'
import { reach } from './reach.ts'

const agent = new Agent({ connect: { timeout: 2000 } })
afterAll(() => agent.close())

async function aTeam() {
  const server = await startS3Server()
  onTestFinished(server.close)
  const { bucket, run } = reach({ url: server.url, keys: { id: 'key', secret: 'secret' } }, agent)
  await bucket.create(entryKey(1), firstEntry)

  const open = (folder: string, work?: IndexWork) => aMember(run, folder, work)

  const folder = await temporaryFolder()
  makeMember(folder)
  const one = await open(folder)
  await one.index.commit.write(() => one.index.sites.put(acme))
  const behind = await temporaryFolder()
  makeMember(behind)
  const other = await open(behind)
  await other.follow()
  other.close()
  await saveAndFold(run, one)

  /** A member that is behind the fold. */
  return { one, open, behind, objects: server.objects }
}

/** Where an entry stands in the local log differs: the one log begins behind the checkpoint. */
const differences = async (one: Member, other: Member) =>
  (await compareIndexes(await copyOf(one), await copyOf(other))).filter(({ table }) => table !== 'applied')

async function expectSame(one: Member, other: Member): Promise<void> {
  expect(await differences(one, other)).toEqual([])
  expect(existsSync(join(other.folder, 'index.rebuild'))).toBe(false)
  await other.index.commit.soon(() => [aStored('v5')])
  await one.follow()
  expect(await differences(one, other)).toEqual([])
}

/** Valid checkpoints that another member may have written, with what no log would make of them. */
const forgeries = {
  'of another library': `UPDATE applied SET library = 'another'`,
  'with a time that is none': `UPDATE version SET received_at = 'nonsense'; UPDATE material SET saved_at = 'nonsense'`,
  'with a list whose time is none': `UPDATE material SET saved_at = 'nonsense'`,
  'with a title that the log would not take': `UPDATE material SET title = printf('%.*c', 20000, 'x')`,
  'with a list of tags that is none': `UPDATE version SET tags = '{}'`,
  'with text for JSON': `UPDATE version SET warnings = 'none'`,
} as const
type Forgery = keyof typeof forgeries

async function forged(checkpoint: Buffer, how: Forgery): Promise<Buffer> {
  const file = join(await temporaryFolder(), 'checkpoint.db')
  await writeFile(file, gunzipSync(checkpoint))
  const db = new BetterSqlite3(file)
  db.exec(forgeries[how])
  db.pragma('journal_mode = DELETE')
  db.close()
  return gzipSync(await readFile(file))
}

describe('a member that continues from a checkpoint', () => {
  it('does so while it is open, and once however many ask', async () => {
    const { one, open, behind } = await aTeam()
    let times = 0
    const other = await open(behind, { ...indexWork, replace: (files) => ((times += 1), replaceIndex(files)) })
    const { position } = other.index.commit.mark()
    const taken = await Promise.all([other.follow(), other.follow(), other.follow()])
    expect(Math.max(...taken)).toBe(one.index.commit.mark().position - position)
    expect(times).toBe(1)
    expect(other.library.log.segments()).toEqual([one.index.commit.mark().position])
    await expectSame(one, other)
  })

  const killed = new Error('killed')
  it.each<[string, IndexWork['replace']]>([
    ['before its index is replaced', () => Promise.reject(killed)],
    ['when its index is replaced', (files) => replaceIndex(files).then(() => Promise.reject(killed))],
  ])('and is killed %s is repaired when it is opened', async (_when, replace) => {
    const { one, open, behind } = await aTeam()
    const other = await open(behind, { ...indexWork, replace })
    await expect(other.follow()).rejects.toBe(killed)
    expect(existsSync(join(behind, 'index.rebuild'))).toBe(true)
    other.close()
    const again = await open(behind)
    expect(again.library.state).toBe('whole')
    await again.follow()
    await expectSame(one, again)
  })

  it.each<'damaged' | Forgery>(['damaged', ...keysIn(forgeries)])(
    'keeps its own one if that of the bucket is %s',
    async (fault) => {
      const { one, open, behind, objects } = await aTeam()
      const key = [...objects.keys()].find((each) => each.includes('/checkpoints/')) ?? ''
      const whole = objects.get(key) ?? Buffer.alloc(0)
      const position = positionIn(key.replace('library/', '')) ?? 0
      const other = await open(behind)
      const own = other.library.checkpoints.fileOf(position)
      await mkdir(dirname(own), { recursive: true })
      await writeFile(own, whole)
      objects.set(key, fault === 'damaged' ? whole.subarray(0, whole.length / 2) : await forged(whole, fault))
      await expect(other.follow()).rejects.toMatchObject({ code: 'log_folded' })
      expect(await readFile(own)).toEqual(whole)
      expect(await readdir(dirname(own))).toHaveLength(1)
      objects.set(key, whole)
      await other.follow()
      await expectSame(one, other)
    },
  )

  it('stays where it is when the disk has no room, and tries again', async () => {
    const { one, open, behind } = await aTeam()
    let isFull = true
    const replace: IndexWork['replace'] = (files) => (isFull ? Promise.resolve('SQLITE_FULL') : replaceIndex(files))
    const other = await open(behind, { ...indexWork, replace })
    const before = other.index.commit.mark()
    await expect(other.follow()).rejects.toMatchObject({ code: 'SQLITE_FULL' })
    expect(other.index.commit.mark()).toEqual(before)
    isFull = false
    await other.follow()
    await expectSame(one, other)
  })

  it.skipIf(!canMount()).each([
    ['fetch', -1],
    ['unpack', 20_000],
  ])('blames a disk without room to %s it, and takes it later', async (_step, roomBytes) => {
    const { one, open, behind } = await aTeam()
    const disk = mountSmallDisk(100) ?? expect.fail('The disk could not be mounted')
    onTestFinished(() => disk.unmount())
    const folder = join(disk.folder, 'member')
    await cp(behind, folder, { recursive: true })
    const other = await open(folder)
    disk.fill(spareBytes + roomBytes)
    await expect(other.follow()).rejects.toMatchObject({ reason: { code: 'no_room' } })
    expect(await readdir(other.library.checkpoints.folder)).toEqual([])
    disk.empty()
    await other.follow()
    await expectSame(one, other)
    other.close()
  })
})
