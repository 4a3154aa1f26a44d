import { readFile, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

import { restore } from '../../../../packages/library/care/restore.ts'
import type { ExportRequest } from '../../../../packages/library/records/export-record.ts'
import { exportsMadeHere } from '../../../../packages/library/settings/exports-made-here.ts'
import type { ExportOrder } from '../../../../src/ipc/exports.ts'
import { openGalley } from '../../../support/open-galley.ts'
import { aSave, createTestGalley, temporaryFolder } from '../../../support/test-galley.ts'
import { testWindow } from '../../../support/test-window.ts'

async function setUp() {
  const made = await createTestGalley()
  const { galley, service, post, know } = made
  for (const [materialId, html] of [
    ['post-1', '<h1>One</h1><a href="/gone">gone</a><img src="dummy-hero.png">'],
    ['post-2', '<h1>Two</h1>'],
  ] as const) {
    await know(materialId)
    const save = aSave(service, { materialId, html, versionId: `${materialId}-a` })
    await post(save.body, save.headers)
  }
  const { calls, chosen, shown } = testWindow(galley)
  const out = await temporaryFolder()
  const choose = async (kind: 'folder' | 'zip', path: string) => {
    chosen.push(path)
    const target = await calls.chooseExportTarget({ site: 'acme', kind })
    if (target?.path !== path) throw new Error('The dialog gave another place')
    return { kind, chosen: target.token }
  }
  const request: ExportRequest = {
    site: 'acme',
    materials: [],
    pins: [],
    target: { kind: 'folder', path: join(out, 'site') },
    baseUrl: null,
    check: 'warn',
  }
  const ended = async (started: Awaited<ReturnType<typeof calls.startExport>>) => {
    if (!started.ok) return started
    await galley.tasks.ended(started.value.task)
    return galley.tasks.find(started.value.task)?.end
  }
  /** The export as a window asks for it, to a place that is chosen there and then. */
  const order = async (target: ExportRequest['target'] = request.target): Promise<ExportOrder> => ({
    ...request,
    target: await choose(target.kind, target.path),
  })
  return { ...made, calls, choose, order, shown, out, request, ended }
}

test('an export is planned without writing, run, recorded, and planned again as unchanged', async () => {
  const { calls, order, request, ended, out, galley, shown } = await setUp()
  const ordered = await order()
  const planned = await ended(await calls.startExportPlan(ordered))
  expect(planned).toMatchObject({
    kind: 'done',
    result: {
      changed: [],
      removed: [],
      pages: [{ change: 'added' }, { change: 'added' }],
      references: { broken: 1, list: [{ ref: '/gone', reason: { code: 'root_relative' } }] },
    },
  })
  expect(await readdir(out)).toEqual([])

  const done = await ended(await calls.startExport(ordered))
  expect(done).toMatchObject({ kind: 'done', result: { counts: { changed: 0, removed: 0, unchanged: 0 } } })
  const manifest = await readFile(join(request.target.path, 'galley-bundle.json'), 'utf8')
  expect(manifest).toContain('post-2-a')
  const { total, rows } = await calls.listExports({ site: 'acme', offset: 0, limit: 10 })
  expect(total).toBe(1)
  const [row] = rows
  expect(row).toMatchObject({ pages: 2, brokenReferences: 1, target: request.target, request })
  expect(row).not.toHaveProperty('broken')
  expect(await calls.readExport({ exportId: row!.exportId })).toMatchObject({
    ok: true,
    value: {
      row,
      pages: [{ versionId: 'post-1-a' }, { versionId: 'post-2-a' }],
      broken: [{ ref: '/gone', reason: { code: 'root_relative' } }],
    },
  })
  expect(galley.index.versionList.find('acme', 'post-1', 'post-1-a')).toMatchObject({ exported: true })
  await calls.openExportFolder({ exportId: row!.exportId })
  expect(shown).toEqual([request.target.path])

  await rename(request.target.path, join(out, 'moved'))
  expect(await calls.openExportFolder({ exportId: row!.exportId })).toMatchObject({
    failure: { code: 'target_gone', path: request.target.path },
  })
  expect(shown).toHaveLength(1)
  await rename(join(out, 'moved'), request.target.path)

  expect(
    await calls.startExportPlan({ ...ordered, site: 'another', target: { again: row!.exportId } }),
    'the place of another site',
  ).toMatchObject({ failure: { code: 'unknown_export' } })
  const again = { ...ordered, target: { again: row!.exportId } }
  expect(await ended(await calls.startExportPlan(again))).toMatchObject({
    kind: 'done',
    result: { added: [], pages: [{ change: 'unchanged' }, { change: 'unchanged' }] },
  })
  // The page that stays no longer leads to the one that goes.
  expect(await ended(await calls.startExportPlan({ ...again, materials: ['post-2'] }))).toMatchObject({
    kind: 'done',
    result: { added: [], pages: [{ change: 'changed' }], counts: { removed: 2 } },
  })
})

test('an export is written into a ZIP; paths that were not chosen and deleted materials are refused', async () => {
  const { calls, order, choose, request, ended, out } = await setUp()
  const path = join(out, 'site.zip')
  for (const target of [
    { kind: 'zip', chosen: path },
    { kind: 'zip', chosen: '' },
    await choose('folder', out).then((folder) => ({ ...folder, kind: 'zip' as const })),
  ] as const) {
    expect(await calls.startExport({ ...request, target })).toMatchObject({ failure: { code: 'path_not_chosen' } })
  }
  expect(await calls.startExport({ ...request, target: { again: path } })).toMatchObject({
    failure: { code: 'unknown_export' },
  })
  const ordered = await order({ kind: 'zip', path })
  expect(await calls.startExport({ ...ordered, site: 'another' })).toMatchObject({
    failure: { code: 'path_not_chosen' },
  })
  expect(await readdir(out)).toEqual([])
  expect(await ended(await calls.startExport(ordered))).toMatchObject({ kind: 'done' })
  expect((await readFile(path)).subarray(0, 2).toString()).toBe('PK')
  expect(await calls.startExport({ ...ordered, materials: ['gone'] })).toMatchObject({
    failure: { code: 'unknown_material', materialId: 'gone' },
  })
  // The plan of an export that its references block names them; the export itself is not written.
  expect(await ended(await calls.startExportPlan({ ...ordered, check: 'block' }))).toMatchObject({
    kind: 'done',
    result: { references: { broken: 1 } },
  })
  const blocked = await ended(await calls.startExport({ ...ordered, check: 'block' }))
  expect(blocked).toMatchObject({ kind: 'failed', problem: { code: 'broken_links', count: 1 } })
})

test('a cancelled export does not block the main thread and ends as cancelled', async () => {
  const { calls, order, galley } = await setUp()
  const started = await calls.startExport(await order())
  const task = started.ok ? started.value.task : ''
  galley.tasks.cancel(task)
  await galley.tasks.ended(task)
  expect(galley.tasks.find(task)?.end).toEqual({ kind: 'cancelled' })
  expect(await calls.listExports({ site: 'acme', offset: 0, limit: 1 })).toEqual({ total: 0, rows: [] })
})

test('a long history is counted completely and read by pages; the destinations that were chosen here last can be used again', async () => {
  const { calls, galley, request, ended } = await setUp()
  const counts = { files: 1, bytes: 1, added: 1, changed: 0, removed: 0, unchanged: 0 }
  for (let nth = 1; nth <= 501; nth += 1) {
    exportsMadeHere(galley.index.settings).add(`export-${nth}`)
    galley.index.exports.add({
      id: `export-${nth}`,
      site: 'acme',
      at: galley.now().toISOString(),
      request: { ...request, target: { kind: 'folder', path: `/somewhere/${nth}` } },
      counts,
      references: { checked: 0, broken: 0, list: [] },
      leftOut: { count: 0, list: [] },
      sha256: 'a'.repeat(64),
      pages: [],
    })
  }
  const { total, rows } = await calls.listExports({ site: 'acme', offset: 499, limit: 100 })
  expect([total, ...rows.map(({ exportId }) => exportId)]).toEqual([501, 'export-2', 'export-1'])
  const again = await ended(await calls.startExportPlan({ ...request, target: { again: 'export-2' } }))
  expect(again).toMatchObject({ kind: 'done' })
  // Another member's, or one that is long ago: its path may mean another folder here.
  expect(await calls.startExportPlan({ ...request, target: { again: 'export-1' } })).toMatchObject({
    failure: { code: 'path_not_chosen' },
  })
})

test('the target of an export from a backup is not used until a person chooses it here', async () => {
  const { calls, order, galley, out, ended, request } = await setUp()
  await ended(await calls.startExport(await order()))
  const [row] = (await calls.listExports({ site: 'acme', offset: 0, limit: 1 })).rows
  const run = { signal: new AbortController().signal, onProgress: () => undefined }
  const file = join(out, 'library.galley-backup')
  expect(await galley.care.backUp({ file }, run)).toMatchObject({ ok: true })
  const folder = join(out, 'restored')
  expect(await restore({ file, folder, now: () => new Date() }, run)).toMatchObject({ ok: true })

  const restored = await openGalley({ folder })
  onTestFinished(restored.close)
  const { calls: there, shown, chosen } = testWindow(restored)
  const { rows } = await there.listExports({ site: 'acme', offset: 0, limit: 1 })
  expect(rows).toMatchObject([{ exportId: row!.exportId, target: request.target }])
  const again = { ...request, target: { again: row!.exportId } }
  const refused = { failure: { code: 'path_not_chosen' } }
  expect(await there.startExportPlan(again)).toMatchObject(refused)
  expect(await there.startExport(again)).toMatchObject(refused)
  expect(await there.openExportFolder({ exportId: row!.exportId })).toMatchObject(refused)
  expect(shown).toEqual([])

  chosen.push(join(out, 'mine'))
  const token = (await there.chooseExportTarget({ site: 'acme', kind: 'folder' }))!.token
  const started = await there.startExport({ ...request, target: { kind: 'folder', chosen: token } })
  if (!started.ok) throw new Error('It was not started')
  await restored.tasks.ended(started.value.task)
  const [mine] = (await there.listExports({ site: 'acme', offset: 0, limit: 1 })).rows
  expect(await there.startExportPlan({ ...request, target: { again: mine!.exportId } })).toMatchObject({ ok: true })
  await there.openExportFolder({ exportId: mine!.exportId })
  expect(shown).toEqual([join(out, 'mine')])
})
