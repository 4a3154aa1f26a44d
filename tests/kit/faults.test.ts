import { describe, expect, test } from 'vitest'

import { themes } from '../../packages/kit/cases.ts'
import { failedIn } from './support/kit.ts'
import { runStub } from './support/stub-run.ts'
import { wrongBackends, wrongOpens } from './support/wrong-backends.ts'

describe('a backend that is wrong fails the cases about that, and no others', () => {
  test('a faultless one fails none', async () => {
    const { report } = await runStub([])
    expect(failedIn(report)).toEqual({})
    expect(report.cutShort).toBeNull()
  })

  test.for(wrongBackends.map((rows) => [rows.map(([faults]) => faults.join(' and ')).join(', '), rows] as const))(
    '%s',
    async ([, rows]) => {
      const faults = rows.flatMap(([each]) => each)
      // Two seconds of waiting, which one of them is about.
      const skip = faults.includes('gives-up-after-a-second') ? [] : ['download-slow']
      const { report } = await runStub(faults, { skip })
      expect(Object.keys(failedIn(report)).toSorted()).toEqual(
        [...new Set(rows.flatMap(([, fails]) => fails))].toSorted(),
      )
    },
  )
})

test('there is a backend for every case that fails it', async () => {
  const everything = themes.flatMap(({ cases }) => cases.map(({ id }) => id))
  const failed = new Set(wrongBackends.flatMap((rows) => rows.flatMap(([, fails]) => fails)))
  const rest = () => everything.filter((id) => !failed.has(id))
  for (const faults of [
    ['accepts-everything'],
    ['refuses-everything'],
    ['breaks-down'],
    ['asks-for-nothing'],
    ['ignores-entry-names', 'joins-names-to-paths', 'fonts-css-untouched', 'has-no-ledger', 'follows-redirects'],
    ['fonts-lose-the-tree', 'reads-latin-1'],
    ['one-connection-at-a-time'],
  ] as const) {
    // Asked for by name, a case runs whatever else fails; sessions are opened by none of these.
    const only = rest().filter((id) => !id.startsWith('open-'))
    const { report } = await runStub(faults, { only })
    for (const id of Object.keys(failedIn(report))) failed.add(id)
  }
  expect(rest()).toEqual([...new Set(wrongOpens.map(([id]) => id))])
})
