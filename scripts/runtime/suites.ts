/** Lists what each test suite requires of the machine, and which suites are skipped without it. */

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** A part of the machine that only some suites require. */
export type TestPart =
  | 'Electron'
  | 'Secret Service'
  | 'Python'
  | 'PHP'
  | 'Java'
  | 'Network namespace'
  | 'False clock'
  | 'System call tracing'

/** A folder of tests that is skipped, with the number of its files and the reason. */
export type LeftOut = { readonly folder: string; readonly files: number; readonly lacks: readonly TestPart[] }

const needs: Readonly<Record<string, readonly TestPart[]>> = {
  'tests/e2e': ['Electron', 'Secret Service'],
  'tests/e2e/no-network': ['Network namespace'],
  'tests/kill': ['Secret Service'],
  'tests/keychain': ['Secret Service'],
  'tests/independent-client': ['Python'],
  'tests/kit/samples': ['PHP', 'Python'],
  'tests/html-checker': ['Java'],
  'tests/torture': ['Secret Service', 'False clock'],
  'tests/torture/traced': ['System call tracing'],
}

/** The suites that cannot run without the missing parts. */
export function leftOutWithout(lacking: readonly TestPart[], root: string): readonly LeftOut[] {
  return Object.entries(needs)
    .map(([folder, parts]) => ({
      folder,
      files: testFilesIn(join(root, folder)),
      lacks: parts.filter((part) => lacking.includes(part)),
    }))
    .filter(({ lacks, files }) => lacks.length > 0 && files > 0)
}

function testFilesIn(folder: string): number {
  if (!existsSync(folder)) return 0
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.ts')).length
}
