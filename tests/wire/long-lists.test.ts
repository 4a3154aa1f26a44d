import { expect, test } from 'vitest'

import { table } from '../../packages/cli/table.ts'
import { redactMetadata } from '../../packages/wire/protocol/redaction.ts'

// More than a function can take as arguments.
const many = 300_000

test('metadata with very many credentials are redacted', () => {
  const members = Array.from({ length: many }, () => '"webhook_auth_basic":1').join(',')
  expect(redactMetadata(`{${members}}`)).toEqual({ ok: true, value: { text: '{}', changed: true } })
})

test('a table of very many rows is written', () => {
  const rows = Array.from({ length: many }, (_, at) => [String(at), 'x'])
  expect(table(['ID', 'NAME'], rows).split('\n')).toHaveLength(many + 1)
})
