import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'

import { hasCeph, sharedCeph } from '../../support/ceph.ts'
import { startIndexPages } from '../../support/index-pages.ts'
import { hasSshd, startSftp } from '../../support/sftp-server.ts'
import { temporaryFolder } from '../../support/test-galley.ts'
import type { PublishingFixture } from './fixture.ts'
import { createPublishingFixture, filesIn } from './fixture.ts'

const [leftHere, leftByCheck] = ['probe', 'check'].map((kind) => `galley-${kind}-${'0a'.repeat(8)}/index.html`) as [
  string,
  string,
]
const notOurs = 'galley-probe-notes.txt'

async function leave(web: string, path: string): Promise<void> {
  await mkdir(join(web, dirname(path)), { recursive: true })
  await writeFile(join(web, path), 'left')
}

/** A folder as a web server shows it; `stale` paths are answered with an old copy, and `silent` ones never. */
async function aWebServer(odd: { stale?: string; isSilent?: boolean } = {}) {
  const web = join(await temporaryFolder(), 'web')
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    if (odd.isSilent === true) return
    if (path === odd.stale) return response.end('an old copy')
    return readFile(join(web, path.replace(/\/$/, '/index.html'))).then(
      (bytes) => response.end(bytes),
      () => response.writeHead(404).end(),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { web, odd, publicUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

async function createFixture(edges: Parameters<typeof createPublishingFixture>[0] = {}): Promise<PublishingFixture> {
  const fixture = await createPublishingFixture(edges)
  await fixture.save('post-1', '<p>One</p>')
  return fixture
}

describe('test files that a killed process left on a target', () => {
  test('do not make an empty folder a foreign one, and are deleted by the next publication or check', async () => {
    const fixture = await createFixture()
    const { web, publicUrl } = await aWebServer()
    await leave(web, leftHere)
    await leave(web, leftByCheck)
    const target = await fixture.addTarget(`folder:${web}`, { publicUrl })
    expect(await fixture.publish(target, true)).toMatchObject({ ok: true })
    expect(await fixture.publish(target)).toMatchObject({ ok: true })
    await writeFile(join(web, notOurs), 'of a person')
    const left = async () => [...(await filesIn(web)).keys()].filter((path) => path.startsWith('galley-'))
    expect(await left()).toEqual(['galley-bundle.json', leftByCheck, notOurs])
    expect((await fixture.galley.releasing.check(target)).map(({ ok }) => ok)).toEqual([true, true, true, true, true])
    expect(await left()).toEqual(['galley-bundle.json', notOurs])
  })

  test.skipIf(!hasSshd)('over SFTP are deleted by the next publication', async () => {
    const fixture = await createFixture()
    const { web, publicUrl } = await aWebServer()
    await leave(web, leftHere)
    await writeFile(join(web, notOurs), 'of a person')
    const server = await startSftp(await temporaryFolder())
    onTestFinished(server.kill)
    const target = await fixture.addTarget(server.place(web), { publicUrl, key: server.key })
    expect(await fixture.publish(target)).toMatchObject({ ok: true })
    expect([...(await filesIn(web)).keys()].filter((path) => path.startsWith('galley-'))).toEqual([notOurs])
  })

  test.skipIf(!hasCeph)('in a bucket are deleted by the next publication', async () => {
    const ceph = await sharedCeph()
    const bucket = await ceph.aBucket('public')
    const fixture = await createFixture()
    const key = `${ceph.owner.id}:${ceph.owner.secret}`
    const host = await startIndexPages(ceph.url)
    for (const prefix of ['', '/www']) {
      await ceph.put(`${bucket}${prefix}/${leftHere}`, 'left')
      await ceph.put(`${bucket}${prefix}/${notOurs}`, 'of a person')
      const options = { endpoint: ceph.url, publicUrl: `${host}/${bucket}${prefix}`, key }
      const target = await fixture.addTarget(`s3:${bucket}${prefix}`, { ...options, name: `live${prefix.slice(1)}` })
      expect(await fixture.publish(target)).toMatchObject({ ok: true })
    }
    const left = (await ceph.keys(bucket)).filter((each) => each.includes('galley-'))
    expect(left).toEqual([notOurs, `www/${notOurs}`])
  })
})

test('a target that got another name keeps its site when a publication to it fails', async () => {
  const fixture = await createFixture()
  const { web, odd, publicUrl } = await aWebServer()
  const target = await fixture.addTarget(`folder:${web}`, { publicUrl })
  expect(await fixture.publish(target)).toMatchObject({ ok: true })
  const before = await filesIn(web)
  expect(await fixture.galley.releasing.targets.remove(target)).toMatchObject({ ok: true })
  const renamed = await fixture.addTarget(`folder:${web}`, { publicUrl, name: 'production' })
  odd.stale = '/post-1/index.html'
  await fixture.save('post-1', '<p>Two</p>')
  expect(await fixture.publish(renamed)).toMatchObject({ failure: { code: 'not_verified', state: 'put_back' } })
  expect(await filesIn(web)).toEqual(before)

  // Another library does not have the files of the previous publication, so it cannot restore them.
  const other = await createPublishingFixture()
  await other.save('post-1', '<p>Three</p>')
  const taken = await other.addTarget(`folder:${web}`, { publicUrl })
  expect(await other.publish(taken, false, 'warn', { takeOver: true })).toMatchObject({
    failure: { code: 'not_verified', state: 'mixed' },
  })
  expect((await filesIn(web)).get('post-1/index.html')?.toString()).toContain('Three')
})

test('a check of a public URL that never answers ends with that, and leaves nothing', async () => {
  const fixture = await createFixture({ stallMs: 1_000 })
  const { web, publicUrl } = await aWebServer({ isSilent: true })
  const target = await fixture.addTarget(`folder:${web}`, { publicUrl })
  expect(await fixture.galley.releasing.check(target)).toMatchObject([
    { name: 'connect', ok: true },
    { name: 'write', ok: true },
    { name: 'public_url', ok: false, why: { code: 'public_unreached' } },
  ])
  expect([...(await filesIn(web)).keys()]).toEqual([])
})
