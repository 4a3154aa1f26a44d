import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** Parsers, engines and clients that neither the first list of the window nor most commands need. */
const lateParts = new Set(['liquidjs', 'parse5', 'ssh2', 'undici', 'adm-zip', 'yauzl', 'minisearch'])

/** The files that a module loads with it, and the packages that these import; types and dynamic imports do not count. */
function loadedWith(entry: string): {
  readonly files: ReadonlySet<string>
  readonly packages: ReadonlyMap<string, string>
} {
  const files = new Set([entry])
  const packages = new Map<string, string>()
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8')
    for (const [, names = '', specifier = ''] of text.matchAll(
      /^(?:import|export)\s+(?!type\b)(?:([^'"]*?)from\s+)?'([^']+)'/gms,
    )) {
      const isTypesOnly = /^\{(?:\s*type\s[^,}]+,?)+\s*\}\s*$/.test(names)
      if (isTypesOnly) continue
      if (!specifier.startsWith('.')) packages.set(specifier.split('/')[0] ?? '', file)
      else if (/\.tsx?$/.test(specifier)) files.add(normalize(join(dirname(file), specifier)))
    }
  }
  return { files, packages }
}

test('only Electron, the log file and parts of Node are loaded before the window opens', () => {
  const names = [...loadedWith('src/main/index.ts').packages.keys()]
  expect(names.filter((name) => !name.startsWith('node:')).toSorted()).toEqual(['electron', 'electron-log'])
  expect(names.filter((name) => /^node:(?:http|https|http2|tls|worker_threads)$/.test(name))).toEqual([])
})

test.each(['src/main/app.ts', 'src/main/commands.ts'])(
  '%s loads no parser, theme engine or client until they are needed',
  (entry) => {
    const { files, packages } = loadedWith(entry)
    expect(files.size).toBeGreaterThan(300)
    expect(packages.has('better-sqlite3')).toBe(true)
    expect([...packages].filter(([name]) => lateParts.has(name))).toEqual([])
  },
)

test('the search finds the files of an export', () => {
  expect([...loadedWith('src/main/use-cases/exporting/bundle.ts').packages.keys()]).toEqual(
    expect.arrayContaining(['liquidjs', 'parse5']),
  )
})
