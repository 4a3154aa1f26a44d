import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { hashBytes, RecordTable } from '../../../packages/sites/exporting/record-table.ts'

const hashOf = (text: string) => createHash('sha256').update(text).digest().subarray(0, hashBytes)

test('a table of records has what was set last, also after it was stored', () => {
  const place = fc.record({ key: fc.nat(300), offset: fc.nat({ max: 2 ** 40 }), bytes: fc.nat(2 ** 31) })
  fc.assert(
    fc.property(fc.array(place, { maxLength: 400 }), (all) => {
      const table = new RecordTable()
      const expected = new Map<number, { offset: number; bytes: number; check: Buffer }>()
      for (const { key, offset, bytes } of all) {
        const location = { offset, bytes, check: hashOf(`check ${offset}`) }
        table.set(hashOf(String(key)), location)
        expected.set(key, location)
      }
      for (const kept of [table, new RecordTable(Buffer.from(table.rows))]) {
        expect(kept.size).toBe(expected.size)
        for (let key = 0; key <= 300; key++) {
          const row = kept.find(hashOf(String(key)))
          expect(row === null ? undefined : kept.at(row)).toEqual(expected.get(key))
        }
      }
    }),
  )
})
