import { readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'

import { canMount, mountSmallDisk } from '../library/log/small-disk.ts'
import { aTeam } from '../support/team.ts'
import { temporaryFolder } from '../support/test-galley.ts'

/** A member with two versions on a small disk, and another member elsewhere. */
async function aMemberOnADisk() {
  const disk = mountSmallDisk(32)
  if (!disk) throw new Error('The disk could not be mounted')
  onTestFinished(() => disk.unmount())
  const team = await aTeam()
  const listener = await team.listen()
  for (const versionId of ['v1', 'v2'])
    expect((await listener.deliver(team.save({ materialId: 'post-1', versionId }))).json.rc).toBe(1)
  await listener.close()
  expect((await team.import()).code).toBe(0)
  const member = join(disk.folder, 'library')
  expect((await team.join(member)).code).toBe(0)
  const versions = async () => (await team.run(member, 'versions', 'acme', 'post-1')).json() as readonly unknown[]
  return { ...team, disk, member, versions }
}

describe.skipIf(!canMount())('a member of a team on a full disk', () => {
  it('is read, and says why it neither writes nor follows', async () => {
    const { disk, member, run, library, versions } = await aMemberOnADisk()
    await rm(join(member, 'reserve'))
    disk.fill(0)
    expect(await versions()).toHaveLength(2)
    const status = async () => (await run(member, 'team', 'status')).json()
    expect(await status()).toMatchObject({ behind: 0, offline: null })
    for (const args of [['site', 'add', 'acme', '--name', 'Other'], ['listen'], ['team', 'leave'], ['gc']])
      expect([args, (await run(member, ...args)).failure().code]).toEqual([args, 'library_read_only'])
    expect((await run(library, 'site', 'add', 'acme', '--name', 'Team')).code).toBe(0)
    expect(await status()).toMatchObject({ behind: null, offline: 'the library is read-only' })
    expect((await run(member, 'site', 'list')).json()).toMatchObject([{ name: 'acme' }])
    await rm(join(disk.folder, 'ballast'))
    expect((await run(member, 'site', 'list')).json()).toMatchObject([{ name: 'Team' }])
  })

  it.each(['full', 'read-only'])('reads files that only the bucket has, with a disk that is %s', async (state) => {
    const { disk, member, run } = await aMemberOnADisk()
    const out = await temporaryFolder()
    await rm(join(member, 'reserve'))
    if (state === 'full') disk.fill(0)
    else disk.makeReadOnly()
    const before = await readdir(tmpdir())
    for (const args of [
      ['show', 'version', 'acme', 'post-1', 'v1', '--html'],
      ['export', 'acme', '--out', join(out, 'site')],
      ['linkcheck', 'acme'],
      ['erase', 'editor@example.test', '--dry-run'],
      ['team', 'cache'],
    ]) {
      const ran = await run(member, ...args)
      expect([args, ran.code], ran.stdout + ran.stderr).toEqual([args, 0])
    }
    expect((await run(member, 'backup', join(out, 'backup'))).json()).toMatchObject({
      ok: true,
      missing: [],
      versions: 2,
    })
    expect((await run(join(out, 'again'), 'restore', join(out, 'backup'))).code).toBe(0)
    expect(
      (await readdir(tmpdir())).filter((name) => name.startsWith('galley-files-') && !before.includes(name)),
    ).toEqual([])
    const limited = await run(member, 'team', 'cache', '--limit-mb', '1')
    expect(limited.failure().code).toBe('library_read_only')
  })

  it('is pruned by giving back its reserve, also in the bucket', async () => {
    const { disk, member, run, library, versions } = await aMemberOnADisk()
    expect(await versions()).toHaveLength(2)
    disk.fill(0)
    const pruned = await run(member, 'prune', '--keep-versions', '1')
    expect([pruned.code, pruned.json()], pruned.stderr).toMatchObject([0, { versions: 1 }])
    expect(await versions()).toHaveLength(1)
    expect((await run(library, 'versions', 'acme', 'post-1')).json()).toHaveLength(1)
  })
})
