import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

const built = join(import.meta.dirname, '../../out/main')

/** Parsers, engines and clients that neither the first list of the window nor most commands need. */
const lateParts = new Set(['liquidjs', 'parse5', 'ssh2', 'undici', 'yauzl'])

/** The packages in a built script and in those that it loads with it; what it loads later does not count. */
function loadedWith(entry: string): ReadonlySet<string> {
  const files = new Set([entry])
  const packages = new Set<string>()
  for (const file of files) {
    const text = readFileSync(join(built, file), 'utf8')
    for (const [, specifier = ''] of text.matchAll(/^(?:const|let|var) [\w{}, :]+ = require\("([^"]+)"\)/gm)) {
      if (specifier.startsWith('.')) files.add(normalize(join(dirname(file), specifier)))
      else packages.add(specifier)
    }
    // The bundler's own helpers have no map.
    const map = join(built, `${file}.map`)
    if (!existsSync(map)) continue
    const { sources } = JSON.parse(readFileSync(map, 'utf8')) as { readonly sources: readonly string[] }
    for (const source of sources) {
      const name = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1]
      if (name !== undefined) packages.add(name)
    }
  }
  return packages
}

const app = `chunks/${readdirSync(join(built, 'chunks')).find((name) => /^app-.*\.js$/.test(name))}`

test.each([
  ['index.js', ['electron', 'electron-log']],
  ['entry.js', ['electron']],
])('%s loads only %j and parts of Node before the window opens', (entry, expected) => {
  const names = [...loadedWith(entry)]
  expect(names.filter((name) => !name.startsWith('node:')).toSorted()).toEqual(expected)
  expect(names.filter((name) => /^node:(?:http|https|http2|tls|worker_threads)$/.test(name))).toEqual([])
})

test.each([app, 'commands.js'])('%s loads no parser, theme engine or client until they are needed', (entry) => {
  const packages = loadedWith(entry)
  expect(packages.has('better-sqlite3')).toBe(true)
  expect([...packages].filter((name) => lateParts.has(name))).toEqual([])
})

test('the search finds what an export loads', () => {
  expect([...loadedWith('background.js')]).toEqual(expect.arrayContaining(['liquidjs', 'parse5']))
})
