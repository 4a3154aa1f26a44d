import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, normalize, relative } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'

import { between, layers, pages, workspaces } from '../../scripts/lint/diagram.ts'
import { temporaryFolder } from '../support/test-galley.ts'

const root = join(import.meta.dirname, '../..')

/** The files of the source, from the root of a tree. */
const sourcesIn = (tree: string): readonly string[] =>
  ['src', 'packages']
    .filter((top) => existsSync(join(tree, top)))
    .flatMap((top) =>
      readdirSync(join(tree, top), { recursive: true, encoding: 'utf8' }).map((name) => join(top, name)),
    )
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('node_modules'))

/** Every folder of a tree with those that its files import, types counted. */
function importsOf(tree: string): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  for (const file of sourcesIn(tree)) {
    // An index names the files of its package, and no file imports it.
    if (/\/(?:index|late)\.ts$/.test(file) && file.startsWith('packages/')) continue
    const folder = dirname(file)
    const known = found.get(folder) ?? new Set()
    found.set(folder, known)
    const text = readFileSync(join(tree, file), 'utf8')
    for (const [, specifier = ''] of text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.[^'\n]+)'/g)) {
      const target = dirname(normalize(join(folder, specifier)))
      if (target !== folder) known.add(target)
    }
  }
  return found
}

/** The folders of one cycle in the order of the imports, or null. */
function cycleIn(imports: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] | null {
  const done = new Set<string>()
  function visit(folder: string, path: readonly string[]): readonly string[] | null {
    const at = path.indexOf(folder)
    if (at !== -1) return [...path.slice(at), folder]
    if (done.has(folder)) return null
    for (const next of imports.get(folder) ?? []) {
      const cycle = visit(next, [...path, folder])
      if (cycle !== null) return cycle
    }
    done.add(folder)
    return null
  }
  for (const folder of imports.keys()) {
    const cycle = visit(folder, [])
    if (cycle !== null) return cycle
  }
  return null
}

/** Puts this linter and these files into a new folder. */
function plant(tree: string, files: Readonly<Record<string, string>>): void {
  const manifests = [...workspaces.keys()].map((name) => `packages/${name}/package.json`)
  for (const name of ['layers.json', '.oxlintrc.json', 'scripts/lint', ...manifests])
    cpSync(join(root, name), join(tree, name), { recursive: true })
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, name)), { recursive: true })
    writeFileSync(join(tree, name), text)
  }
}

async function planted(files: Readonly<Record<string, string>>): Promise<string> {
  const tree = await temporaryFolder()
  plant(tree, files)
  return tree
}

/** The rules that the linter finds broken, by file. */
function lint(tree: string): ReadonlyMap<string, readonly string[]> {
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/oxlint'), ['--format', 'json', '.'], {
    cwd: tree,
    encoding: 'utf8',
    maxBuffer: 16 * 1024 ** 2,
  })
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: readonly { readonly code: string; readonly filename: string }[]
  }
  const byFile = Map.groupBy(diagnostics, ({ filename }) => relative(tree, join(tree, filename)))
  return new Map([...byFile].map(([file, found]) => [file, found.map(({ code }) => code)]))
}

/** Comments that silence the linter about layers, or about more than a named rule in the next line. */
const silencesIn = (tree: string): readonly string[] =>
  sourcesIn(tree)
    .flatMap((name) => readFileSync(join(tree, name), 'utf8').match(/(?:ox|es)lint-disable.*/g) ?? [])
    .filter((said) => said.includes('galley') || !/^oxlint-disable-next-line [a-z]/.test(said))

describe('the table of layers', () => {
  it('has every part of the source, and every folder once', () => {
    const strange = sourcesIn(root).filter((file) => !Object.keys(layers).some((part) => file.startsWith(`${part}/`)))
    expect(strange).toEqual([])
    for (const { floors } of Object.values(layers)) expect(new Set(floors.flat()).size).toBe(floors.flat().length)
  })

  it('has packages that import none above them', () => {
    const imported = new Map([...workspaces].map(([name, others]) => [name, new Set(others)]))
    expect(cycleIn(imported)).toBeNull()
  })

  it.each(pages)('is drawn in $file', ({ file, name, content }) => {
    const shown = between(name).exec(readFileSync(join(root, file), 'utf8'))
    expect(shown?.[0], `Run npm run layers to draw ${file} again`).toContain(content())
  })
})

describe('the folders of the source', () => {
  it('form no cycle, types counted', () => expect(cycleIn(importsOf(root))).toBeNull())

  it.each([2, 3, 4])('form no cycle when those below level %i count as one', (level) => {
    const top = (folder: string): string => folder.split('/').slice(0, level).join('/')
    const coarse = new Map<string, Set<string>>()
    for (const [folder, targets] of importsOf(root))
      for (const target of targets)
        if (top(target) !== top(folder))
          coarse.set(top(folder), (coarse.get(top(folder)) ?? new Set()).add(top(target)))
    expect(cycleIn(coarse)).toBeNull()
  })

  it('form one where two folders import each other', async () => {
    const tree = await planted({
      'packages/library/db/a.ts': "import type { B } from './apply/b.ts'\nexport type A = B\n",
      'packages/library/db/apply/b.ts': "import type { A } from '../a.ts'\nexport type B = A\n",
    })
    expect(cycleIn(importsOf(tree))).toEqual([
      'packages/library/db',
      'packages/library/db/apply',
      'packages/library/db',
    ])
  })
})

/** Imports that the table of layers does not allow: what it is, the file, its text. */
const imports: readonly (readonly [what: string, file: string, text: string])[] = [
  ['an upward import', 'packages/library/vault/a.ts', "import { b } from '../care/b.ts'\nexport const a = b\n"],
  [
    'an upward import of a type',
    'packages/platform/disk/a.ts',
    "import type { B } from '@galley/library'\nexport type A = B\n",
  ],
  ['an import of a neighbour', 'packages/library/care/a.ts', "export { b } from '../fonts/b.ts'\n"],
  ['a lazy upward import', 'packages/library/records/a.ts', "export const a = () => import('../db/b.ts')\n"],
  ['a lazy import by a template', 'packages/library/care/a.ts', 'export const a = () => import(`../fonts/usage.ts`)\n'],
  [
    'a lazy import of what is not known here',
    'packages/library/care/a.ts',
    "const b = String('../fonts/usage.ts')\nexport const a = () => import(b)\n",
  ],
  ['a require', 'packages/library/care/a.ts', "export const a = () => require('../fonts/usage.ts')\n"],
  [
    'a require of its own making',
    'packages/library/care/a.ts',
    "import { createRequire } from 'node:module'\nexport const a = createRequire('/')\n",
  ],
  ['a type imported in place', 'packages/wire/a.ts', "export type A = import('./protocol/b.ts').B\n"],
  ['a package that the folder may not use', 'packages/library/care/a.ts', "import 'ssh2'\n"],
  [
    'Electron in a use case',
    'src/main/review/a.ts',
    "import type { Session } from 'electron'\nexport type A = Session\n",
  ],
  [
    'the records in the protocol',
    'packages/wire/protocol/a.ts',
    "import type { B } from '@galley/library/records'\nexport type A = B\n",
  ],
  ['Node in the contract', 'packages/library/records/a.ts', "import 'node:fs'\n"],
  ['words in the contract', 'packages/library/records/a.ts', "export * from '../../../src/texts/b.ts'\n"],
  ['main in the words', 'src/texts/a.ts', "import type { B } from '../main/ipc/b.ts'\nexport type A = B\n"],
  ['an import of another feature', 'src/renderer/features/materials/a.ts', "export * from '../sites/b.ts'\n"],
  ['the contract in the parts of the interface', 'src/renderer/ui/a.ts', "export * from '@galley/wire'\n"],
  ['Node in the editor page', 'packages/service/editor/a.ts', "import 'node:fs'\n"],
  ['the emulator in main', 'packages/library/care/a.ts', "export * from '@galley/service'\n"],
  ['the contract in the conformance kit', 'packages/kit/judge/a.ts', "export * from '@galley/wire'\n"],
  ['a package by its path', 'packages/library/care/a.ts', "export { b } from '../../platform/disk/b.ts'\n"],
  ['the index of its own package', 'packages/library/care/a.ts', "export { b } from '../index.ts'\n"],
  ['what runs on Node in the window', 'src/renderer/app/a.ts', "export { b } from '@galley/library'\n"],
  ['a folder that is not in the table', 'src/elsewhere/a.ts', "export * from '../ipc/b.ts'\n"],
]

/** What other rules refuse: what it is, the rule, the file, its text. */
const habits: readonly (readonly [what: string, rule: string, file: string, text: string])[] = [
  ['any', 'typescript(no-explicit-any)', 'packages/wire/a.ts', 'export const a = (b: any): string => String(b)\n'],
  [
    '!',
    'typescript(no-non-null-assertion)',
    'packages/wire/a.ts',
    'export const a = (b: string | null): string => b!\n',
  ],
  [
    'a silenced type error',
    'typescript(ban-ts-comment)',
    'packages/wire/a.ts',
    '// @ts-ignore\nexport const a: string = 1\n',
  ],
  ['a bare TODO', 'eslint(no-warning-comments)', 'packages/wire/a.ts', '// TODO: later\nexport const a = 1\n'],
  ['console', 'eslint(no-console)', 'packages/library/care/a.ts', "console.log('a')\n"],
  [
    'a line of the log that quotes an error',
    'galley(log-lines)',
    'packages/library/care/a.ts',
    'export const a = (log: (line: string) => void, error: Error) => log(`it failed: ${error.message}`)\n',
  ],
  [
    'one that quotes whatever was thrown',
    'galley(log-lines)',
    'packages/library/care/a.ts',
    'export const a = (logFile: { write(line: string): void }, error: unknown) => logFile.write(`it failed: ${String(error)}`)\n',
  ],
  ['an empty catch', 'eslint(no-empty)', 'packages/library/care/a.ts', 'try {\n  String(1)\n} catch {}\n'],
  [
    'a timer in the contract',
    'eslint(no-restricted-globals)',
    'packages/wire/a.ts',
    'setTimeout(() => undefined, 1)\n',
  ],
  [
    'a repeated timer in the contract',
    'eslint(no-restricted-globals)',
    'packages/wire/a.ts',
    'setInterval(String, 1)\n',
  ],
  [
    'a stopwatch in the contract',
    'eslint(no-restricted-globals)',
    'packages/wire/a.ts',
    'export const a = () => performance.now()\n',
  ],
  [
    'random ids in the contract',
    'eslint(no-restricted-globals)',
    'packages/wire/a.ts',
    'export const a = () => crypto.randomUUID()\n',
  ],
  [
    'the process in the contract, the long way',
    'eslint(no-restricted-globals)',
    'packages/wire/a.ts',
    'export const a = () => globalThis.process\n',
  ],
  [
    'the present time in the contract',
    'galley(no-clock)',
    'packages/wire/a.ts',
    'export const a = () => new Date().toISOString()\n',
  ],
  [
    'the present time as a text in the contract',
    'galley(no-clock)',
    'packages/wire/a.ts',
    'export const a = () => Date()\n',
  ],
  ['SQL in a use case', 'galley(sql)', 'packages/library/care/a.ts', "export const a = 'SELECT id FROM site'\n"],
  [
    'SQL in a template',
    'galley(sql)',
    'packages/cli/a.ts',
    'export const a = (b: string) => `\\n  UPDATE ${b} SET id = 1`\n',
  ],
  [
    'a clock in the contract',
    'eslint(no-restricted-properties)',
    'packages/wire/a.ts',
    'export const a = () => Date.now()\n',
  ],
  [
    'randomness in the contract',
    'eslint(no-restricted-properties)',
    'packages/wire/a.ts',
    'export const a = () => Math.random()\n',
  ],
  [
    'a single test that runs alone',
    'vitest(no-focused-tests)',
    'tests/a.test.ts',
    "import { expect, it } from 'vitest'\nit.only('a', () => expect(1).toBe(1))\n",
  ],
  [
    'a mock of a module',
    'vitest(no-restricted-vi-methods)',
    'tests/a.test.ts',
    "import { vi } from 'vitest'\nvi.mock('../src/main/galley.ts')\n",
  ],
]

const accepted: Readonly<Record<string, string>> = {
  'packages/library/db/sql.ts': "export const a = 'SELECT id FROM site'\n",
  'packages/wire/given-time.ts': 'export const a = (ms: number) => new Date(ms)\n',
  'packages/library/care/allowed.ts':
    "import 'node:fs'\nimport { b } from '../db/b.ts'\nexport { c } from './c.ts'\nexport const a = b\n",
}

/** The name of a planted file, which is no other's. */
const own = (file: string, what: string): string => file.replace(/a(\.test)?\.ts$/, `${what.replace(/\W+/g, '-')}$1.ts`)

describe('the linter', () => {
  let found: ReadonlyMap<string, readonly string[]>
  const rulesOf = (file: string): readonly string[] => found.get(file) ?? []

  // It starts once for all of them: most of its time is its start.
  beforeAll(() => {
    const tree = mkdtempSync(join(tmpdir(), 'galley-lint-'))
    plant(tree, {
      ...Object.fromEntries(imports.map(([what, file, text]) => [own(file, what), text])),
      ...Object.fromEntries(habits.map(([what, , file, text]) => [own(file, what), text])),
      'packages/library/records/circle-a.ts':
        "import type { B } from './circle-b.ts'\nexport type A = { b: B | null }\n",
      'packages/library/records/circle-b.ts':
        "import type { A } from './circle-a.ts'\nexport type B = { a: A | null }\n",
      'src/renderer/ui/hook.tsx':
        "import { useState } from 'react'\nexport function A({ b }: { b: boolean }) {\n  if (b) useState(0)\n  return null\n}\n",
      ...accepted,
    })
    found = lint(tree)
    rmSync(tree, { recursive: true })
  })

  it.each(imports)('refuses %s', (what, file) => {
    expect(rulesOf(own(file, what))).toContain('galley(layers)')
  })

  it.each(habits)('refuses %s', (what, rule, file) => {
    expect(rulesOf(own(file, what))).toEqual([rule])
  })

  it('refuses two files that import types from each other', () => {
    for (const file of ['circle-a', 'circle-b'])
      expect(rulesOf(`packages/library/records/${file}.ts`)).toEqual(['import(no-cycle)'])
  })

  it('refuses a hook under a condition', () => {
    expect(rulesOf('src/renderer/ui/hook.tsx')).toContain('react-hooks(rules-of-hooks)')
  })

  it('is silenced nowhere about layers, and elsewhere by the name of a rule only', async () => {
    expect(silencesIn(root)).toEqual([])
    const comments = ['-next-line', '-next-line galley/layers', ' no-console', '-line no-console', '']
    const text = comments.map((rest) => `// oxlint-disable${rest}\n`).join('')
    expect(silencesIn(await planted({ 'packages/wire/a.ts': text }))).toHaveLength(comments.length)
  })

  it('accepts SQL where the index is, a date of a given time in the contract, and what the table allows', () => {
    for (const file of Object.keys(accepted)) expect(rulesOf(file), file).toEqual([])
  })
})
