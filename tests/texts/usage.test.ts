import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

import { en } from '../../src/texts/en.ts'

/** Texts that are looked up by a code; a type ties these to their codes. */
const byCode: ReadonlySet<string> = new Set(['causes', 'problems', 'remarks'])

const sources = ['src/renderer', 'src/main']
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)))
  .filter((path) => /\.tsx?$/.test(path))

const pathsIn = (tree: object, path: string): readonly string[] =>
  Object.entries(tree).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'string'
      ? [path + key.replace(/_(?:zero|one|few|many|other)$/, '')]
      : pathsIn(value as object, `${path}${key}.`),
  )

/** Subjects whose texts a source names without saying which. */
const ownSubjects = (source: string): readonly string[] =>
  [
    ...source.matchAll(/(?:useTranslation\(|TFunction<|getFixedT\([^,]*,)(?: |readonly )*(\[[^\]]*\]|'[^']*')/g),
  ].flatMap(([, names = '']) => [...names.matchAll(/'(\w+)'/g)].map(([, name = '']) => name))

it('every text is used', () => {
  const named = new Set<string>()
  const patterns: RegExp[] = []
  for (const path of sources) {
    const source = readFileSync(path, 'utf8')
    const own = ownSubjects(source)
    const whole = (key: string): readonly string[] => (key.includes(':') ? [key] : own.map((name) => `${name}:${key}`))
    for (const [, key = ''] of source.matchAll(/'((?:\w+:)?\w+(?:\.\w+)*)'/g)) {
      for (const each of whole(key)) named.add(each)
    }
    // Composed keys, such as `status.${status}`: a variable part matches any word.
    for (const [, key = ''] of source.matchAll(/`([\w:.]*\$\{[^`]*)`/g)) {
      const known = key.replaceAll(/\$\{[^}]*\}/g, '*')
      if (!/^[\w:.*]+$/.test(known) || !/[a-z]{2}[:.]|\.[a-z]{2}/i.test(known)) continue
      for (const each of whole(known)) {
        patterns.push(new RegExp(`^${each.replaceAll('.', String.raw`\.`).replaceAll('*', String.raw`\w+`)}$`))
      }
    }
  }
  const idle = Object.entries(en)
    .filter(([subject]) => !byCode.has(subject))
    .flatMap(([subject, texts]) => pathsIn(texts, `${subject}:`))
    .filter((path) => !named.has(path) && !patterns.some((pattern) => pattern.test(path)))
  expect(idle).toEqual([])
})
