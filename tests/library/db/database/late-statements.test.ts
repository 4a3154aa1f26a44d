import { expect, test } from 'vitest'

import { databaseFiles, openIndex } from '../../../../packages/library/db/database/open.ts'
import { openLibrary } from '../sample.ts'

test('a statement of the index is prepared when it first runs, and once', async () => {
  const { folder } = await openLibrary()
  const db = openIndex(databaseFiles(folder))
  try {
    const wrong = db.prepare('SELECT word FROM nowhere')
    expect(() => wrong.get()).toThrow('no such table: nowhere')
    db.exec('CREATE TEMP TABLE nowhere (word)')
    expect(wrong.get()).toBeUndefined()

    const add = db.prepare<[number]>('INSERT INTO nowhere VALUES (?)')
    expect(add.run(1).changes + add.run(2).changes).toBe(2)
    const values = db.prepare<[], number>('SELECT word FROM nowhere').pluck()
    expect([values.get(), values.all(), ...values.iterate()]).toEqual([1, [1, 2], 1, 2])
  } finally {
    db.close()
  }
})
