import { mkdir, readdir, readFile, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

import { packCommandLine } from '../../scripts/package/command-line.ts'
import { capture } from '../../scripts/runtime/processes.ts'
import { projectRoot } from '../../scripts/runtime/project.ts'
import { hasSshd, startSftp } from '../support/sftp-server.ts'
import { temporaryFolder } from '../support/test-galley.ts'

/** The Node of the tests, and others that `GALLEY_NODES` names, such as one of Node 22. */
const nodes = [process.execPath, ...(process.env['GALLEY_NODES']?.split(':') ?? [])]
/** What an installation has beside better-sqlite3 and what that depends on. */
const keyring = ['@napi-rs/keyring', '@napi-rs/keyring-linux-x64-gnu']

async function aPackage() {
  const folder = await temporaryFolder()
  const [file = ''] = await packCommandLine(join(folder, 'staged'), { out: folder, madeAt: 1_790_000_000 })
  await capture('tar', ['-xzf', file, '-C', folder])
  return { file, unpacked: join(folder, 'package') }
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((each) => each.isFile())
  const sizes = await Promise.all(files.map(async (each) => (await stat(join(each.parentPath, each.name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

test('the command line is a small package, with two native packages and no install script', async () => {
  const { file, unpacked } = await aPackage()
  const { dependencies, scripts } = JSON.parse(await readFile(join(unpacked, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>
    readonly scripts?: object
  }
  expect(scripts).toBeUndefined()
  expect(Object.keys(dependencies)).toEqual(['@napi-rs/keyring', 'better-sqlite3'])
  const natives = await Promise.all(keyring.map((name) => sizeOf(join(projectRoot, 'node_modules', name))))
  expect((await stat(file)).size).toBeLessThan(2_500_000)
  expect(natives.reduce((sum, size) => sum + size, await sizeOf(unpacked))).toBeLessThan(12_000_000)
})

test.for(nodes)('its package saves, exports and publishes over SFTP on %s', async (node) => {
  const folder = await temporaryFolder()
  const { unpacked } = await aPackage()
  await mkdir(join(unpacked, 'node_modules', '@napi-rs'), { recursive: true })
  for (const name of ['@napi-rs/keyring', 'better-sqlite3'])
    await symlink(join(projectRoot, 'node_modules', name), join(unpacked, 'node_modules', name))
  const server = hasSshd ? await startSftp(folder) : null
  if (server) onTestFinished(server.kill)
  const env = { ...process.env, GALLEY_SECRETS: 'env', GALLEY_TARGET_DEMO_WEB: server?.key }
  const galley = (...words: readonly string[]) =>
    capture(node, [join(unpacked, 'galley.js'), ...words, '--json', '--library', join(folder, 'library')], { env })
  expect(await galley('site', 'list')).toEqual({ code: 0, stdout: '[]\n', stderr: '' })
  // Emulator, listener, two saves, fonts, a blocked save and an export.
  const demo = await galley('demo', '--export', join(folder, 'export'))
  expect(demo.code, demo.stderr).toBe(0)
  expect(JSON.parse(demo.stdout)).toMatchObject({ site: 'demo', export: { links: { broken: [] } } })
  if (server === null) return
  const added = await galley('target', 'add', 'demo', 'web', server.place(join(folder, 'web')))
  expect(added.code, added.stderr).toBe(0)
  const published = await galley('publish', 'demo', '--target', 'web')
  expect(published.code, published.stderr).toBe(0)
  expect(await readFile(join(folder, 'web', 'index.html'), 'utf8')).toContain('<!doctype html>')
})
