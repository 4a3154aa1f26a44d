import { readFile, rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

import { describeLibrary } from '../../../../packages/library/care/opening.ts'
import { takeOwnership } from '../../../../packages/library/db/owner.ts'
import { openGalley } from '../../../support/open-galley.ts'
import { aSave, createTestGalley } from '../../../support/test-galley.ts'
import { testWindow } from '../../../support/test-window.ts'

/** A library with three saves, closed; `open` opens it as the app does. */
async function aClosedLibrary() {
  const made = await createTestGalley()
  await made.know('post-1')
  for (const versionId of ['v1', 'v2', 'v3']) {
    const save = aSave(made.service, { versionId, versionCdate: `2026-11-0${versionId.charAt(1)}T10:00:00Z` })
    await made.post(save.body, save.headers)
  }
  await made.close()
  const { folder, service } = made
  const secrets = { environment: { GALLEY_SECRET_ACME: service.secret } }
  const open = async () => {
    const galley = await openGalley({ folder, secrets, log: () => undefined })
    let closing: Promise<void> | null = null
    const close = () => (closing ??= galley.close())
    onTestFinished(close)
    return { ...testWindow(galley), galley, close }
  }
  return { folder, open }
}

/** The same, without the last entry of its log. */
async function aCutLibrary() {
  const library = await aClosedLibrary()
  const log = join(library.folder, 'log', '00000000000000000001.jsonl')
  const bytes = await readFile(log)
  await truncate(log, bytes.lastIndexOf(0x0a, bytes.length - 2) + 1)
  return library
}

const versionsOf = async ({ calls }: Awaited<ReturnType<Awaited<ReturnType<typeof aClosedLibrary>>['open']>>) =>
  (await calls.readHealth(undefined)).library.versions

test('an intact library needs no attention', async () => {
  const { open } = await aClosedLibrary()
  const { calls } = await open()
  const whole = { state: 'whole', isLogShort: false, facts: [], isRebuildRequested: false }
  expect(await calls.readHealth(undefined)).toMatchObject({ opening: whole })
  expect((await calls.openProblems(undefined)).urgency).toBeNull()
})

test('an index that is ahead of its log is kept with a new log, after a person agrees', async () => {
  const { open } = await aCutLibrary()
  const cut = await open()
  expect(await cut.calls.readHealth(undefined)).toMatchObject({
    opening: { state: 'log_mismatch', isLogShort: true, facts: [] },
  })
  expect((await cut.calls.openProblems(undefined)).urgency).toBe('danger')

  expect(await cut.calls.rebuildIndex({ from: 'index' })).toEqual({ ok: true, value: null })
  expect([cut.asked[0]?.message, cut.shown]).toEqual(['Keep the index and write a new log?', []])
  expect(cut.galley.library.isRebuildRequested()).toBe(false)

  cut.agreed.push(true)
  await cut.calls.rebuildIndex({ from: 'index' })
  expect(cut.shown).toEqual(['relaunch'])
  expect(await cut.calls.readHealth(undefined)).toMatchObject({ opening: { isRebuildRequested: true } })
  await cut.close()

  const again = await open()
  expect(await again.calls.readHealth(undefined)).toMatchObject({
    opening: { state: 'whole', facts: [{ kind: 'rebuilt', cause: 'new_log', versions: 3, lostEntries: 0 }] },
  })
  expect((await again.calls.openProblems(undefined)).urgency).toBeNull()
  expect(await versionsOf(again)).toBe(3)
  await again.close()
  expect((await (await open()).calls.readHealth(undefined)).opening.facts).toEqual([])
})

test('the log is kept instead: what only the index had is reported as lost', async () => {
  const { open } = await aCutLibrary()
  const cut = await open()
  cut.agreed.push(true)
  await cut.calls.rebuildIndex({ from: 'log' })
  expect(cut.asked[0]?.message).toBe('Keep the log and rebuild the index?')
  await cut.close()

  const again = await open()
  expect(await again.calls.readHealth(undefined)).toMatchObject({
    opening: { state: 'whole', facts: [{ kind: 'rebuilt', cause: 'asked', versions: 2, lostEntries: 1 }] },
  })
  expect((await again.calls.openProblems(undefined)).urgency).toBe('warning')
})

test('no question is asked while another process receives saves for the library', async () => {
  const { open, folder } = await aCutLibrary()
  const { calls, asked, galley } = await open()
  const ownership = takeOwnership(folder, process.pid + 1)
  expect(await calls.rebuildIndex({ from: 'log' })).toMatchObject({ failure: { code: 'served_elsewhere' } })
  ownership?.release()
  expect([asked, galley.library.isRebuildRequested()]).toEqual([[], false])
})

test('lost settings and an index that waits for a restart need attention', async () => {
  const { open, folder } = await aClosedLibrary()
  for (const end of ['', '-wal', '-shm']) await rm(join(folder, `local.db${end}`), { force: true })
  const { calls, close } = await open()
  expect(await calls.readHealth(undefined)).toMatchObject({ opening: { facts: [{ kind: 'local_lost' }] } })
  expect((await calls.openProblems(undefined)).urgency).toBe('warning')
  await close()

  const waiting = await open()
  // With the settings, the confirmation of the site's addresses was lost.
  expect(await waiting.calls.openProblems(undefined)).toMatchObject({ count: 1, sites: ['acme'] })
  waiting.galley.library.requestRebuild()
  expect(await waiting.calls.openProblems(undefined)).toMatchObject({ count: 2, urgency: 'warning' })
})

test('an entry that only does not name its predecessor is not reported as lost', async () => {
  const { open } = await aClosedLibrary()
  const { galley } = await open()
  const noteOf = (kind: 'unlinked' | 'damaged') =>
    ({ kind: 'unapplied', what: { kind, position: 2, count: 3, segment: 1, offset: 0 } }) as const
  const library = { ...galley.library, notes: [noteOf('unlinked'), noteOf('damaged')] }
  expect(describeLibrary(library).facts).toEqual([{ kind: 'unapplied', entries: 3 }])
})
