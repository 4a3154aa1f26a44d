import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

import { nodeProblem } from '../../packages/cli/node-version.ts'
import { cliFile } from '../../scripts/runtime/built.ts'
import { projectRoot } from '../../scripts/runtime/project.ts'
import { temporaryFolder } from '../support/test-galley.ts'

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const ran = (file: string, ...args: string[]): Promise<Ended> =>
  promisify(execFile)(file, args, { env: { PATH: '' } }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: unknown) => error as Ended,
  )

/** A Node of the system whose Node-API is too old for the addon of SQLite. */
const oldNode = async (): Promise<string | null> => {
  for (const file of ['/usr/bin/node', '/usr/local/bin/node']) {
    if (!existsSync(file)) continue
    const { code, stdout } = await ran(file, '-p', 'process.versions.napi')
    if (code === 0 && Number(stdout) < 10) return file
  }
  return null
}

const tooOld = await oldNode()

test('names a Node whose Node-API is too old, and the one to use', () => {
  const paths = { running: '/usr/bin/node', installed: '/opt/galley/node_modules/node/bin/node' }
  expect(nodeProblem('20.20.2', paths)).toBe(
    'Galley cannot run on Node 20.20.2 (/usr/bin/node). Use Node 24, or 22.15 or later of Node 22, for example /opt/galley/node_modules/node/bin/node.',
  )
  expect(nodeProblem('18.20.4', { ...paths, installed: null })).toMatch(/of Node 22\.$/)
  // The first one with the certificates of the system.
  expect(nodeProblem('22.14.0', paths)).toContain('22.15')
  for (const node of ['22.15.0', '22.21.1', '24.0.0', '26.1.0', process.versions.node])
    expect(nodeProblem(node, paths)).toBeNull()
})

test.skipIf(tooOld === null)(
  'a Node that is too old ends with a sentence and exit code 2, before anything is loaded',
  async () => {
    const library = join(await temporaryFolder(), 'library')
    const { code, stdout, stderr } = await ran(tooOld ?? '', cliFile, 'listen', '--log', 'json', '--library', library)
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^galley: Galley cannot run on Node .* Use Node 24.*node_modules.*\n$/) as string,
    })
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'node_too_old' } })
    expect(existsSync(library)).toBe(false)
  },
)

test('an addon that this Node cannot load is named', async () => {
  const folder = await temporaryFolder()
  const modules = join(projectRoot, 'node_modules')
  const sqlite = 'better-sqlite3'
  await cp(dirname(cliFile), join(folder, 'out', 'main'), { recursive: true })
  await mkdir(join(folder, 'node_modules'))
  for (const name of await readdir(modules))
    if (name !== sqlite) await symlink(join(modules, name), join(folder, 'node_modules', name))
  for (const part of ['package.json', 'lib'])
    await cp(join(modules, sqlite, part), join(folder, 'node_modules', sqlite, part), { recursive: true })
  const { platform, arch } = process
  const addons = join(folder, 'node_modules', sqlite, 'prebuilds')
  await mkdir(addons)
  await writeFile(join(addons, `${platform}-${arch}.node`), 'built for another system')
  const command = ['site', 'list', '--library', join(folder, 'library'), '--secrets', 'env', '--json']
  const { code, stdout } = await ran(process.execPath, join(folder, 'out', 'main', 'cli.js'), ...command)
  expect([code, JSON.parse(stdout)]).toMatchObject([
    1,
    {
      error: {
        code: 'library_unusable',
        message: expect.stringMatching(/cannot be loaded on this system\. Run npm ci .* computer\.$/) as string,
      },
    },
  ])
})
