import { once } from 'node:events'
import { readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

import { galley } from './support/cli.ts'
import { aNewsroom, aPage } from './support/library.ts'

/** A file server on another origin. It records its requests. */
async function aMediaHost() {
  const asked: (readonly [string, string | undefined])[] = []
  const server = createServer((request, response) => {
    asked.push([request.url ?? '', request.headers.authorization])
    if (request.url === '/cut.png') {
      response.writeHead(200, { 'content-length': 1000 }).write('start')
      return void setImmediate(() => response.destroy())
    }
    const status = request.url === '/moved.png' ? 302 : request.url === '/gone.png' ? 410 : 200
    response.writeHead(status, { location: '/whole.png' }).end('picture')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => new Promise((resolve) => server.close(resolve)).then(() => undefined))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

test('every file of current versions is downloaded like the service does, and what a restore would lose is reported', async () => {
  const room = await aNewsroom()
  const host = await aMediaHost()
  const environment = { ...room.environment, GALLEY_CALLBACK_AUTH_ACME: 'editor:pass-9c1' }
  const open = async (id: string) =>
    ((await room.run('open', 'acme', id)).json() as { fingerprint: string }).fingerprint
  const assets = Object.fromEntries(
    ['whole.png', 'gone.png', 'moved.png', 'cut.png'].map((name) => [name, { clientUrl: `${host.url}/${name}` }]),
  )
  const elsewhere = { clientUrl: `${host.url.replace('127.0.0.1', 'localhost')}/elsewhere.png` }
  const first = await open('first')
  expect((await room.save(first, aPage('First', 'shared'))).result).toBe('merged')
  const before = new Set(await filesOf(room.library))
  expect((await room.save(await open('second'), aPage('Second', 'shared'))).result).toBe('merged')
  const second = { ...aPage('Third'), state: { heading: 'x', assets: { ...assets, 'elsewhere.png': elsewhere } } }
  expect((await room.save(await open('third'), second)).result).toBe('merged')
  await room.run('site', 'add', 'acme', '--callback-auth', 'basic')

  const rehearse = async () => {
    const ran = await galley(['rehearse', 'acme', '--json', '--library', room.library], environment)
    expect(ran.stdout + ran.stderr).not.toContain('pass-9c1')
    return { code: ran.code, ...(ran.json() as { checked: number; lost: Record<string, unknown>[] }) }
  }
  const lostElsewhere = [
    { material_id: 'third', asset: 'gone.png', url: `${host.url}/gone.png`, status: 410, problem: null },
    { material_id: 'third', asset: 'moved.png', url: `${host.url}/moved.png`, status: 302, problem: null },
    { material_id: 'third', asset: 'cut.png', url: `${host.url}/cut.png`, status: null, problem: 'UND_ERR_SOCKET' },
  ]
  const whole = await rehearse()
  expect(whole).toEqual({ code: 1, checked: 8, lost: expect.any(Array) as unknown[] })
  expect(whole.lost).toEqual(expect.arrayContaining(lostElsewhere))
  expect(whole.lost).toHaveLength(3)
  expect(host.asked.toSorted(([a], [b]) => (a < b ? -1 : 1))).toEqual(
    // Another port may be anybody's, and http is readable on the way.
    ['/cut.png', '/elsewhere.png', '/gone.png', '/moved.png', '/whole.png'].map((path) => [path, undefined]),
  )

  // An altered state is not checked as if it were right.
  const texts = await Promise.all(
    (await filesOf(room.library)).map(async (path) => ({ path, text: await readFile(path, 'latin1') })),
  )
  const states = texts.filter(({ text }) => text.includes('/whole.png'))
  for (const { path, text } of states) await writeFile(path, text.replaceAll('/whole.png', '/white.png'), 'latin1')
  expect(await rehearse()).toMatchObject({
    checked: 3,
    lost: [{ material_id: 'third', asset: 'vms_json.json', problem: 'state_unreadable' }],
  })
  for (const { path, text } of states) await writeFile(path, text, 'latin1')

  // The file of the first save held its state and the picture that the second one names as well.
  for (const path of await filesOf(room.library)) if (before.has(path)) await rm(path)
  const { code, checked, lost } = await rehearse()
  expect([code, checked]).toEqual([1, 8])
  expect(lost.filter(({ material_id }) => material_id !== 'third')).toEqual([
    { material_id: 'first', asset: 'vms_json.json', url: '', status: null, problem: 'state_unreadable' },
    {
      material_id: 'second',
      asset: 'hero.png',
      url: expect.stringContaining('/media/') as string,
      status: expect.any(Number) as number,
      problem: null,
    },
  ])
})

test('another file under the address of a picture counts as lost, and nothing is fetched for an unconfirmed site', async () => {
  const room = await aNewsroom()
  let web = join(room.folder, 'web')
  const server = createServer((request, response) => {
    readFile(join(web, request.url ?? '')).then(
      (bytes) => response.end(bytes),
      () => response.writeHead(404).end(),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await room.run('site', 'add', 'acme', '--publish', `folder:${web}`, '--public-url', publicUrl)
  const { fingerprint } = (await room.run('open', 'acme', 'first')).json() as { fingerprint: string }
  expect((await room.save(fingerprint, aPage('First'))).result).toBe('merged')
  expect((await room.run('rehearse', 'acme')).json()).toMatchObject({ lost: [] })
  const picture = (await readdir(web, { recursive: true })).find((path) => path.endsWith('hero.png'))
  await writeFile(join(web, picture ?? ''), '<h1>Not found</h1>')
  const other = await room.run('rehearse', 'acme')
  expect([other.code, other.json()]).toMatchObject([
    1,
    { lost: [{ asset: 'hero.png', status: 200, problem: 'different' }] },
  ])

  // The version that brought the picture is gone, and another one still shows it.
  const picked = `${publicUrl}/${picture}`
  const second = {
    ...aPage('Second'),
    html: `<p>Text<img src="${picked}" alt=""></p>`,
    files: {},
    state: { heading: 'Second', assets: { 'hero.png': { clientUrl: picked } } },
  }
  expect((await room.save(fingerprint, second)).result).toBe('merged')
  expect((await room.run('prune', '--keep-versions', '1')).json()).toMatchObject({ versions: 1 })

  // A new folder lacks what earlier saves have published.
  web = join(room.folder, 'new-web')
  const moved = await room.run('site', 'add', 'acme', '--publish', `folder:${web}`)
  expect(moved.stderr).toContain('galley site republish acme')
  expect((await room.run('rehearse', 'acme')).json()).toMatchObject({ lost: [{ asset: 'hero.png', status: 404 }] })
  const again = await room.run('site', 'republish', 'acme')
  expect([again.code, again.json()]).toMatchObject([0, { files: 1, lost: [] }])
  expect((await room.run('rehearse', 'acme')).json()).toMatchObject({ lost: [] })

  const stored = await filesOf(room.library)
  for (const file of stored) await rename(file, `${file}.away`)
  await rm(web, { recursive: true })
  const lacking = await room.run('site', 'republish', 'acme')
  for (const file of stored) await rename(`${file}.away`, file)
  expect([lacking.code, lacking.json()]).toMatchObject([1, { files: 0, lost: [`/${picture}`] }])
  expect((await room.run('site', 'republish', 'acme')).code).toBe(0)

  const [backup, restored] = [join(room.folder, 'a.backup'), join(room.folder, 'restored')]
  await room.run('backup', backup)
  await galley(['restore', backup, '--library', restored], room.environment)
  const refused = await galley(['rehearse', 'acme', '--json', '--library', restored], room.environment)
  expect([refused.code, refused.failure().code]).toEqual([1, 'site_unconfirmed'])
})

async function filesOf(library: string): Promise<readonly string[]> {
  const entries = await readdir(join(library, 'files'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}
