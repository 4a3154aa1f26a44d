import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const sources = ['src/renderer', 'packages/service/editor'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
)
const textOf = (path: string): string => readFileSync(path, 'utf8')

/** Names of the classes that a module of styles defines. */
const definedIn = (path: string): ReadonlySet<string> => {
  const selectors = textOf(path)
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\{[^{}]*\}/g, '{}')
  return new Set([...selectors.matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name = '']) => name))
}

interface Use {
  readonly by: string
  readonly module: string
  readonly names: readonly string[]
  /** Whether a class is chosen while it runs: `styles[tone]`. */
  readonly isOpen: boolean
}

const uses: readonly Use[] = sources
  .filter((path) => path.endsWith('.tsx') || path.endsWith('.ts'))
  .flatMap((by) => {
    const text = textOf(by)
    return [...text.matchAll(/^import (\w+) from '(.*\.module\.css)'$/gm)].map(([, name = '', module = '']) => ({
      by,
      module: resolve(dirname(by), module),
      names: [...text.matchAll(new RegExp(`(?<![\\w/])${name}\\.(\\w+)`, 'g'))].map(([, each = '']) => each),
      isOpen: new RegExp(`\\b${name}\\[`).test(text),
    }))
  })

test('every class that a component uses is defined in its styles', () => {
  const unknown = uses.flatMap(({ by, module, names }) => {
    const defined = definedIn(module)
    return names.filter((name) => !defined.has(name)).map((name) => `${name} in ${by}`)
  })
  expect(unknown).toEqual([])
})

test('every defined class is used', () => {
  const modules = sources.filter((path) => path.endsWith('.module.css'))
  const idle = modules.flatMap((path) => {
    const its = uses.filter(({ module }) => module === resolve(path))
    if (its.some(({ isOpen }) => isOpen)) return []
    const worn = new Set(its.flatMap(({ names }) => names))
    return [...definedIn(path)].filter((name) => !worn.has(name)).map((name) => `${name} of ${path}`)
  })
  expect(idle).toEqual([])
})
