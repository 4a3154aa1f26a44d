import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const pages = globSync(['*.md', 'docs/**/*.md', 'packages/*/README.md'])
const sources = globSync([
  '{src,packages}/**/*.{ts,tsx}',
  'scripts/**/*.ts',
  'tests/**/*.ts',
  '.github/**/*.{md,yml}',
  '*.ts',
])

const withoutCode = (text: string): string => text.replaceAll(/^```[^]*?^```/gm, '')

/** The anchors of a page's headings, as GitHub makes them. */
const anchorsOf = (page: string): readonly string[] =>
  [...withoutCode(readFileSync(page, 'utf8')).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )

/** Links to files that do not exist, or to headings that are not in them. */
function brokenLinks(page: string, text: string): readonly string[] {
  const targets = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
  return targets.filter((target) => {
    if (/^[a-z]+:/.test(target)) return false
    const [path = '', anchor] = target.split('#')
    const file = path === '' ? page : join(dirname(page), path)
    return !existsSync(file) || (anchor !== undefined && !anchorsOf(file).includes(anchor))
  })
}

/** Paths below `src`, `packages`, `tests`, `scripts`, `docs` and `resources` that do not exist. A test may be named without its ending. */
function brokenPaths(text: string): readonly string[] {
  const named = [
    ...text.matchAll(/(?<![\w./-])(?:src|packages|tests|scripts|docs|resources)\/(?:[\w./{},*-]|<[a-z]+>)*/g),
  ].map(([path]) =>
    // A placeholder such as <screen> matches any name; a full stop or comma ends the sentence.
    path.replaceAll(/<[a-z]+>/g, '*').replace(/[.,]+$/, ''),
  )
  return named.filter((path) => ['', '.ts', '.test.ts'].every((ending) => globSync(path + ending).length === 0))
}

test('pages name nothing that does not exist', () => {
  const broken = pages.flatMap((page) => {
    const text = readFileSync(page, 'utf8')
    return [...brokenLinks(page, text), ...brokenPaths(text)].map((name) => `${page}: ${name}`)
  })
  expect(broken).toEqual([])
})

test('the page of a package names files that are there', () => {
  const broken = globSync('packages/*/README.md').flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/`([\w./-]+\.ts)`/g)]
      .map(([, file = '']) => file)
      .filter((file) => [dirname(page), 'packages', '.'].every((folder) => !existsSync(join(folder, file))))
      .map((file) => `${page}: ${file}`),
  )
  expect(broken).toEqual([])
})

test('sources name no page that does not exist', () => {
  const named = sources
    .filter((source) => !source.startsWith('tests/docs/'))
    .flatMap((source) => readFileSync(source, 'utf8').match(/(?<![\w/])docs\/[\w/-]+\.(?:md|txt)/g) ?? [])
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((page) => !existsSync(page))).toEqual([])
})

test('every decision is in the index, and nothing else is', () => {
  const files = globSync('docs/decisions/*-*.md').map((file) => file.replace('docs/decisions/', ''))
  const listed = [...readFileSync('docs/decisions/README.md', 'utf8').matchAll(/\]\((\d{4}-[^)]+)\)/g)].map(
    ([, file = '']) => file,
  )
  expect(listed.toSorted()).toEqual(files.toSorted())
})

test('a broken link, anchor or path is found', () => {
  const text = '[a](none.md) [b](api.md#none) [c](api.md) [d](https://example.com) `src/none.ts`, src/main.'
  expect(brokenLinks('docs/page.md', text)).toEqual(['none.md', 'api.md#none'])
  expect(brokenPaths(text)).toEqual(['src/none.ts'])
})
