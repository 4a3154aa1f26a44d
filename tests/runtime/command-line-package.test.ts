import { mkdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { packCommandLine } from '../../scripts/package/command-line.ts'
import { capture } from '../../scripts/runtime/processes.ts'
import { projectRoot } from '../../scripts/runtime/project.ts'
import { temporaryFolder } from '../support/test-galley.ts'

test('the command line runs from its package, with two native packages and no install script', async () => {
  const folder = await temporaryFolder()
  const [file = ''] = await packCommandLine(join(folder, 'staged'), { out: folder, madeAt: 1_790_000_000 })
  await capture('tar', ['-xzf', file, '-C', folder])
  const unpacked = join(folder, 'package')
  const { dependencies, scripts } = JSON.parse(await readFile(join(unpacked, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>
    readonly scripts?: object
  }
  expect(scripts).toBeUndefined()
  expect(Object.keys(dependencies)).toEqual(['@napi-rs/keyring', 'better-sqlite3'])
  await mkdir(join(unpacked, 'node_modules', '@napi-rs'), { recursive: true })
  for (const name of Object.keys(dependencies))
    await symlink(join(projectRoot, 'node_modules', name), join(unpacked, 'node_modules', name))

  const galley = (...words: readonly string[]) => capture(process.execPath, [join(unpacked, 'galley.js'), ...words])
  const library = ['--library', join(folder, 'library')]
  expect(await galley('--version')).toEqual({ code: 0, stdout: '0.1.0\n', stderr: '' })
  expect(await galley('site', 'list', '--json', ...library)).toEqual({ code: 0, stdout: '[]\n', stderr: '' })
  const unknown = await galley('target', 'list', 'acme', '--json', ...library)
  expect(JSON.parse(unknown.stdout)).toMatchObject({ error: { code: 'unknown_site' } })
})
