import { cp, readFile, readdir, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

import { temporaryFolder } from '../support/temporary-folder.ts'
import { galley } from './support/cli.ts'
import { aNewsroom, aPage } from './support/library.ts'

/** A library with one saved version and without a listener. */
async function aQuietLibrary() {
  const room = await aNewsroom()
  const opened = await room.run('open', 'acme', 'post-1')
  const { fingerprint } = opened.json() as { fingerprint: string }
  expect((await room.save(fingerprint, aPage('First'))).result).toBe('merged')
  room.listener.child.kill('SIGTERM')
  expect(await room.listener.ended).toBe(0)
  const log = join(room.library, 'log', '00000000000000000001.jsonl')
  const versions = async () => (await room.run('versions', 'acme', 'post-1')).json() as readonly unknown[]
  return { ...room, log, versions }
}

/** Removes the last entry of a log. */
async function shorten(log: string): Promise<void> {
  const bytes = await readFile(log)
  await truncate(log, bytes.lastIndexOf(0x0a, bytes.length - 2) + 1)
}

describe('a library that is damaged', () => {
  it('without log and index is refused by every command, as library_damaged, and not changed', async () => {
    const { library, run } = await aQuietLibrary()
    await rm(join(library, 'log'), { recursive: true })
    await rm(join(library, 'index.db'))
    const before = await readdir(library)
    for (const command of [['materials', 'acme'], ['listen', '--port', '0'], ['fsck'], ['rebuild'], ['gc']]) {
      const ran = await run(...command)
      expect([ran.code, ran.failure()], command[0]).toEqual([
        1,
        {
          code: 'library_damaged',
          message:
            'The folder contains files of a library, but its log and its index are missing. Nothing was changed. ' +
            'Restore the log from a backup, or choose another folder.',
        },
      ])
    }
    // The listener has written there why it did not start.
    expect((await readdir(library)).filter((name) => !before.includes(name))).toEqual(['logs'])
  })

  it('whose index is ahead of its log is read but not served, as log_mismatch, until a person decides', async () => {
    const { library, log, run, versions } = await aQuietLibrary()
    const before = await versions()
    await shorten(log)
    const refused = await run('listen', '--port', '0')
    expect([refused.code, refused.failure()]).toEqual([
      1,
      {
        code: 'log_mismatch',
        message:
          'The library’s index and log don’t match. Nothing was changed. Run galley rebuild --from log to keep the ' +
          'log, or galley rebuild --from index to keep the index.',
      },
    ])
    expect(await versions()).toEqual(before)
    const checked = await run('fsck')
    expect([checked.code, checked.json()]).toMatchObject([1, { findings: [{ kind: 'log_mismatch' }] }])
    const changed = await run('site', 'add', 'acme', '--name', 'Renamed')
    expect([changed.code, changed.failure().code]).toEqual([1, 'log_mismatch'])
    for (const args of [['gc'], ['prune', '--keep-versions', '1'], ['erase', 'a@b.example']]) {
      const unchanged = await run(...args)
      expect([unchanged.code, unchanged.failure().code]).toEqual([1, 'log_mismatch'])
    }

    const rebuilt = await run('rebuild', '--from', 'index')
    expect([rebuilt.code, rebuilt.json()], rebuilt.stderr).toEqual([
      0,
      {
        position: expect.any(Number) as number,
        from_checkpoint: expect.any(Number) as number,
        materials: 1,
        versions: 1,
        set_aside: expect.stringContaining(join(library, 'index.db.set-aside-')) as string,
        log_set_aside: expect.stringContaining(join(library, 'log.set-aside-')) as string,
        lost: [],
        ms: expect.any(Number) as number,
      },
    ])
    expect(await versions()).toEqual(before)
    expect((await run('fsck')).code).toBe(0)
  })

  it('is rebuilt from its log on request; report and exit code 1 show what only the old index contained', async () => {
    const { log, run, versions } = await aQuietLibrary()
    const whole = await run('rebuild')
    expect([whole.code, whole.json()]).toMatchObject([0, { versions: 1, lost: [] }])
    await shorten(log)
    const rebuilt = await run('rebuild', '--from', 'log')
    expect([rebuilt.code, rebuilt.json()]).toMatchObject([
      1,
      { lost: [{ kind: 'entry', id: expect.stringMatching(/^\d+$/) as string, reason: 'only_in_old_index' }] },
    ])
    expect(await versions()).toHaveLength(0)
    expect((await run('fsck')).code).toBe(1)
    expect((await run('rebuild', '--from', 'nowhere')).code).toBe(2)
  })

  it('is not made by a rebuild of a folder without a library', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'letter.txt'), 'mine')
    for (const from of ['log', 'index']) {
      const refused = await galley(['rebuild', '--from', from, '--json', '--library', folder], {})
      expect([refused.code, refused.failure().code]).toEqual([1, 'library_unusable'])
    }
    expect(await readdir(folder)).toEqual(['letter.txt'])
  })

  it('whose log and index come from two copies that were used in turns reports everything it loses', async () => {
    const { library, run, versions } = await aQuietLibrary()
    const [before, other] = [`${library}-before`, `${library}-other`]
    await cp(library, before, { recursive: true })
    expect((await run('material', 'delete', 'acme', 'post-1')).code).toBe(0)
    await rename(library, other)
    await cp(before, library, { recursive: true })
    for (const name of ['One', 'Two', 'Three', 'Four', 'Five', 'Six'])
      expect((await run('site', 'add', 'acme', '--name', name)).code).toBe(0)
    await rm(join(other, 'log'), { recursive: true })
    await rename(join(library, 'log'), join(other, 'log'))
    await rm(library, { recursive: true })
    await rename(other, library)
    expect((await run('gc')).failure().code).toBe('log_mismatch')
    const rebuilt = await run('rebuild', '--from', 'log')
    expect([rebuilt.code, rebuilt.json()], rebuilt.stderr).toMatchObject([
      1,
      { lost: [{ kind: 'entry', id: expect.stringMatching(/^\d+$/) as string, reason: 'only_in_old_index' }] },
    ])
    expect(await versions()).toHaveLength(1)
    expect((await run('rebuild', '--from', 'log')).json()).toMatchObject({ lost: [] })
  })

  it('is not rebuilt while a listener runs', async () => {
    const room = await aNewsroom()
    const refused = await room.run('rebuild')
    expect([refused.code, refused.failure().code]).toEqual([1, 'library_in_use'])
    expect(refused.failure().message).toContain('Stop its listener, then try again.')
  })
})
