import { mkdirSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { fingerprint, isStale, sourcesHash, stampFile } from '../../scripts/runtime/staleness.ts'
import { temporaryFolder } from './temporary-folder.ts'

const packages = readdirSync(join(import.meta.dirname, '../../packages'))
const indexOf = (name: string): string => `packages/${name}/index.ts`

function builtProject() {
  const root = temporaryFolder()
  const write = (name: string, text = name) => writeFileSync(join(root, name), text)
  mkdirSync(join(root, 'src', 'deep'), { recursive: true })
  for (const name of packages) mkdirSync(join(root, 'packages', name), { recursive: true })
  for (const name of [
    'package.json',
    'src/a.ts',
    'src/deep/b.ts',
    'src/deep/c.ts',
    'README.md',
    ...packages.map(indexOf),
  ])
    write(name)
  mkdirSync(join(root, 'out'))
  writeFileSync(join(root, 'out', stampFile), fingerprint(root))
  return { root, write }
}

test('an output that belongs to the sources is not built again', () => {
  expect(isStale(builtProject().root)).toBe(false)
})

test('a missing output is stale, and so is one whose build did not finish', () => {
  const { root } = builtProject()
  rmSync(join(root, 'out', stampFile))
  expect(isStale(root)).toBe(true)
  rmSync(join(root, 'out'), { recursive: true })
  expect(isStale(root)).toBe(true)
})

test.each<[string, (project: ReturnType<typeof builtProject>) => void]>([
  ['changed', ({ write }) => write('src/deep/b.ts', 'changed')],
  ['added', ({ write }) => write('src/new.ts')],
  ['deleted', ({ root }) => rmSync(join(root, 'src/deep/c.ts'))],
  ['renamed', ({ root }) => renameSync(join(root, 'src/a.ts'), join(root, 'src/z.ts'))],
  ['older than before', ({ root }) => utimesSync(join(root, 'src/a.ts'), 1_000, 1_000)],
  ['the manifest', ({ write }) => write('package.json', '{}')],
])('a source that is %s makes it stale', (_, change) => {
  const project = builtProject()
  change(project)
  expect(isStale(project.root)).toBe(true)
})

test.each(packages)('a changed file of the package %s makes it stale, and its caches', (name) => {
  const { root, write } = builtProject()
  for (const file of ['package-lock.json', 'electron.vite.config.ts']) write(file)
  mkdirSync(join(root, 'src/main'))
  const before = sourcesHash(root)
  write(indexOf(name), 'changed')
  expect(isStale(root)).toBe(true)
  expect(sourcesHash(root)).not.toBe(before)
})

test('files the build does not read change nothing', () => {
  const { root, write } = builtProject()
  write('README.md', 'changed')
  expect(isStale(root)).toBe(false)
})
