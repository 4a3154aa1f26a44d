import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { productionFuses, readFuses, setFuses, testTwinFuses, wrongFuses } from '../../scripts/runtime/fuses.ts'
import { distOf, executableIn, resourcesIn } from '../../scripts/runtime/official-electron.ts'
import { aFolder } from './support/app.ts'

const electron = process.env['GALLEY_TEST_ELECTRON'] ?? ''

/** An app.asar of these files: a pickled JSON header with their places, then their bytes. */
function anAsar(files: Readonly<Record<string, string>>): Buffer {
  let offset = 0
  const places = Object.entries(files).map(([name, text]) => {
    const place = { size: Buffer.byteLength(text), offset: String(offset) }
    offset += place.size
    return [name, place] as const
  })
  const json = Buffer.from(JSON.stringify({ files: Object.fromEntries(places) }))
  const padded = Math.ceil(json.length / 4) * 4
  const head = Buffer.alloc(16 + padded)
  for (const [at, figure] of [4, padded + 8, padded + 4, json.length].entries()) head.writeUInt32LE(figure, at * 4)
  json.copy(head, 16)
  return Buffer.concat([head, ...Object.values(files).map((text) => Buffer.from(text))])
}

const says = (word: string) => ({
  'package.json': '{"name":"said","main":"main.js"}',
  'main.js': `const { app } = require('electron'); console.log('${word}', 'packaged', app.isPackaged); app.exit(0)`,
})

/** An Electron with these fuses, named as in a package: it has no app yet. */
async function anElectron(fuses = productionFuses): Promise<string> {
  const dist = join(await aFolder(), 'dist')
  await cp(distOf(electron), dist, { recursive: true, verbatimSymlinks: true })
  for (const name of ['app', 'default_app.asar'])
    await rm(join(resourcesIn(dist), name), { recursive: true, force: true })
  const executable = executableIn(dist)
  // Electron recognizes a packaged app by this name; on macOS, by the name of the bundle.
  const named = process.platform === 'darwin' ? executable : executable.replace(/electron(\.exe)?$/, 'galley$1')
  await rename(executable, named)
  await setFuses(named, fuses)
  return named
}

/** The output of this executable until it exits. */
async function run(executable: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const child = spawn(executable, [...root, ...args], { env: { ...process.env, ...environment }, timeout: 120_000 })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (said += bytes.toString()))
  await once(child, 'close')
  return said
}

test('an Electron for production has its fuses set, read back from the executable and seen from outside', async () => {
  const folder = await aFolder()
  const executable = await anElectron()
  expect(Object.keys(await readFuses(executable)).length).toBeGreaterThanOrEqual(8)
  expect(await wrongFuses(executable)).toEqual([])

  const resources = resourcesIn(distOf(executable))
  const planted = join(folder, 'planted.cjs')
  await writeFile(planted, `console.log('planted')`)
  // A folder next to app.asar is not loaded, and neither is one on the command line.
  await mkdir(join(resources, 'app'))
  for (const [name, text] of Object.entries(says('folder'))) await writeFile(join(resources, 'app', name), text)
  await writeFile(join(resources, 'app.asar'), anAsar(says('archive')))
  const attempts = [
    await run(executable, [join(resources, 'app')]),
    await run(executable, [], { ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: `--require ${planted}` }),
    await run(executable, ['--inspect=0']),
    await run(executable, ['-e', `console.log('planted')`], { ELECTRON_RUN_AS_NODE: '1' }),
  ]
  for (const said of attempts) {
    expect(said).toContain('archive packaged true')
    expect(said).not.toMatch(/folder|planted|Debugger listening/)
  }
})

test('the copy that tests attach to differs only in the fuse that lets them', async () => {
  const executable = await anElectron(testTwinFuses)
  await writeFile(join(resourcesIn(distOf(executable)), 'app.asar'), anAsar(says('archive')))
  expect(await run(executable, ['--inspect=0'])).toMatch(/Debugger listening[\s\S]*archive packaged true/)
  expect(await wrongFuses(executable)).toEqual(['EnableNodeCliInspectArguments'])
})

test('each fuse that is not as it has to be is named, one at a time', async () => {
  const executable = await anElectron()
  const fuses = await readFuses(executable)
  for (const [name, isOn] of Object.entries(fuses)) {
    await setFuses(executable, { [name]: !isOn })
    expect(await wrongFuses(executable)).toEqual([name])
    await setFuses(executable, { [name]: isOn })
  }
  expect(await wrongFuses(executable)).toEqual([])
  // As Electron is delivered, most are wrong.
  expect((await wrongFuses(electron)).length).toBeGreaterThan(2)
})
