import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'

import { hasSshd, startSftp } from '../../../support/sftp-server.ts'
import { temporaryFolder } from '../../../support/test-galley.ts'
import { aPublishingHouse, filesIn } from './house.ts'

async function aServer(port?: number) {
  const server = await startSftp(await temporaryFolder(), port)
  let isKilled = false
  const kill = async (): Promise<void> => {
    if (!isKilled) await server.kill()
    isKilled = true
  }
  onTestFinished(kill)
  return { ...server, kill }
}

describe.skipIf(!hasSshd)("a site on OpenSSH's SFTP server", () => {
  test('is published, published again and rolled back, and leaves only a note without ids', async () => {
    const house = await aPublishingHouse()
    const version = await house.save('post-1', '<p>Old text</p>', { 'hero.png': 'picture' })
    const server = await aServer()
    const web = join(await temporaryFolder(), 'deep/web')
    const target = await house.addTarget(server.place(web), { key: server.key })
    const first = await house.publish(target)
    if (!first.ok) throw new Error(JSON.stringify(first.failure))
    const firstFiles = await filesIn(web)
    expect([...firstFiles.values()].join('\n')).not.toContain(version)
    expect([...firstFiles.keys()].filter((path) => path.startsWith('.galley'))).toEqual(['.galley/release.json'])
    expect((await stat(join(web, 'index.html'))).mode & 0o777).toBe(0o644)
    const untouched = (await stat(join(web, 'favicon.svg'))).mtimeMs

    await house.save('post-1', '<p>New text</p>')
    expect(await house.publish(target)).toMatchObject({ ok: true, value: { counts: { added: 0, removed: 1 } } })
    const now = await filesIn(web)
    expect(now.get('post-1/index.html')?.toString()).toContain('New text')
    expect([...now.keys()].some((path) => path.startsWith('media/'))).toBe(false)
    expect((await stat(join(web, 'favicon.svg'))).mtimeMs).toBe(untouched)
    expect(await house.rollBack(target, first.value.release ?? '')).toMatchObject({ ok: true })
    expect(await filesIn(web)).toEqual(firstFiles)
  })

  test('a changed host key, a refused key, a dead server and a strange file are named', async () => {
    const house = await aPublishingHouse()
    await house.save('post-1', '<p>Text</p>')
    const web = join(await temporaryFolder(), 'web')
    const server = await aServer()
    const target = await house.addTarget(server.place(web), { key: server.key })
    expect(await house.publish(target)).toMatchObject({ ok: true })
    const checks = await house.galley.releasing.check(target)
    expect(checks.map(({ name, ok }) => [name, ok])).toEqual([
      ['connect', true],
      ['host_key', true],
      ['write', true],
    ])
    expect(checks[1]?.detail).toMatch(/^SHA256:/)

    await mkdir(join(web, '../other'))
    await writeFile(join(web, '../other/index.html'), 'mine')
    const taken = await house.addTarget(server.place(join(web, '../other')), { key: server.key, name: 'taken' })
    expect(await house.publish(taken)).toMatchObject({ failure: { reason: { code: 'target_foreign' } } })

    await server.kill()
    expect(await house.publish(target)).toMatchObject({
      failure: { reason: { code: 'sftp_unreached' }, aftermath: 'unchanged' },
    })
    const other = await aServer(server.port)
    await house.addTarget(server.place(web), { key: other.key })
    expect(await house.publish(target)).toMatchObject({ failure: { reason: { code: 'sftp_host_key' } } })

    await house.galley.releasing.targets.remove(target)
    const stranger = await aServer()
    await house.addTarget(other.place(web), { key: stranger.key })
    expect(await house.publish(target)).toMatchObject({ failure: { reason: { code: 'sftp_login' } } })
  })
})
