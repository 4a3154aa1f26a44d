import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

import { themes } from '../../packages/kit/cases.ts'

const cases = themes.flatMap((theme) => theme.cases)
const page = await readFile(new URL('../../docs/conformance.md', import.meta.url), 'utf8')

/** The case ids in the rows of one part of the page. */
function mapped(heading: string): readonly string[] {
  const [, part = ''] = page.split(`## ${heading}\n`)
  const rows = (part.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| '))
  return rows.flatMap((row) => [...(row.split(' | ').at(-1) ?? '').matchAll(/`([^`]+)`/g)].map(([, id]) => id ?? ''))
}

const inContract = mapped('The contract, rule by rule')
const beyond = mapped('Beyond the contract')

test('ids are unique and kebab-case', () => {
  const ids = cases.map(({ id }) => id)
  expect(ids).toEqual([...new Set(ids)])
  for (const id of ids) expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
})

test('the page maps every case, and none that is not there', () => {
  expect([...new Set([...inContract, ...beyond])].toSorted()).toEqual(cases.map(({ id }) => id).toSorted())
})

test('prerequisites exist', () => {
  const ids = new Set(cases.map(({ id }) => id))
  const bases = [...themes, ...cases].flatMap(({ dependsOn }) => dependsOn ?? []).flat()
  expect(bases.filter((id) => !ids.has(id))).toEqual([])
})

test('references to the contract are among its rules, and only those may break it', () => {
  const pointing = cases.filter(({ rule }) => rule.startsWith('contract, ')).map(({ id }) => id)
  expect(pointing.filter((id) => !inContract.includes(id))).toEqual([])
  const breaking = cases.filter(({ severity }) => severity === 'breaks the contract')
  expect(breaking.filter(({ rule }) => !rule.startsWith('contract, ')).map(({ id }) => id)).toEqual([])
})
