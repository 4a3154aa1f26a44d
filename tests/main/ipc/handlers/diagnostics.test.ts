import { chmod, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'

import { openLogFile } from '../../../../packages/platform/logging/log-file.ts'
import { createTestGalley } from '../../../support/test-galley.ts'
import { testWindow } from '../../../support/test-window.ts'

async function opened() {
  const { galley } = await createTestGalley()
  return galley
}

const shownLog = { ok: true, value: null }

it('shows where the log will be in a library without faults, and the log after the first one', async () => {
  const galley = await opened()
  const { calls, shown } = testWindow(galley)
  expect(await calls.openLogFolder(undefined)).toEqual(shownLog)
  const logs = join(galley.folder, 'logs')
  expect(shown).toEqual([logs])
  expect(await readdir(logs)).toEqual([])

  await calls.reportFault({ caughtBy: 'pane', position: 'TypeError at list (materials.tsx:12)' })
  expect(await calls.openLogFolder(undefined)).toEqual(shownLog)
  expect(shown).toEqual([logs, join(logs, 'app.log')])
})

it.skipIf(process.getuid?.() === 0)('shows the folder of a read-only library', async () => {
  const galley = await opened()
  const { calls, shown } = testWindow(galley)
  await chmod(galley.folder, 0o500)
  expect(await calls.openLogFolder(undefined)).toEqual(shownLog)
  expect(shown).toEqual([galley.folder])
  await chmod(galley.folder, 0o700)
})

it('says that the library folder was moved only when it was', async () => {
  const galley = await opened()
  const gone = `${galley.folder}-of-yesterday`
  await rename(galley.folder, gone)
  const { calls } = testWindow(galley, { log: openLogFile(galley.folder, 'app', (line) => line) })
  expect(await calls.openLogFolder(undefined)).toMatchObject({
    ok: false,
    failure: { code: 'library_folder_gone', path: galley.folder },
  })
  await rename(gone, galley.folder)
})
