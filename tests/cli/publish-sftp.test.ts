import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'

import { hasSshd, startSftp } from '../support/sftp-server.ts'
import { temporaryFolder } from '../support/test-galley.ts'
import { galley } from './support/cli.ts'
import { aNewsroom, aPage } from './support/library.ts'

const text = expect.any(String) as string
const number = expect.any(Number) as number
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/) as string
const release = expect.stringMatching(/^\d{8}-\d{6}-[0-9a-f]{4}$/) as string

/** A site with one saved page, an SFTP server, and commands that know its key from the environment. */
async function aSite() {
  const room = await aNewsroom()
  const { fingerprint } = (await room.run('open', 'acme', 'post-1')).json() as { fingerprint: string }
  const save = async (heading: string): Promise<void> => {
    expect((await room.save(fingerprint, aPage(heading))).result).toBe('merged')
  }
  await save('First')
  const server = await startSftp(await temporaryFolder())
  onTestFinished(server.kill)
  const web = join(room.folder, 'web')
  const withKey = async (key: string, ...args: string[]) => {
    const environment = { ...room.environment, GALLEY_TARGET_ACME_LIVE: key }
    const ran = await galley([...args, '--json', '--library', room.library], environment)
    const secret = await readFile(key.slice('file:'.length), 'utf8').catch(() => 'no key file')
    expect(ran.stdout + ran.stderr).not.toContain(secret.split('\n')[1] ?? secret)
    return ran
  }
  const run = (...args: string[]) => withKey(server.key, ...args)
  return { ...room, save, server, web, run, withKey }
}

describe.skipIf(!hasSshd)("commands that publish to OpenSSH's SFTP server", () => {
  test('add, check, plan, publish, list, roll back and remove, with the members of docs/api.md', async () => {
    const { run, save, server, web } = await aSite()
    const place = server.place(web)
    const target = {
      site: 'acme',
      name: 'live',
      place,
      endpoint: null,
      region: null,
      public_url: null,
      compress: false,
      schedule: null,
      live: false,
      confirmed: true,
      credentials: 'stored',
    }
    const added = await run('target', 'add', 'acme', 'live', place)
    expect([added.code, added.json()]).toStrictEqual([0, target])
    expect((await run('target', 'list', 'acme')).json()).toStrictEqual([target])
    const checked = await run('target', 'check', 'acme', 'live')
    expect([checked.code, checked.json()]).toStrictEqual([
      0,
      {
        ok: true,
        checks: [
          { name: 'connect', ok: true, detail: '' },
          { name: 'host_key', ok: true, detail: expect.stringMatching(/^SHA256:/) as string },
          { name: 'write', ok: true, detail: '' },
        ],
      },
    ])

    const plan = await run('publish', 'acme', '--target', 'live', '--dry-run')
    const planned = plan.json() as { files: readonly object[]; added: number; bytes: number }
    expect([plan.code, planned]).toMatchObject([0, { release: null, verified: null, changed: 0, removed: 0 }])
    await expect(readFile(join(web, 'index.html'))).rejects.toThrow('ENOENT')
    const published = await run('publish', 'acme')
    expect([published.code, published.json()]).toStrictEqual([
      0,
      {
        release,
        target: 'live',
        added: planned.added,
        changed: 0,
        removed: 0,
        unchanged: 0,
        bytes: planned.bytes,
        repaired: 0,
        verified: { files: planned.added, via: 'target', found: 0 },
        files: planned.files,
        links: { checked: number, broken: [] },
        left_out: [],
        notes: [{ code: 'no_base_url' }],
        steps: ['prepare', 'compare', 'write', 'verify', 'finish'].map((name) => ({ name, ms: number })),
      },
    ])
    const shown = () => readFile(join(web, 'first/index.html'), 'utf8')
    expect(await shown()).toContain('Text of First.')
    const { release: first } = published.json() as { release: string }

    await save('Second')
    expect((await run('publish', 'acme', '--target', 'live')).json()).toMatchObject({ release, added: 1, removed: 1 })
    expect(await shown()).toContain('Text of Second.')
    const back = await run('publish', 'acme', '--target', 'live', '--rollback', first)
    expect([back.code, back.json()]).toMatchObject([0, { release, links: null, verified: { via: 'target' } }])
    expect(await shown()).toContain('Text of First.')
    const history = (await run('releases', 'acme', '--target', 'live')).json() as object[]
    expect(history).toHaveLength(3)
    expect(history[0]).toStrictEqual({
      release,
      target: 'live',
      at: moment,
      by: 'person',
      current: true,
      kept: true,
      rollback_of: first,
      files: number,
      added: 1,
      changed: number,
      removed: 1,
      unchanged: number,
      bytes: number,
      pages: [{ material_id: 'post-1', version_id: text }],
    })
    expect((await run('target', 'remove', 'acme', 'live')).json()).toStrictEqual({ removed: 'live' })
    expect(await shown()).toContain('Text of First.')
  })

  test('what fails ends with 1, one JSON value and a sentence, and changes nothing there; wrong usage ends with 2', async () => {
    const { run, withKey, save, server, web, folder } = await aSite()
    await run('target', 'add', 'acme', 'live', server.place(web))
    const { release: first } = (await run('publish', 'acme')).json() as { release: string }
    await save('Second')
    const failed = async (command: ReturnType<typeof run>) => {
      const ran = await command
      expect([ran.code, ran.stderr]).not.toEqual([0, ''])
      return [ran.code, ran.failure().code, ran.failure().message]
    }
    const stranger = join(folder, 'password')
    await writeFile(stranger, 'no private key')
    expect(await failed(withKey(`file:${stranger}`, 'publish', 'acme'))).toEqual([
      1,
      'target_failed',
      'The site was not published: the private key cannot be read, or its passphrase is wrong. Check the file. Readers see the previous release. Correct this, then publish again.',
    ])
    expect(await failed(withKey('a wrong password', 'publish', 'acme'))).toEqual([
      1,
      'target_failed',
      'The site was not published: the SFTP server refused the login. Check the user and the credentials. Readers see the previous release. Correct this, then publish again.',
    ])
    const unchecked = await withKey('a wrong password', 'target', 'check', 'acme', 'live')
    expect([unchecked.code, unchecked.json()]).toMatchObject([
      1,
      { ok: false, checks: [{ name: 'connect', ok: false }, {}] },
    ])
    expect(await failed(run('publish', 'acme', '--target', 'nobody'))).toMatchObject([1, 'unknown_target', text])
    expect(await failed(run('publish', 'acme', '--rollback', 'r0'))).toMatchObject([1, 'unknown_release', text])
    expect((await run('target', 'add', 'acme', 'live', 'sftp:nowhere')).code).toBe(2)
    expect((await run('target', 'add', 'acme', 'live', server.place(web), '--credentials-stdin')).code).toBe(2)

    await server.kill()
    expect(await failed(run('publish', 'acme'))).toEqual([
      1,
      'target_failed',
      'The site was not published: the SFTP server cannot be reached. Check the host, the port and the network. Readers see the previous release. Correct this, then publish again.',
    ])
    expect(await readFile(join(web, 'first/index.html'), 'utf8')).toContain('Text of First.')
    await server.startAgain()
    expect((await run('publish', 'acme')).code).toBe(0)
    const history = (await run('releases', 'acme')).json() as { release: string }[]
    expect(history.map((each) => each.release)).toEqual([text, first])
  })
})
