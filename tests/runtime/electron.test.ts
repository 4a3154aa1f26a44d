import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'

import { overrideFrom } from '../../scripts/runtime/electron.ts'
import { distOf, executableIn } from '../../scripts/runtime/official-electron.ts'
import { temporaryFolder } from './temporary-folder.ts'

function distFolder(version?: string): string {
  const dist = temporaryFolder()
  mkdirSync(dirname(executableIn(dist)), { recursive: true })
  writeFileSync(executableIn(dist), '')
  if (version !== undefined) writeFileSync(join(dist, 'version'), version)
  return dist
}

test('without an override there is none', () => {
  expect(overrideFrom({})).toBe(null)
})

test.runIf(process.platform !== 'darwin')('a given folder is used, with its declared version', () => {
  const dist = distFolder('v45.1.0\n')
  const found = { executable: executableIn(dist), version: '45.1.0', origin: 'override' }
  expect(overrideFrom({ ELECTRON_OVERRIDE_DIST_PATH: dist })).toEqual(found)
})

test('a given executable is used, and its version may be unknown', () => {
  const executable = executableIn(distFolder())
  expect(overrideFrom({ ELECTRON_EXEC_PATH: executable })).toEqual({
    executable,
    version: 'unknown',
    origin: 'override',
  })
})

test('a wrong override is an error that names the variable', () => {
  const missing = join(temporaryFolder(), 'missing')
  expect(() => overrideFrom({ ELECTRON_OVERRIDE_DIST_PATH: missing })).toThrow('ELECTRON_OVERRIDE_DIST_PATH')
  expect(() => overrideFrom({ ELECTRON_EXEC_PATH: missing })).toThrow('ELECTRON_EXEC_PATH')
})

test('the executable has the path of each system', () => {
  expect(executableIn('dist', 'linux')).toBe(join('dist', 'electron'))
  expect(executableIn('dist', 'win32')).toBe(join('dist', 'electron.exe'))
  expect(executableIn('dist', 'darwin')).toBe(join('dist', 'Electron.app/Contents/MacOS/Electron'))
  for (const platform of ['linux', 'win32', 'darwin'] as const) {
    expect(distOf(executableIn('/dist', platform), platform)).toBe(resolve('/dist'))
  }
})
