import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { expect, it } from 'vitest'

import { cause } from '../../../../../src/contract/cause.ts'
import { databaseFiles, prepareLocal } from '../../../../../src/main/library/db/database/open.ts'
import { takeLocal } from '../../../../../src/main/library/db/local-copy.ts'
import { temporaryFolder } from '../../../../support/test-galley.ts'

const whole = "a (b), $& {{why}}'s.png"
/** Sentences as earlier versions stored them, which never change, and the corresponding data. */
const stored: readonly (readonly [facts: object, asData: object])[] = [
  ...(
    [
      ['it is not a JSON object', cause('not_json_object')],
      ['the service answered with status 403', cause('service_status', { name: '403' })],
      ['a file could not be used (EMLINK)', cause('file_unusable', { name: 'EMLINK' })],
      [
        `${whole} is damaged: its checksum does not match`,
        cause('damaged', { name: whole, why: cause('bad_checksum') }),
      ],
      [
        `the name ${whole} is not safe: it leaves its folder`,
        cause('name_unsafe', { name: whole, why: cause('name_leaves') }),
      ],
      [`${whole} is compressed by method 12; only deflate is read`, cause('method', { name: whole, why: '12' })],
      [
        'vms_json.json cannot be read: a string is not closed (at character 7)',
        cause('unreadable', {
          name: 'vms_json.json',
          why: cause('at_character', { why: cause('string_open'), name: '7' }),
        }),
      ],
    ] as const
  ).map(
    ([problem, asData]) =>
      [
        { problem, status: 403 },
        { problem: asData, status: 403 },
      ] as const,
  ),
  [{ reason: 'the disk is full' }, { reason: cause('disk_full') }],
  [
    { what: 'its size', limit: 5 },
    { what: cause('size'), limit: 5 },
  ],
  // A name, and a sentence of the service.
  [
    { what: 'vms_media/hero.png', limit: 5 },
    { what: 'vms_media/hero.png', limit: 5 },
  ],
  [{ reason: 'the service is asleep' }, { reason: 'the service is asleep' }],
  // The text of an administrator, in the sentence that was answered.
  ...(
    [
      ['paused_everywhere', 'Saves are paused: Wartung. Nothing was saved.', 'Wartung'],
      ['paused', 'Saves are paused. Nothing was saved.', ''],
      ['paused', 'Saves are paused: a: b. Nothing was saved. Nothing was saved.', 'a: b. Nothing was saved'],
      ['paused', 'Saves are paused: the disk is full\nand noisy. Nothing was saved.', 'the disk is full\nand noisy'],
      ['material', 'Saves of this material are paused: It is printed. Nothing was saved.', 'It is printed'],
      ['material', 'Saves of this material are refused. Nothing was saved.', ''],
      ['editor', 'Saves of this editor are blocked: it is empty. Nothing was saved.', 'it is empty'],
      ['editor', 'Saves of this editor are refused: left. Nothing was saved.', 'left'],
      [
        'unknown_material',
        'This material was never opened from Galley. Nothing was saved. Open it there once, then save again.',
        '',
      ],
      [
        'expired_token',
        'The permission to edit this material has run out. Nothing was saved. Open it again, then save again.',
        '',
      ],
      ['editor', 'it is empty', 'it is empty'],
    ] as const
  ).map(
    ([rule, reason, text]) =>
      [
        { rule, reason },
        { rule, reason: text },
      ] as const,
  ),
  [{}, {}],
]

/** The `local.db` of a Galley whose callback log contained sentences. */
async function localWithSentences(): Promise<string> {
  const { local } = databaseFiles(await temporaryFolder())
  const schema = new URL('../../../../../src/main/library/db/database/schema/local-1.sql', import.meta.url)
  const db = new BetterSqlite3(local)
  db.exec(readFileSync(schema, 'utf8'))
  db.pragma('user_version = 1')
  const insert = db.prepare(
    `INSERT INTO callback (id, site, received_at, kind, signature, code, facts)
       VALUES (?, 'a', '2026-11-20T12:00:00.000Z', 'unknown', 'valid', ?, ?)`,
  )
  for (const [at, [facts]] of stored.entries())
    insert.run(`${at}`, 'rule' in facts ? 'refused' : 'invalid_archive', JSON.stringify(facts))
  db.close()
  return local
}

function factsIn(local: string): readonly unknown[] {
  const db = new BetterSqlite3(local, { readonly: true })
  try {
    return db
      .prepare<[], string>('SELECT facts FROM callback ORDER BY arrival')
      .pluck()
      .all()
      .map((facts): unknown => JSON.parse(facts))
  } finally {
    db.close()
  }
}

const asData = stored.map(([, facts]) => facts)

it('failures that were stored as sentences become codes and facts', async () => {
  const local = await localWithSentences()
  expect(prepareLocal(local)).toBe('there')
  expect(factsIn(local)).toEqual(asData)
  expect(prepareLocal(local)).toBe('there')
  expect(factsIn(local)).toEqual(asData)
})

it('failures in a backup are converted too', async () => {
  const copy = await localWithSentences()
  const local = join(await temporaryFolder(), 'local.db')
  prepareLocal(local)
  expect(takeLocal(copy, local)).toBe(true)
  expect(factsIn(local)).toEqual(asData)
})
