import { randomBytes } from 'node:crypto'
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

import { leaveTeam } from '../../packages/team/leave-library.ts'
import { galley, stream } from '../cli/support/cli.ts'
import { recordDisk } from '../library/save/sync-order.ts'
import { openGalley } from '../support/open-galley.ts'
import { startLink } from '../support/slow-link.ts'
import { aTeam } from '../support/team.ts'

const filesIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).flatMap((each) =>
    each.isFile() ? [join(each.parentPath, each.name)] : [],
  )

/** A member with a save of which it has fetched nothing. */
async function aMember() {
  const team = await aTeam()
  const listener = await team.listen()
  const files = { 'hero.png': 'small', 'large.bin': randomBytes(1024 ** 2).toString('hex') }
  expect((await listener.deliver(team.save({ materialId: 'post-1', versionId: 'v1', files }))).json.rc).toBe(1)
  await listener.close()
  expect((await team.import()).code).toBe(0)
  const folder = await team.newFolder()
  expect((await team.join(folder)).code).toBe(0)
  return { ...team, folder }
}

/** The same while it leaves with all files, and its bucket stops in the middle of a large one. */
async function aMemberThatLeaves() {
  const team = await aMember()
  const { folder } = team
  const link = await startLink(team.storage.url, { stallAfter: { received: 1024 ** 2 } })
  onTestFinished(link.close)
  const membership = join(folder, 'team.json')
  const text = await readFile(membership, 'utf8')
  await writeFile(membership, text.replace(team.storage.url, link.url))
  const leaving = stream(['team', 'leave', '--fetch-all', '--json', '--library', folder], team.environment)
  const staging = join(folder, 'staging')
  await expect.poll(() => readdir(staging)).not.toEqual([])
  return { ...team, staging, leaving, reconnect: () => writeFile(membership, text) }
}

it('a member that is killed while it leaves keeps nothing that fsck names; gc deletes unfinished files once they are old', async () => {
  const { folder, staging, run, leaving, reconnect } = await aMemberThatLeaves()
  leaving.child.kill('SIGKILL')
  await leaving.ended
  await reconnect()
  const left = await filesIn(staging)
  expect((await run(folder, 'fsck')).json()).toMatchObject({ ok: true, findings: [] })
  expect((await run(folder, 'gc')).json()).toMatchObject({ files: 0, set_aside: { files: 0 } })
  expect(await filesIn(staging)).toEqual(left)
  const longAgo = new Date(Date.now() - 3 * 3_600_000)
  for (const file of left) await utimes(file, longAgo, longAgo)
  expect((await run(folder, 'gc')).json()).toMatchObject({ files: left.length })
  expect(await filesIn(staging)).toEqual([])
  expect((await run(folder, 'team', 'leave', '--fetch-all')).json()).toMatchObject({ files_missing: 0 })
  expect((await run(folder, 'fsck')).json()).toMatchObject({ ok: true, findings: [] })
})

it('a member that is interrupted while it leaves stays one, and says so', async () => {
  const { folder, staging, run, leaving, reconnect } = await aMemberThatLeaves()
  leaving.child.kill('SIGINT')
  expect(await leaving.ended).toBe(1)
  expect(leaving.lines).toMatchObject([{ error: { code: 'cancelled' } }])
  await reconnect()
  expect(await filesIn(staging)).toEqual([])
  expect((await run(folder, 'team', 'status')).json()).toMatchObject({ offline: null })
})

it.runIf(process.platform === 'linux')(
  'the names of all files are on disk before a member is none any more',
  async () => {
    const { folder, environment } = await aMember()
    const galley = await openGalley({ folder, secrets: { environment } })
    onTestFinished(() => galley.close())
    const { team } = galley
    if (team === null) throw new Error('This is no member')
    const { events, stop } = await recordDisk(folder)
    onTestFinished(stop)
    const options = { fetchAll: true, signal: new AbortController().signal, onProgress: () => undefined }
    expect(await leaveTeam({ ...galley, folder, team }, options)).toBe(0)
    stop()
    const left = events.findIndex((event) => event.kind === 'remove' && event.path === 'team.json')
    const places = events.flatMap((event, at) =>
      event.kind === 'rename' && event.to.startsWith('files/') ? [{ at, to: event.to }] : [],
    )
    expect([places.length > 0, left > 0]).toEqual([true, true])
    for (const { at, to } of places) expect(events.slice(at, left)).toContainEqual({ kind: 'sync', what: to, path: to })
  },
)

it('says at leaving that keys from the environment remain there', async () => {
  const team = await aTeam()
  expect((await team.import()).code).toBe(0)
  const left = await galley(['team', 'leave', '--library', team.library], team.environment)
  expect([left.code, left.stdout]).toEqual([
    0,
    expect.stringMatching(
      /keeps everything in its bucket\. Remove the keys of the bucket from the environment\.\n$/,
    ) as string,
  ])
})
