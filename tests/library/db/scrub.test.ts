import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'

import { openIndex } from '../../../packages/library/db/database/open.ts'
import { scrub } from '../../../packages/library/db/scrub.ts'
import { emptyDatabases } from './sample.ts'

/** Another connection that writes the logs of SQLite back without a pause. */
const writesBack = `
  const BetterSqlite3 = require('better-sqlite3')
  const { parentPort, workerData } = require('node:worker_threads')
  const db = new BetterSqlite3(workerData.index)
  db.prepare('ATTACH ? AS local').run(workerData.local)
  parentPort.postMessage('writes back')
  for (;;) db.pragma('wal_checkpoint(PASSIVE)')
`

test('an index is scrubbed while another connection writes its log back', async () => {
  const { files } = await emptyDatabases()
  const db = openIndex(files)
  onTestFinished(() => void db.close())
  const add = db.prepare(`INSERT INTO main.blob VALUES (hex(randomblob(32)) || hex(zeroblob(20000)), 1, NULL, 0)`)
  for (let row = 0; row < 50; row += 1) add.run()
  const other = new Worker(writesBack, { eval: true, workerData: files })
  onTestFinished(async () => void (await other.terminate()))
  await once(other, 'message')
  for (let time = 0; time < 20; time += 1) expect(scrub(files)).toBeNull()
})
