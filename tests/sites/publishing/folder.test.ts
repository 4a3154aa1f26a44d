import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readFile, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { openFileLock } from '../../../packages/library/db/file-lock.ts'
import { openVault } from '../../../packages/library/vault/vault.ts'
import { folderStore } from '../../../packages/platform/store/folder-store.ts'
import { createClaims } from '../../../packages/sites/publishing/claims.ts'
import { createHeldObjects } from '../../../packages/sites/publishing/held-objects.ts'
import { createPublisher } from '../../../packages/sites/publishing/publisher.ts'
import { createUnsettledUploads } from '../../../packages/sites/publishing/unsettled-uploads.ts'
import type { Sha256 } from '../../../packages/wire/ids.ts'
import { aFontsSave, aSave, createTestGalley, temporaryFolder } from '../../support/test-galley.ts'

async function below(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && entry.name !== 'galley-library.json')
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length))
    .toSorted()
}

type Ports = Parameters<typeof createPublisher>[1]

/** A publisher of a process of its own to a folder. */
function folderPublisher(
  target: string,
  ports: Pick<Ports, 'vault' | 'held' | 'isReferenced'>,
  { library = 'one', notes = new Map<string, string>() } = {},
) {
  const settings = {
    put: (name: string, value: string) => void notes.set(name, value),
    forget: (name: string) => void notes.delete(name),
    startingWith: () => [...notes].map(([name, value]) => ({ name, value })),
  }
  const closing = new AbortController().signal
  const unsettled = createUnsettledUploads(settings)
  const store = folderStore(target)
  return createPublisher(async () => ({ store, prefix: '', publicUrl: null, limitMs: null }), {
    ...ports,
    unsettled,
    claims: createClaims(library),
    closing,
    waitsMs: [],
  })
}

/** A vault with one file, and a publisher to a folder that does not exist yet. */
async function publishing(content = 'the picture') {
  const root = await temporaryFolder()
  const lock = openFileLock(root)
  onTestFinished(lock.close)
  const vault = await openVault(join(root, 'library'), { isReferenced: () => true, wasDropped: () => false }, lock)
  const sha256 = createHash('sha256').update(content).digest('hex') as Sha256
  await writeFile(vault.pathOf(sha256), content)
  const target = join(root, 'web', 'public')
  const file = (path: string, immutable = true) => ({
    path,
    sha256,
    slice: { file: sha256, offset: 0, sizeBytes: Buffer.byteLength(content) },
    immutable,
  })
  const held = createHeldObjects()
  const isReferenced = vi.fn<(path: string) => boolean>(() => false)
  return {
    root,
    target,
    file,
    vault,
    held,
    sha256,
    publisher: folderPublisher(target, { vault, held, isReferenced }),
    isReferenced,
  }
}

describe('the folder publisher', () => {
  it('writes each file to its public path, readable for the web server, and leaves nothing else', async () => {
    const { target, file, publisher } = await publishing()
    const umask = process.umask(0o077)
    onTestFinished(() => void process.umask(umask))
    await publisher.publish([
      file('/media/ab/a%20b%C3%BC.png'),
      file('/media/ab/deep%2Fer.png'),
      file('/fonts/s/1/x.woff2'),
    ])
    expect(await below(target)).toEqual(['/fonts/s/1/x.woff2', '/media/ab/a bü.png', '/media/ab/deep/er.png'])
    expect(await readFile(join(target, 'media/ab/a bü.png'), 'utf8')).toBe('the picture')
    if (process.platform === 'win32') return
    const modeOf = async (path: string): Promise<number> => (await stat(join(target, path))).mode & 0o777
    expect(await modeOf('media/ab/a bü.png')).toBe(0o644)
    for (const folder of ['', 'media', 'media/ab']) expect(await modeOf(folder), folder).toBe(0o755)
  })

  it('publishes ranges of packs, and empty files', async () => {
    const { target, file, publisher } = await publishing()
    const slice = { ...file('/a').slice, offset: 4, sizeBytes: 3 }
    await publisher.publish([
      { ...file('/a'), slice },
      { ...file('/b'), slice: { ...slice, sizeBytes: 0 } },
    ])
    expect(await readFile(join(target, 'a'), 'utf8')).toBe('pic')
    expect(await readFile(join(target, 'b'), 'utf8')).toBe('')
  })

  it('keeps a file that exists under its hash, repairs a truncated one, and updates mutable ones', async () => {
    const { target, file, publisher } = await publishing()
    const media = join(target, 'media.png')
    await publisher.publish([file('/media.png')])
    const first = await stat(media)
    await publisher.publish([file('/media.png')])
    expect((await stat(media)).ino).toBe(first.ino)
    await writeFile(media, 'the pic')
    await publisher.publish([file('/media.png')])
    expect(await readFile(media, 'utf8')).toBe('the picture')
    await writeFile(join(target, 'current.css'), 'old_picture')
    await publisher.publish([file('/current.css', false)])
    expect(await readFile(join(target, 'current.css'), 'utf8')).toBe('the picture')
  })

  it('replaces a file of the same size with other content, as where the path names no hash', async () => {
    const { target, file, publisher } = await publishing()
    await mkdir(join(target, 'fonts/acme/1'), { recursive: true })
    await writeFile(join(target, 'fonts/acme/1/vms_fonts.css'), 'THE PICTURE')
    await publisher.publish([file('/fonts/acme/1/vms_fonts.css')])
    expect(await readFile(join(target, 'fonts/acme/1/vms_fonts.css'), 'utf8')).toBe('the picture')
  })

  it('accepts the same file from two concurrent saves', async () => {
    const { target, file, publisher } = await publishing('x'.repeat(300_000))
    await Promise.all(Array.from({ length: 20 }, () => publisher.publish([file('/same.bin', false)])))
    expect(await below(target)).toEqual(['/same.bin'])
    expect((await stat(join(target, 'same.bin'))).size).toBe(300_000)
  })

  it('accepts names as long as the file system allows', async () => {
    const { target, file, publisher } = await publishing()
    const name = `${'n'.repeat(251)}.png`
    await publisher.publish([file(`/${name}`)])
    expect(await below(target)).toEqual([`/${name}`])
  })

  it('deletes what only a failed save added, with its folders', async () => {
    const { target, file, publisher, isReferenced } = await publishing()
    const settled = await publisher.publish([file('/media/00/kept.png')])
    await settled.settle('stored')
    const tooLong = file(`/media/33/${'n'.repeat(256)}`)
    const save = [file('/media/00/kept.png'), file('/media/11/new.png'), file('/media/22/deep%2Fnew.png'), tooLong]
    await expect(publisher.publish(save)).rejects.toThrow('ENAMETOOLONG')
    expect(await below(target)).toEqual(['/media/00/kept.png'])
    expect(await readdir(join(target, 'media'))).not.toContain('22')
    // The log decided otherwise: another save brought the file, or it may have been stored.
    for (const outcome of ['unknown', 'stored', 'nothing_stored'] as const) {
      const { settle } = await publisher.publish([file(`/media/44/${outcome}.png`)])
      await settle(outcome)
    }
    isReferenced.mockReturnValue(true)
    const named = await publisher.publish([file('/media/55/named.png')])
    await named.settle('nothing_stored')
    expect(await below(target)).toEqual([
      '/media/00/kept.png',
      '/media/44/stored.png',
      '/media/44/unknown.png',
      '/media/55/named.png',
    ])
  })

  it('keeps a file that a failed save added while another save relies on it', async () => {
    const { target, file, publisher } = await publishing()
    const failed = await publisher.publish([file('/media/ab/a.png')])
    const stored = await publisher.publish([file('/media/ab/a.png')])
    await failed.settle('nothing_stored')
    expect(await below(target)).toEqual(['/media/ab/a.png'])
    await stored.settle('nothing_stored')
    expect(await below(target)).toEqual([])
  })

  it('deletes nothing where another library publishes too', async () => {
    const { target, file, publisher, vault, isReferenced } = await publishing()
    const other = folderPublisher(target, { vault, held: createHeldObjects(), isReferenced }, { library: 'another' })
    const failed = await publisher.publish([file('/media/ab/a.png')])
    await (await other.publish([file('/media/ab/a.png')])).settle('stored')
    await failed.settle('nothing_stored')
    expect(await below(target)).toEqual(['/media/ab/a.png'])
    expect(await readFile(join(target, 'galley-library.json'), 'utf8')).toBe('{"library":"several"}\n')
  })

  it('never writes outside its folder', async () => {
    const { root, target, file, publisher } = await publishing()
    const before = await below(root)
    for (const path of [
      '/../x',
      '/a/../../x',
      '/%2e%2e/x',
      '/fonts/s/..%2F..%2F..%2F..%2Fx/y',
      '/a%2F..%2F..%2Fx',
      '/./x',
      '//x',
      '/a/',
      '/a%00',
      '/a%5C..%5Cx',
    ]) {
      await expect(publisher.publish([file(path)]), path).rejects.toThrow('would leave its folder')
    }
    expect(await below(root)).toEqual(before)
    await expect(stat(target)).rejects.toThrow('ENOENT')
  })

  it('throws the error of the file system, and removes its temporary file', async () => {
    const { target, file, publisher, vault, held, isReferenced, sha256 } = await publishing()
    await mkdir(join(target, 'taken', 'folder'), { recursive: true })
    await expect(publisher.publish([file('/taken')])).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST|EPERM/)
    await writeFile(join(target, 'file'), 'x')
    await expect(publisher.publish([file('/file/below')])).rejects.toThrow(/EEXIST|ENOTDIR/)
    await writeFile(vault.pathOf(sha256), '')
    await expect(
      folderPublisher(target, {
        vault: { ...vault, read: () => vault.read({ file: 'gone' as Sha256, offset: 0, sizeBytes: 1 }) },
        held,
        isReferenced,
      }).publish([file('/new')]),
    ).rejects.toThrow('ENOENT')
    expect(await below(target)).toEqual(['/file'])
  })
})

describe('a killed publisher', () => {
  const uuid = '11111111-2222-4333-8444-555555555555'
  const source = join(import.meta.dirname, '../../../packages/platform/store/folder-store.ts')

  /** Publishes into `target` in another process, which is killed while it writes. Returns the name of the file that it left. */
  async function killed(target: string): Promise<string> {
    const script = `
      import { Readable } from 'node:stream'
      const { folderStore } = await import(${JSON.stringify(source)})
      const endless = function* () { yield Buffer.from('part'); process.stdout.write('writing') }
      const read = () => Readable.from((async function* () { yield* endless(); await new Promise((go) => setTimeout(go, 1e6)) })())
      await folderStore(${JSON.stringify(target)}).put({ path: 'media/ab/a.png', bytes: 9, read })`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'exit')
    const [left] = await readdir(join(target, 'media')).then((names) =>
      names.filter((name) => name.startsWith('.galley-')),
    )
    if (left === undefined) throw new Error('It left nothing')
    return left
  }

  it('leaves a file that the next publication deletes, whatever it publishes', async () => {
    const { target, file, publisher } = await publishing()
    await killed(target)
    await publisher.publish([file('/media/cd/b.png')])
    expect(await below(target)).toEqual(['/media/cd/b.png'])
  })

  it('has the files of its save deleted, but for those of stored versions', async () => {
    const { target, file, vault, held, isReferenced } = await publishing()
    const left = {
      root: target,
      objects: ['kept', 'left'].map((name) => ({ key: `media/${name}`, path: `/media/${name}` })),
      uploads: [],
    }
    const notes = new Map([['unsettled-upload/4194399/a', JSON.stringify(left)]])
    await mkdir(join(target, 'media'), { recursive: true })
    for (const name of ['kept', 'left', 'foreign']) await writeFile(join(target, 'media', name), name)
    isReferenced.mockImplementation((path) => path === '/media/kept')
    await folderPublisher(target, { vault, held, isReferenced }, { notes }).publish([file('/media/new')])
    expect(await below(target)).toEqual(['/media/foreign', '/media/kept', '/media/new'])
    expect([...notes.keys()].filter((name) => name.includes('4194399'))).toEqual([])
  })

  it('has its leftovers deleted, but no file that is being written, is foreign, or is recent and from another machine', async () => {
    const { target, file, publisher } = await publishing()
    const dead = await killed(target)
    const [, , computer, processId = ''] = dead.split(/[.-]/)
    const media = join(target, 'media')
    const living = `.galley-${computer}-${process.pid}-${uuid}`
    const elsewhere = `.galley-00000000-${processId}-${uuid}`
    const abandoned = `.galley-00000000-${process.pid}-${uuid}`
    const others = [
      `.galley-${uuid}`,
      `.galley-${computer}-${processId}-${uuid}.bak`,
      `x.galley-${computer}-${processId}-${uuid}`,
      '.galley-notes',
    ]
    const folder = `.galley-${computer}-${processId}-22222222-2222-4333-8444-555555555555`
    const link = `.galley-${computer}-${processId}-33333333-2222-4333-8444-555555555555`
    for (const name of [living, elsewhere, abandoned, ...others]) await writeFile(join(media, name), 'x')
    await mkdir(join(media, folder))
    await writeFile(join(media, folder, 'kept'), 'x')
    await symlink(join(media, '.galley-notes'), join(media, link))
    const longAgo = new Date(Date.now() - 2 * 3_600_000)
    for (const name of [abandoned, ...others]) await utimes(join(media, name), longAgo, longAgo)
    await publisher.publish([file('/media/ab/a.png')])
    expect((await readdir(media)).toSorted()).toEqual([living, elsewhere, ...others, folder, link, 'ab'].toSorted())
    expect(await readdir(join(media, folder))).toEqual(['kept'])
  })
})

describe('saves of a site that publishes to a folder', () => {
  async function setUp() {
    const web = join(await temporaryFolder(), 'web')
    const fixture = await createTestGalley({ site: { publish: `folder:${web}`, publicUrl: 'https://cdn.test/x' } })
    await fixture.know('post-1')
    return { ...fixture, web }
  }

  it('have their media there before the answer, under the answered URL', async () => {
    const { post, service, galley, web } = await setUp()
    const save = aSave(service, { files: { 'a b.png': 'small', 'big.bin': Buffer.alloc(200_000, 7) } })
    expect((await post(save.body, save.headers)).json.rc).toBe(1)
    const [version] = galley.index.versions.list('acme', 'post-1')
    for (const [name, size] of [
      ['a b.png', 5],
      ['big.bin', 200_000],
    ] as const) {
      const url = version?.publicUrls[name] ?? ''
      expect(url).toMatch(/^https:\/\/cdn\.test\/x\/media\//)
      const path = decodeURIComponent(new URL(url).pathname.slice('/x'.length))
      expect((await stat(join(web, path))).size).toBe(size)
    }
  })

  it('have their fonts there, and current.css points to the newest', async () => {
    const { post, service, web } = await setUp()
    for (const id of ['one', 'two']) {
      const save = aFontsSave(service, id, {
        'vms_fonts/A.woff2': id,
        'vms_fonts.css': `/* ${id} */`,
        'vms_fonts.json': '{}',
      })
      expect((await post(save.body, save.headers)).json.rc).toBe(1)
    }
    expect(await below(web)).toEqual([
      '/fonts/acme/current.css',
      '/fonts/acme/one/A.woff2',
      '/fonts/acme/one/vms_fonts.css',
      '/fonts/acme/two/A.woff2',
      '/fonts/acme/two/vms_fonts.css',
    ])
    expect(await readFile(join(web, 'fonts/acme/current.css'), 'utf8')).toBe('/* two */')
  })

  it('fail as storage_failed and keep nothing if the folder is not writable; the same delivery is stored later', async () => {
    const { post, service, galley, web, filesOf, lines } = await setUp()
    const good = aSave(service, { materialId: 'post-1', versionId: 'before', files: {}, html: '<p>', state: '{}' })
    expect((await post(good.body, good.headers)).json.rc).toBe(1)
    const before = await filesOf()
    await writeFile(web, 'a file where the folder should be')
    const save = aSave(service, { versionId: 'after', versionCdate: '2026-11-02T00:00:00Z' })
    const answer = await post(save.body, save.headers)
    expect([answer.status, answer.json.code]).toEqual([500, 'storage_failed'])
    expect(answer.text).not.toContain(web)
    expect(await filesOf()).toEqual(before)
    expect(galley.index.versions.list('acme', 'post-1').map(({ versionId }) => versionId)).toEqual(['before'])
    expect(galley.index.callbacks.list({ site: null, outcome: null, limit: 1 })).toMatchObject([
      { outcome: 'failed', code: 'storage_failed', httpStatus: 500 },
    ])
    expect(lines.some((line) => line.includes('could not be stored'))).toBe(true)
    await rm(web)
    expect((await post(save.body, save.headers)).json.rc).toBe(1)
    expect(galley.index.materials.find('acme', 'post-1')?.currentVersionId).toBe('after')
  })

  it('cannot escape the folder through the name of a snapshot', async () => {
    const { post, service, web, galley } = await setUp()
    const save = aFontsSave(service, '..%2F..%2F..%2Fescaped', {
      'vms_fonts/A.woff2': 'x',
      'vms_fonts.css': 'a{}',
      'vms_fonts.json': '{}',
    })
    expect((await post(save.body, save.headers)).json).toMatchObject({ rc: 0, code: 'storage_failed' })
    expect(await below(join(web, '..'))).toEqual([])
    expect(galley.index.snapshots.list('acme')).toEqual([])
  })

  it('of two materials may publish the same picture at the same time', async () => {
    const { post, service, know } = await setUp()
    await know('post-2')
    for (let round = 0; round < 5; round += 1) {
      const files = { 'hero.png': Buffer.alloc(100_000, round) }
      const saves = ['post-1', 'post-2'].map((materialId) => aSave(service, { materialId, files }))
      const answers = await Promise.all(saves.map(({ body, headers }) => post(body, headers)))
      expect(answers.map(({ json }) => json.rc)).toEqual([1, 1])
    }
  })
})
