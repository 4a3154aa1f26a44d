import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

import type { ProblemFacts } from '../../../packages/library/views/problem.ts'
import type { FailureCode } from '../../../packages/wire/protocol/failure.ts'
import { failureFacts } from '../../../packages/wire/protocol/failure.ts'
import { reasonOf } from '../../../src/renderer/domain/callback-reason.ts'
import { createTexts } from '../../../src/texts/catalogue.ts'
import { everyFailure } from '../../wire/support/every-failure.ts'

interface End {
  readonly code: FailureCode | 'interrupted'
  readonly facts: ProblemFacts
}

const failures = Object.values(everyFailure).flat()
const ends: readonly End[] = [
  ...failures.map((failure) => ({ code: failure.kind, facts: failureFacts(failure) })),
  { code: 'interrupted', facts: {} },
]

/** The effect on the data, in each language. */
const aboutData = {
  en: /Nothing (?:was|of it)|stays\./,
  ru: /Ничего не|ничего не попало|остаётся\./,
} as const
const firstWords = { en: /^[A-Z]/, ru: /^(?:[А-ЯЁ]|Galley )/ } as const

describe.each(['en', 'ru'] as const)('in %s', (language) => {
  const t = createTexts(language).getFixedT(language, 'reasons')

  it.each(ends)('$code, $facts: what happened, what it means for the data, what to do', ({ code, facts }) => {
    const { why, fix } = reasonOf(code, facts, t)
    expect(why).toMatch(aboutData[language])
    for (const text of [why, fix]) {
      expect(text).toMatch(firstWords[language])
      expect(text).toMatch(/^[^\n]{15,}\.$/)
      expect(text).not.toMatch(/\{\{|(?:why|fix)\.|undefined| {2}/)
    }
    expect(fix).not.toBe(why)
    if (facts['status'] !== undefined) expect(why).toContain(JSON.stringify(facts['status']))
  })

  it('distinguishes the cases of one code', () => {
    const told = ends.map(({ code, facts }) => reasonOf(code, facts, t).why)
    const cases = new Set(
      ends.map(({ code, facts: { rule, state, header, status } }) =>
        JSON.stringify([code, rule ?? state ?? header ?? status]),
      ),
    )
    expect(new Set(told).size).toBe(cases.size)
  })
})

it('every response code has its texts', () => {
  const table = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8')
  const rows = [...table.matchAll(/^\|[^|]+\|[^|]+\| 0 \| ([a-z_ /]+) \|$/gm)].flatMap(
    ([, codes]) => codes?.split(' / ') ?? [],
  )
  expect(rows.length).toBeGreaterThan(15)
  expect(Object.keys(everyFailure)).toEqual(expect.arrayContaining(rows))
})
