import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'

import { temporaryFolder } from '../../../support/test-galley.ts'
import { setUp } from './site-fixture.ts'

it('keeps no backups in the folder of a library', async () => {
  const { galley, calls, chosen } = await setUp()
  const inside = join(galley.folder, 'mine')
  await mkdir(inside)
  const outside = await temporaryFolder()
  chosen.push(inside, outside)
  expect(await calls.chooseBackupFolder(undefined)).toMatchObject({
    ok: false,
    failure: { code: 'not_ours', state: 'in_library' },
  })
  expect(await calls.readSettings(undefined)).toMatchObject({ backups: { folder: null } })
  expect(await calls.chooseBackupFolder(undefined)).toMatchObject({ ok: true, value: { backups: { folder: outside } } })
})
