import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** Electron does not answer these inside an `app.asar`, where all files of an installed app are but `resources`. */
const unanswered = /\b(?:opendir|opendirSync|cp|cpSync)\(|\.parentPath\b/

/** Who may call them all the same, since the folders that they read are never the app's own. */
const others: Readonly<Record<string, string>> = {
  'packages/sites/linking/folder-check.ts': 'the folder of an export',
}

/** The source files with such a call. */
const callers = (files: readonly string[], textOf: (file: string) => string): readonly string[] =>
  files.filter((file) => unanswered.test(textOf(file)))

const sources = ['src', 'packages'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('node_modules'))
    .map((name) => `${folder}/${name}`),
)
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8')

test("nothing reads the app's own files by calls that fail inside an asar", () => {
  expect(sources.length).toBeGreaterThan(900)
  expect(callers(sources, textOf)).toEqual(Object.keys(others))
})

test.each([
  'for await (const one of await opendir(folder))',
  'await cp(demo, target)',
  'cpSync(a, b)',
  'entry.parentPath',
])('a planted %s is found', (call) =>
  expect(callers(['src/main/index.ts'], () => `x\n  ${call}\n`)).toEqual(['src/main/index.ts']),
)
