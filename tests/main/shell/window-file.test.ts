import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

import { openWindowFile } from '../../../src/main/shell/window-file.ts'

async function aPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'galley-window-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'window.json')
}

it('is read as it was written, and leaves no other file', async () => {
  const path = await aPath()
  const file = openWindowFile(path, () => {})
  file.change({ isMaximised: true })
  file.change({ bounds: { x: 1, y: 2, width: 900, height: 600 } })
  await file.settled()
  expect(openWindowFile(path, () => {}).state()).toEqual(file.state())
  expect(await readdir(join(path, '..'))).toEqual(['window.json'])
})

it('a damaged file or part counts as missing', async () => {
  const path = await aPath()
  await writeFile(path, '{"isMaximised": tr')
  expect(openWindowFile(path, () => {}).state()).toMatchObject({ bounds: null, isMaximised: false })
  await writeFile(path, JSON.stringify({ isMaximised: true, bounds: { x: 'left' } }))
  expect(openWindowFile(path, () => {}).state()).toMatchObject({ isMaximised: true, bounds: null })
})

it('a read-only folder is reported once per change, and does not stop anything', async () => {
  const lines: string[] = []
  const file = openWindowFile('/proc/no-such-folder/window.json', (line) => lines.push(line))
  file.change({ toldOfTray: true })
  await file.settled()
  expect(lines).toEqual(['the state of the window could not be saved'])
})
