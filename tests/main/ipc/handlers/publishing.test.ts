import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import type { PublishOrder, TargetForm } from '../../../../src/ipc/publishing.ts'
import { materialsIn } from '../../../support/records.ts'
import { aSave, createTestGalley, temporaryFolder } from '../../../support/test-galley.ts'
import { testWindow } from '../../../support/test-window.ts'

async function setUp() {
  const made = await createTestGalley()
  const { galley, service, post, know } = made
  async function save(materialId: string, html: string, files?: Readonly<Record<string, string>>): Promise<void> {
    await know(materialId)
    const versionId = `${materialId}-${html.length}`
    const { body, headers } = aSave(service, { materialId, html, versionId, ...(files && { files }) })
    const { json } = await post(body, headers)
    expect(json.rc).toBe(1)
  }
  await save('post-1', '<p>One</p>')
  const window = testWindow(galley)
  const { calls, chosen } = window
  const directory = join(await temporaryFolder(), 'site')
  const form: TargetForm = {
    site: 'acme',
    name: 'live',
    isNew: true,
    place: { kind: 'folder', chosen: null },
    publicUrl: null,
    compress: false,
    schedule: null,
    isLive: false,
    credentials: null,
  }
  const chosenFolder = async () => {
    chosen.push(directory)
    const folder = await calls.chooseTargetFolder({ site: 'acme' })
    return { kind: 'folder', chosen: folder?.token ?? '' } as const
  }
  const order: PublishOrder = { site: 'acme', target: 'live', release: null }
  const run = async (name: 'startPublishPlan' | 'startPublish', over: Partial<PublishOrder> = {}) => {
    const started = await calls[name]({ ...order, ...over })
    if (!started.ok) return started
    await galley.tasks.ended(started.value.task)
    return galley.tasks.find(started.value.task)?.end
  }
  const target = async () => {
    const listed = await calls.listTargets({ site: 'acme' })
    return listed.ok ? listed.value[0] : undefined
  }
  const history = async () => {
    const listed = await calls.targetHistory({ site: 'acme', target: 'live' })
    return listed.ok ? listed.value : []
  }
  return { ...made, ...window, save, form, directory, chosenFolder, run, target, history }
}

test('a site is planned, published, published again and rolled back; each target says what it shows', async () => {
  const { calls, form, chosenFolder, directory, run, target, history, save, changes, shown } = await setUp()
  expect(await calls.saveTarget({ ...form, place: await chosenFolder(), schedule: '06:00' })).toMatchObject({
    ok: true,
  })
  expect(await target()).toMatchObject({
    name: 'live',
    place: { kind: 'folder', directory },
    schedule: '06:00',
    isConfirmed: true,
    current: null,
    state: 'never',
    lastFailure: null,
  })
  expect(await calls.checkTarget({ site: 'acme', target: 'live' })).toMatchObject({
    value: [
      { name: 'connect', ok: true },
      { name: 'write', ok: true },
    ],
  })

  const planned = await run('startPublishPlan')
  expect(planned).toMatchObject({
    kind: 'done',
    result: { changed: [], removed: [], pages: [{ materialId: 'post-1', change: 'added', verdict: null }] },
  })
  await expect(readFile(join(directory, 'index.html'))).rejects.toThrow('ENOENT')
  expect(await run('startPublish')).toMatchObject({ kind: 'done', result: { verified: { via: 'target', found: 0 } } })
  expect(await target()).toMatchObject({ state: 'current', current: { by: 'person', isCurrent: true } })
  expect(changes).toContain('targets')

  await save('post-1', '<p>One, again</p>')
  await save('post-2', '<p>Two</p>')
  expect(await target()).toMatchObject({ state: 'behind' })
  expect(await run('startPublish')).toMatchObject({ kind: 'done' })
  const [second, first] = await history()
  expect(second).toMatchObject({ pages: { all: 2, added: 1, changed: 1, removed: 0 } })
  expect(first).toMatchObject({ pages: { all: 1, added: 1 }, isCurrent: false, isKept: true })

  // Settings of the site change what goes out, though no page does.
  await calls.saveSitePublishing({ site: 'acme', changes: { description: 'Another one' } })
  expect(await target()).toMatchObject({ state: 'behind' })

  const release = first?.releaseId ?? ''
  expect(await run('startPublishPlan', { release })).toMatchObject({ kind: 'done', result: { references: null } })
  expect(await run('startPublish', { release })).toMatchObject({ kind: 'done' })
  expect((await history())[0]).toMatchObject({ rollbackOf: release, pages: { removed: 1, changed: 1 } })
  expect(await target()).toMatchObject({ state: 'behind' })
  expect(await readFile(join(directory, 'post-1/index.html'), 'utf8')).not.toContain('again')

  expect(await calls.openTarget({ site: 'acme', target: 'live' })).toMatchObject({ ok: true })
  expect(shown).toEqual([directory])
  expect(await calls.removeTarget({ site: 'acme', target: 'live' })).toMatchObject({ ok: true })
  expect(await target()).toBe(undefined)
  expect(await readFile(join(directory, 'post-1/index.html'), 'utf8'), 'what is published stays').toContain('One')
})

test('a plan says that a page moves, and where from', async () => {
  const { calls, form, chosenFolder, run, directory } = await setUp()
  await calls.saveTarget({ ...form, place: await chosenFolder() })
  const move = (slug: string) => calls.savePageSettings({ site: 'acme', materialIds: ['post-1'], changes: { slug } })
  await move('first')
  const planned = async (name: 'startPublishPlan' | 'startPublish' = 'startPublishPlan') => {
    const end = await run(name)
    return end !== undefined && 'result' in end ? end.result : end
  }
  expect(await planned(), 'nothing was published yet').toMatchObject({ pages: [{ change: 'added', movedFrom: null }] })
  await planned('startPublish')
  await move('second')
  expect(await planned()).toMatchObject({
    added: expect.arrayContaining(['second/index.html']) as unknown,
    changed: expect.arrayContaining(['first/index.html']) as unknown,
    removed: [],
    pages: [{ path: 'second/index.html', change: 'added', movedFrom: 'first/index.html' }],
  })
  await planned('startPublish')
  expect(await readFile(join(directory, 'first/index.html'), 'utf8')).toContain('../second/')
  await move('third')
  expect(await planned(), 'of two redirects the one that was the page').toMatchObject({
    pages: [{ path: 'third/index.html', movedFrom: 'second/index.html' }],
  })
})

test('a plan names the social image that a later save no longer has', async () => {
  const { calls, form, chosenFolder, run, save } = await setUp()
  await calls.saveTarget({ ...form, place: await chosenFolder() })
  await save('post-1', '<h1>One</h1>', { 'cover.png': 'a cover' })
  const changes = { socialImage: 'cover.png' }
  expect(await calls.savePageSettings({ site: 'acme', materialIds: ['post-1'], changes })).toMatchObject({ ok: true })
  const planned = async () => {
    const end = await run('startPublishPlan')
    return end !== undefined && 'result' in end ? end.result : end
  }
  expect(await planned()).toMatchObject({ pages: [{ notes: [] }] })
  await save('post-1', '<h1>One, later</h1>', { 'other.png': 'another picture' })
  expect(await planned()).toMatchObject({ pages: [{ notes: [{ code: 'social_image_gone', image: 'cover.png' }] }] })
})

test('the history names the pages that a publication changed, and the broken links it found', async () => {
  const { calls, form, chosenFolder, run, save, history, galley } = await setUp()
  await calls.saveTarget({ ...form, place: await chosenFolder() })
  await save('post-2', '<h1>Two</h1><p>Two <a href="../lost/">lost</a></p>')
  await run('startPublish')
  await save('post-2', '<h1>Two</h1><p>Two, and now without a link</p>')
  await save('post-3', '<h1>Three</h1>')
  await calls.setFields({ ...materialsIn('acme', 'post-1'), set: { archivedAt: '2026-11-03T00:00:00.000Z' } })
  await run('startPublish')
  const [second, first] = await history()
  const contents = (release = '') => calls.readRelease({ site: 'acme', target: 'live', release })
  expect([first?.broken, second?.broken]).toEqual([1, 0])
  expect(await contents(first?.releaseId)).toMatchObject({
    value: {
      pages: [
        { materialId: 'post-1', change: 'added' },
        { materialId: 'post-2', title: 'Two', change: 'added' },
      ],
      references: { broken: 1, list: [{ ref: '../lost/', reason: { code: 'no_file' } }] },
    },
  })
  const expected = [
    { materialId: 'post-1', change: 'removed' },
    { materialId: 'post-3', title: 'Three', change: 'added' },
    { materialId: 'post-2', title: 'Two', change: 'changed' },
  ]
  expect(await contents(second?.releaseId)).toMatchObject({
    value: { pages: expected, references: { broken: 0, list: [] } },
  })
  expect(await contents('no-release')).toMatchObject({ failure: { code: 'unknown_release' } })

  await run('startPublish', { release: first?.releaseId ?? '' })
  const [rollback] = await history()
  expect(rollback?.broken).toBe(null)
  expect(await contents(rollback?.releaseId)).toMatchObject({ value: { references: null } })

  // Of the oldest one nobody knows any more what was before it.
  for (let at = 0; at < 10; at++) {
    await save('post-3', `<h1>Three</h1><p>${'again '.repeat(at + 1)}</p>`)
    await run('startPublish')
  }
  const all = await history()
  expect(await contents(all[9]?.releaseId)).toMatchObject({ ok: true, value: { pages: null } })
  expect(await contents(all[8]?.releaseId)).toMatchObject({ value: { pages: [{ title: 'Three' }] } })
  expect(galley.index.releases.of('acme', 'live')).toHaveLength(13)
})

test('a target that cannot be used says why, and remembers it until a publication succeeds', async () => {
  const { calls, form, chosenFolder, directory, run, target } = await setUp()
  await calls.saveTarget({ ...form, place: await chosenFolder() })
  expect(await run('startPublish')).toMatchObject({ kind: 'done' })
  const publicUrl = 'http://127.0.0.1:9/site'
  const kept = { kind: 'folder', chosen: null } as const
  expect(await calls.saveTarget({ ...form, isNew: false, place: kept, publicUrl })).toMatchObject({ ok: true })
  const problem = { code: 'not_public', reason: { code: 'public_unreached' } }
  expect(await run('startPublish')).toMatchObject({ kind: 'failed', problem })
  expect(await target()).toMatchObject({ lastFailure: { problem }, state: 'behind' })

  await calls.saveTarget({ ...form, isNew: false, place: kept })
  await writeFile(join(directory, 'mine.txt'), 'a file of somebody else')
  expect(await run('startPublish')).toMatchObject({ kind: 'done' })
  expect(await target()).toMatchObject({ lastFailure: null, state: 'current' })
})

test('a window names no folder, sends pages nowhere unasked, and never sees credentials again', async () => {
  const { calls, form, asked, agreed, target, galley, chosen, opened } = await setUp()
  const invented = { kind: 'folder', chosen: 'no-dialog-gave-this' } as const
  expect(await calls.saveTarget({ ...form, place: invented })).toMatchObject({ failure: { field: 'folder' } })
  expect(await calls.saveTarget(form)).toMatchObject({ failure: { field: 'folder' } })

  const place = { kind: 's3', bucket: 'web', prefix: '', endpoint: 'https://s3.example', region: null } as const
  const credentials = { kind: 'keys', id: 'KEYID', secret: 'a-very-secret-key' } as const
  const bucket = { ...form, place, credentials }
  expect(await calls.saveTarget(bucket)).toMatchObject({ failure: { code: 'not_confirmed' } })
  expect(asked[0]?.detail).toContain('https://s3.example')
  expect(asked[0]?.detail).not.toContain('secret-key')
  agreed.push(true)
  expect(await calls.saveTarget(bucket)).toMatchObject({ ok: true })
  expect(await calls.saveTarget(bucket), 'a second one of this name').toMatchObject({ failure: { field: 'name' } })
  const stored = await target()
  expect(stored?.credentials).toBe('stored')
  expect(JSON.stringify(stored)).not.toContain('secret-key')
  expect(await galley.secrets.targetKey('acme', 'live')).toMatchObject({ value: 'KEYID:a-very-secret-key' })

  // The same address again, and another one.
  const later = { ...bucket, isNew: false, credentials: null }
  expect(await calls.saveTarget({ ...later, compress: true })).toMatchObject({ ok: true })
  expect((await target())?.credentials).toBe('stored')
  expect(await calls.saveTarget({ ...later, publicUrl: 'https://elsewhere.example' })).toMatchObject({
    failure: { code: 'not_confirmed' },
  })
  expect(asked.at(-1)?.detail).toContain('Public URL:\nfrom none\nto https://elsewhere.example')
  const moved = { ...later, place: { ...place, endpoint: 'https://other.example' } }
  expect(await calls.saveTarget(moved)).toMatchObject({ failure: { code: 'not_confirmed' } })
  expect(asked.at(-1)?.detail).toMatch(/^Location:\nfrom .*https:\/\/s3\.example.*\nto .*https:\/\/other\.example/)
  // What another machine wrote is compared with what was confirmed here.
  const written = galley.index.targets.find('acme', 'live')
  galley.index.targets.put({ ...written!, place: moved.place })
  expect(await calls.saveTarget(moved)).toMatchObject({ failure: { code: 'not_confirmed' } })
  expect(asked.at(-1)?.detail).toMatch(/^Location:\nfrom .*https:\/\/s3\.example.*\nto .*https:\/\/other\.example/)
  galley.index.targets.put(written!)
  const wrong = { ...later, place: { ...place, bucket: 'no bucket' } }
  expect(await calls.saveTarget(wrong)).toMatchObject({ failure: { field: 'bucket', state: 'bucket' } })

  for (const [field, over] of [
    ['endpoint', { place: { ...place, endpoint: 'https://:password@s3.example' } }],
    ['publicUrl', { publicUrl: 'https://:password@example.org' }],
  ] as const)
    expect(await calls.saveTarget({ ...later, ...over })).toMatchObject({ failure: { field, state: field } })

  // An SFTP key is a file that a dialog gave.
  const server = { kind: 'sftp', user: 'web', host: 'host.example', port: 22, path: '/srv/site' } as const
  const keyFile = { kind: 'keyFile', chosen: 'invented', passphrase: null } as const
  const sftp = { ...form, name: 'server', place: server, credentials: keyFile }
  expect(await calls.saveTarget(sftp)).toMatchObject({ failure: { field: 'keyFile' } })
  chosen.push('/keys/id_ed25519')
  const key = await calls.chooseTargetKey({ site: 'acme' })
  agreed.push(true)
  const withKey = { ...sftp, credentials: { ...keyFile, chosen: key?.token ?? '' } }
  expect(await calls.saveTarget(withKey)).toMatchObject({ ok: true })
  expect(await galley.secrets.targetKey('acme', 'server')).toMatchObject({ value: 'file:/keys/id_ed25519' })
  expect(opened).toEqual([])
})

test('each target has a place of its own, outside the library', async () => {
  const { calls, form, chosen, chosenFolder, folder } = await setUp()
  expect(await calls.saveTarget({ ...form, place: await chosenFolder() })).toMatchObject({ ok: true })
  expect(await calls.saveTarget({ ...form, name: 'other', place: await chosenFolder() })).toMatchObject({
    failure: { field: 'folder', state: 'shared', name: 'live', site: 'Acme' },
  })
  chosen.push(join(folder, 'web'))
  const inside = await calls.chooseTargetFolder({ site: 'acme' })
  const place = { kind: 'folder', chosen: inside?.token ?? '' } as const
  expect(await calls.saveTarget({ ...form, name: 'inside', place })).toMatchObject({
    failure: { field: 'folder', state: 'in_library' },
  })
})

test('a preview is served and opened, one a site, and ends with the library', async () => {
  const { calls, opened, save, galley } = await setUp()
  const started = await calls.startPreview({ site: 'acme', where: 'browser' })
  if (!started.ok) throw new Error(started.failure.code)
  const { url } = started.value
  expect(opened).toEqual([url])
  expect(await (await fetch(`${url}post-1/`)).text()).toContain('One')
  await save('post-1', '<p>Changed</p>')
  await expect.poll(async () => (await fetch(`${url}post-1/`)).text()).toContain('Changed')
  expect(await calls.startPreview({ site: 'acme', where: 'browser' })).toMatchObject({ value: { url } })
  expect(await calls.previewState({ site: 'acme' })).toEqual({ url, problem: null })

  await calls.stopPreview({ site: 'acme' })
  expect(await calls.previewState({ site: 'acme' })).toBe(null)
  await expect(fetch(url)).rejects.toThrow('fetch failed')
  const again = await calls.startPreview({ site: 'acme', where: 'browser' })
  await galley.previews.close()
  await expect(fetch(again.ok ? again.value.url : '')).rejects.toThrow('fetch failed')
})

test('a release that the library does not take is put back, and the target is not blamed', async () => {
  const { calls, galley, form, chosenFolder, directory, run, save } = await setUp()
  await calls.saveTarget({ ...form, place: await chosenFolder() })
  expect(await run('startPublish')).toMatchObject({ kind: 'done' })
  const before = await readFile(join(directory, 'index.html'), 'utf8')
  await save('post-1', '<h1>Another page</h1>')
  // Another process has shared the library meanwhile: it takes no more changes here.
  await writeFile(join(galley.folder, 'team.json'), '{}')
  expect(await run('startPublish')).toMatchObject({
    kind: 'failed',
    problem: { code: 'not_recorded', reason: { code: 'team_joined' }, state: 'put_back' },
  })
  expect(await readFile(join(directory, 'index.html'), 'utf8')).toBe(before)
})

test('one page is published alone: the others stay as readers see them', async () => {
  const { calls, form, chosenFolder, directory, galley, run, save, history } = await setUp()
  const publish = async (materialId: string, html: string) => {
    const versionId = `${materialId}-${html.length}`
    const started = await calls.startPublishPage({ site: 'acme', materialId, versionId })
    if (!started.ok) return started
    await galley.tasks.ended(started.value.task)
    return galley.tasks.find(started.value.task)?.end
  }
  const read = (materialId: string) => readFile(join(directory, materialId, 'index.html'), 'utf8')
  await save('post-2', '<p>Two</p>')
  await calls.saveTarget({ ...form, place: await chosenFolder() })
  expect(await publish('post-2', '<p>Two</p>')).toEqual({ ok: false, failure: { code: 'no_live_target' } })
  const [later, other] = ['<p>One, again</p>', '<p>Two, again</p>']
  await run('startPublish')
  await calls.saveTarget({ ...form, isNew: false, isLive: true })
  await save('post-1', later)
  await save('post-2', other)
  await save('post-3', '<p>Three</p>')

  expect(await publish('post-2', other)).toMatchObject({ kind: 'done', result: { target: 'live' } })
  expect(await read('post-2')).toContain('Two, again')
  expect(await read('post-1')).not.toContain('again')
  await expect(read('post-3')).rejects.toThrow('ENOENT')
  expect((await history())[0]).toMatchObject({ pages: { all: 2, added: 0, changed: 1, removed: 0 } })
  // A new page joins the others.
  expect(await publish('post-3', '<p>Three</p>')).toMatchObject({ kind: 'done' })
  expect((await history())[0]).toMatchObject({ pages: { all: 3, added: 1, changed: 0, removed: 0 } })
  expect(await read('post-1')).not.toContain('again')
  // An earlier version is published if that is the one that was approved.
  expect(await publish('post-2', '<p>Two</p>')).toMatchObject({ kind: 'done' })
  expect(await read('post-2')).not.toContain('again')

  await calls.savePageSettings({ site: 'acme', materialIds: ['post-1'], changes: { state: 'draft' } })
  expect(await publish('post-1', later)).toMatchObject({
    kind: 'failed',
    problem: { code: 'page_is_draft' },
  })
  expect(await publish('post-1', '')).toMatchObject({ ok: false, failure: { code: 'unknown_version' } })
})
