import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { createSleepWatch, editedGap } from '../../../../packages/library/care/sleep-watch.ts'
import { syncedBy } from '../../../../packages/library/care/synced-by.ts'
import { siteInputOf } from '../../../../packages/library/records/site-input.ts'
import { createChosenPaths } from '../../../../src/main/ipc/chosen-paths.ts'
import { healthHandlers } from '../../../../src/main/ipc/handlers/health.ts'
import { createQuestions } from '../../../../src/main/ipc/questions.ts'
import { createTexts } from '../../../../src/texts/catalogue.ts'
import { aSave, createTestGalley, temporaryFolder } from '../../../support/test-galley.ts'
import { testDesktop } from '../../../support/test-window.ts'

const runtime = { electron: '45.4.1', chromium: '150.0.1', node: '24.1.0', isDevelopment: false, isUnsupported: false }

async function setUp() {
  const made = await createTestGalley()
  await made.know('post-1')
  for (const versionId of ['v1', 'v2', 'v3']) {
    const save = aSave(made.service, { versionId, versionCdate: `2026-11-0${versionId.charAt(1)}T10:00:00Z` })
    await made.post(save.body, save.headers)
  }
  const { desktop, chosen, shown, asked, agreed } = testDesktop()
  const words = () => createTexts('en').getFixedT('en', 'system')
  const remembered: string[] = []
  let cares = 0
  const calls = healthHandlers(made.galley, {
    desktop,
    chosen: createChosenPaths(),
    runtime,
    startListener: () => made.galley.listener.start('127.0.0.1', 0),
    words,
    questions: createQuestions(desktop.ask, words, made.galley.confirmations),
    confirmErase: () => Promise.resolve(chosen.shift() !== null),
    rememberLibrary: (folder) => Promise.resolve({ isOverruled: remembered.push(folder) > 1 }),
    careEnded: () => void (cares += 1),
  })
  const ended = async (started: { ok: boolean; value?: { task: string } | null }) => {
    const task = started.value?.task ?? ''
    await made.galley.tasks.ended(task)
    return made.galley.tasks.find(task)?.end
  }
  return { ...made, calls, chosen, shown, asked, agreed, remembered, ended, cares: () => cares }
}

test('health is read, and the listener is paused and started again', async () => {
  const { calls } = await setUp()
  expect(await calls.readHealth(undefined)).toMatchObject({
    runtime,
    listener: { kind: 'listening' },
    keychain: 'usable',
    library: { materials: 1, versions: 3, callbacks: 3, syncedBy: null },
    lastCheck: null,
    lastBackup: null,
    sleepGaps: [],
  })
  expect(await calls.stopListener(undefined)).toEqual({ kind: 'stopped' })
  expect(await calls.restartListener(undefined)).toMatchObject({ kind: 'listening' })
})

test('check, backup, restore, prune and collect run as tasks and are recorded', async () => {
  const { calls, chosen, asked, agreed, ended, galley } = await setUp()
  expect(await ended(await calls.startLibraryCheck({ isRepair: false }))).toMatchObject({
    kind: 'done',
    result: { ok: true, findings: [] },
  })
  const out = await temporaryFolder()
  chosen.push(join(out, 'a.galley-backup'))
  const backup = await ended(await calls.startBackup({ ask: true }))
  expect(backup).toMatchObject({ kind: 'done', result: { versions: 3, missing: [], damaged: [] } })
  expect(await calls.readHealth(undefined)).toMatchObject({
    lastCheck: { ok: true, problems: 0 },
    lastBackup: { file: join(out, 'a.galley-backup'), versions: 3 },
  })
  const restore = async (folder: string) => {
    chosen.push(join(out, 'a.galley-backup'), folder)
    const [backup, place] = [await calls.chooseBackup(undefined), await calls.chooseRestoreFolder(undefined)]
    const request = { backup: backup?.token ?? '', folder: place?.token ?? '' }
    expect(
      await calls.startRestore({ backup: request.folder, folder: request.backup }),
      'tokens of another purpose',
    ).toMatchObject({ failure: { code: 'path_not_chosen' } })
    return ended(await calls.startRestore(request))
  }
  expect(await restore(join(out, 'restored'))).toMatchObject({ kind: 'done', result: { versions: 3 } })
  expect(await restore(out)).toMatchObject({
    kind: 'failed',
    problem: { code: 'folder_not_empty' },
  })

  const retention = { keepVersions: 1, keepDays: null }
  galley.index.fields.set('version', 'acme', [{ materialId: 'post-1', versionId: 'v1' }], { pinned: true })
  const request = { site: null, retention }
  expect(await ended(await calls.startPrune({ ...request, isDryRun: true }))).toMatchObject({
    result: { versions: 1, list: [{ versionId: 'v2' }], protected: { pinned: 1 } },
  })
  expect(galley.index.versionList.query('acme', 'post-1', 0, 10).total).toBe(3)
  // The window asks for nothing that a person has not agreed to, by the rule that main tells.
  expect(await calls.startPrune({ ...request, isDryRun: false })).toEqual({ ok: true, value: null })
  expect(asked[0]?.message).toBe('Delete old versions?')
  agreed.push(true)
  expect(await ended(await calls.startPrune({ ...request, isDryRun: false }))).toMatchObject({
    result: { versions: 1 },
  })
  expect(galley.index.versionList.query('acme', 'post-1', 0, 10).rows.map(({ versionId }) => versionId)).toEqual([
    'v3',
    'v1',
  ])
  expect(await ended(await calls.startCollect({ isDryRun: true }))).toMatchObject({ result: { isDryRun: true } })
})

test('a restored library can be opened at the next start', async () => {
  const { calls, chosen, ended, remembered, shown } = await setUp()
  expect(await calls.openRestoredLibrary(undefined)).toMatchObject({ failure: { code: 'unknown_task' } })
  const out = await temporaryFolder()
  const [backup, restored] = [join(out, 'a.galley-backup'), join(out, 'restored')]
  chosen.push(backup, backup, restored)
  await ended(await calls.startBackup({ ask: true }))
  const [file, folder] = [await calls.chooseBackup(undefined), await calls.chooseRestoreFolder(undefined)]
  await ended(await calls.startRestore({ backup: file?.token ?? '', folder: folder?.token ?? '' }))
  expect(await calls.openRestoredLibrary(undefined)).toEqual({ ok: true, value: null })
  expect([remembered, shown]).toEqual([[restored], ['relaunch']])
})

test('lists are notified of pruned versions, but not of a dry run', async () => {
  const { calls, agreed, cares, ended } = await setUp()
  agreed.push(true)
  const request = { site: null, retention: { keepVersions: 1, keepDays: null } }
  await ended(await calls.startPrune({ ...request, isDryRun: true }))
  expect(cares()).toBe(0)
  await ended(await calls.startPrune({ ...request, isDryRun: false }))
  expect(cares()).toBe(1)
})

test('health reports what is blocked and how often backups are made', async () => {
  const { calls, galley } = await setUp()
  const since = '2026-11-20T10:00:00.000Z'
  galley.index.rules.pause('acme', { reason: 'a frozen page', since })
  galley.index.rules.pause(null, { reason: '', since })
  expect(await calls.readHealth(undefined)).toMatchObject({
    pauses: [
      { site: null, reason: '', since },
      { site: { id: 'acme', name: 'Acme' }, reason: 'a frozen page', since },
    ],
    backupEveryDays: 1,
  })
  galley.index.rules.pause(null, null)
  galley.index.rules.pause('acme', null)
  galley.settings.change({ backups: { folder: '/somewhere', everyDays: 7 } })
  expect(await calls.readHealth(undefined)).toMatchObject({ pauses: [], backupEveryDays: 7 })
})

test('problems of every site are counted and named, whichever the window shows', async () => {
  const { calls, galley, listener, post, service } = await setUp()
  const acme = galley.index.sites.find('acme')
  if (acme === null) throw new Error('The test site is missing')
  expect(await calls.openProblems(undefined)).toEqual({ count: 0, urgency: null, sites: [] })

  const bay = { ...siteInputOf(acme), id: 'bay', name: 'Bay', callbackUrl: `${listener}/callback/bay` }
  await galley.sites.save({ ...bay, unknownMaterials: 'accept' }, service.secret, { allowHttp: true })
  const save = aSave(service, { archive: Buffer.from('no archive') })
  expect((await post(save.body, save.headers, '/callback/bay')).json).toMatchObject({ rc: 0, code: 'invalid_archive' })
  await galley.sites.save({ ...siteInputOf(acme), id: 'cove', name: 'Cove' }, null, { allowHttp: true })
  galley.confirmations.forget(acme.id)
  expect(await calls.openProblems(undefined)).toEqual({ count: 3, urgency: 'danger', sites: ['acme', 'bay', 'cove'] })
  expect((await calls.readHealth(undefined)).sitesWithProblems).toEqual([
    { id: 'acme', name: 'Acme', problems: [{ kind: 'unconfirmed' }] },
    { id: 'bay', name: 'Bay', problems: [{ kind: 'failed_saves', count: 1, isStorageAtFault: false }] },
    { id: 'cove', name: 'Cove', problems: [{ kind: 'secret', secret: 'missing' }] },
  ])

  galley.index.failedSaves.markSeen('bay')
  expect(await calls.openProblems(undefined)).toMatchObject({ count: 3, sites: ['acme', 'bay', 'cove'] })
  const failed = galley.index.failedSaves.of('bay').newest
  galley.index.failedSaves.dismiss(failed?.id ?? '', '2026-11-20T00:00:00Z')
  expect(await calls.openProblems(undefined)).toEqual({ count: 2, urgency: 'warning', sites: ['acme', 'cove'] })
})

test('times asleep are listed until they are dismissed', async () => {
  const { calls, galley } = await setUp()
  const gap = { kind: 'asleep', from: '2026-11-20T10:00:00.000Z', to: '2026-11-20T12:00:00.000Z', pages: [] }
  galley.index.settings.put('sleep-gaps', JSON.stringify([gap]))
  expect(await calls.readHealth(undefined)).toMatchObject({ sleepGaps: [gap] })
  await calls.forgetSleepGaps(undefined)
  expect(await calls.readHealth(undefined)).toMatchObject({ sleepGaps: [] })
})

test('another folder becomes the library, unless it contains other files', async () => {
  const { calls, chosen, remembered, folder } = await setUp()
  const empty = await temporaryFolder()
  const withoutIndex = await temporaryFolder()
  await writeFile(join(withoutIndex, 'library.json'), '{}')
  chosen.push(join(empty, 'gone'), empty, folder, join(folder, 'files'), null, withoutIndex)
  expect(await calls.chooseLibraryFolder(undefined)).toMatchObject({ failure: { code: 'folder_unusable' } })
  expect(await calls.chooseLibraryFolder(undefined)).toEqual({ ok: true, value: { folder: empty, isOverruled: false } })
  expect(await calls.chooseLibraryFolder(undefined)).toEqual({ ok: true, value: { folder, isOverruled: true } })
  expect(await calls.chooseLibraryFolder(undefined)).toMatchObject({ failure: { code: 'folder_not_empty' } })
  expect(await calls.chooseLibraryFolder(undefined)).toEqual({ ok: true, value: null })
  expect(await calls.chooseLibraryFolder(undefined)).toMatchObject({ ok: true, value: { folder: withoutIndex } })
  expect(remembered).toEqual([empty, folder, withoutIndex])
})

test('the library folder is shown while it exists at its path, and reported when it does not', async () => {
  const { calls, folder, shown } = await setUp()
  expect(await calls.openLibraryFolder(undefined)).toEqual({ ok: true, value: null })
  await rename(folder, `${folder}-elsewhere`)
  expect(await calls.openLibraryFolder(undefined)).toMatchObject({
    failure: { code: 'library_folder_gone', path: folder },
  })
  expect(shown).toEqual([folder])
  await rename(`${folder}-elsewhere`, folder)
})

test('time when Galley did not run is a gap; a busy minute is not', async () => {
  const { galley } = await setUp()
  let nowMs = Date.parse('2026-11-21T10:00:00Z')
  const watch = createSleepWatch(
    galley.index,
    () => nowMs,
    () => undefined,
  )
  nowMs += 40_000
  watch.tick()
  expect(watch.read()).toEqual([])
  nowMs += 3_600_000
  watch.tick()
  expect(watch.read()).toEqual([
    { kind: 'asleep', from: '2026-11-21T10:00:40.000Z', to: '2026-11-21T11:00:40.000Z', pages: [] },
  ])
})

test('time when Galley was closed is reported at the start, with the pages that were being edited', async () => {
  const { galley } = await setUp()
  const { index, sessions } = galley
  const opened = await sessions.open({
    site: 'acme',
    materialId: 'post-1',
    title: 'Harbour',
    slug: null,
    metadata: null,
  })
  expect(opened.ok).toBe(true)
  const hour = 3_600_000
  const begin = Date.now() + hour
  /** The gaps that are known after Galley was open until one time, and starts at another. */
  const gapsAfter = (until: number, start: number) => {
    index.settings.put('listening-until', String(until))
    const watch = createSleepWatch(
      index,
      () => start,
      () => undefined,
    )
    watch.start()
    watch.stop()
    expect(index.settings.get('listening-until')).toBe(String(start))
    return watch.read()
  }
  expect(gapsAfter(begin, begin + 60_000), 'a restart').toEqual([])
  const times = { from: new Date(begin).toISOString(), to: new Date(begin + 2 * hour).toISOString() }
  const gap = { kind: 'closed', ...times, pages: [{ site: 'acme', title: 'Harbour' }] }
  expect(gapsAfter(begin, begin + 2 * hour)).toEqual([gap])
  expect(editedGap(index.settings, 'acme', begin + 3 * hour)).toEqual(gap)
  expect(editedGap(index.settings, 'other', begin + 3 * hour)).toBeNull()

  const day = 24 * hour
  const [unnamed] = gapsAfter(begin + 3 * day, begin + 4 * day).slice(1)
  expect(unnamed, 'nobody opened a page in the day before').toMatchObject({ kind: 'closed', pages: [] })
  expect(gapsAfter(begin + 20 * day, begin + 21 * day), 'no session was live').toHaveLength(2)
})

test.each([
  ['/home/ida/Dropbox/galley', 'Dropbox'],
  ['/home/ida/OneDrive - Work/x', 'OneDrive'],
  ['/Users/ida/Library/Mobile Documents/x', 'iCloud Drive'],
  ['/home/ida/dropboxes/galley', null],
])('a library in %s is synchronised by %s', (folder, program) => expect(syncedBy(folder)).toBe(program))
