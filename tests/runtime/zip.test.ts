import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import AdmZip from 'adm-zip'
import { expect, test } from 'vitest'

import { extractZip } from '../../scripts/runtime/zip.ts'
import { temporaryFolder } from './temporary-folder.ts'

test('selected entries are written to their paths, with their permissions; the others are skipped', async () => {
  const folder = temporaryFolder()
  const zip = new AdmZip()
  zip.addFile('app/', Buffer.alloc(0))
  zip.addFile('app/run', Buffer.from('program'), '', 0o755)
  zip.addFile('app/deep/data', Buffer.from('data'), '', 0o644)
  zip.addFile('app/unwanted', Buffer.from('no'))
  const file = join(folder, 'a.zip')
  zip.writeZip(file)

  const into = join(folder, 'into')
  await extractZip(file, (entry) =>
    entry === 'app/unwanted' ? null : join(into, entry.replace('app/run', 'app/renamed')),
  )

  expect(readFileSync(join(into, 'app/renamed'), 'utf8')).toBe('program')
  expect(readFileSync(join(into, 'app/deep/data'), 'utf8')).toBe('data')
  expect(existsSync(join(into, 'app/unwanted'))).toBe(false)
  if (process.platform !== 'win32') expect(statSync(join(into, 'app/renamed')).mode & 0o777).toBe(0o755)
})
