import { createHash } from 'node:crypto'
import { appendFile, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { expect, test } from 'vitest'

import { NewerLibraryError } from '../../../packages/library/db/database/other-versions.ts'
import { openLibrary } from '../../../packages/library/db/open/open-library.ts'
import { logStart } from '../../../packages/library/log/mark.ts'
import { logFormat } from '../../../packages/library/records/changes.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { aStored, versionsOf } from './committed.ts'
import { setVersion, today } from './other-schema.ts'
import { acme } from './sample.ts'

// A library that passes from one version of Galley to another.

async function opened(folder: string) {
  const said: string[] = []
  const library = await openLibrary(
    folder,
    () => new Date(),
    (line) => said.push(line),
  )
  return { ...library, said }
}

/** A library with one version in it. */
async function aLibrary(): Promise<string> {
  const folder = await temporaryFolder()
  const { index, close } = await opened(folder)
  await index.commit.write(() => index.sites.put(acme))
  await index.commit.soon(() => [aStored('v1')])
  close()
  return folder
}

const copies = async (folder: string) =>
  (await readdir(folder)).filter((name) => name.startsWith('update.set-aside')).toSorted()

test('before an older library is brought to this schema, its log, index and local.db are copied, once', async () => {
  const folder = await aLibrary()
  await setVersion(join(folder, 'index.db'), today - 1)
  const log = await readFile(join(folder, 'log', '00000000000000000001.jsonl'))
  const first = await opened(folder)
  expect(versionsOf(first)).toEqual(['v1'])
  first.close()
  expect(first.said.join('\n')).toContain('copied to update.set-aside-0-1')
  expect(await copies(folder)).toEqual(['update.set-aside-0-1'])
  const copy = join(folder, 'update.set-aside-0-1')
  expect(await readFile(join(copy, 'log', '00000000000000000001.jsonl'))).toEqual(log)
  for (const name of ['index.db', 'local.db']) {
    const db = new BetterSqlite3(join(copy, name), { readonly: true })
    expect(db.pragma('quick_check', { simple: true }), name).toBe('ok')
    expect(db.pragma('user_version', { simple: true }), name).toBe(name === 'index.db' ? today - 1 : 1)
    db.close()
  }
  // One that was cut off and starts again keeps the copy from before it.
  await setVersion(join(folder, 'index.db'), today - 1)
  const again = await opened(folder)
  again.close()
  expect(again.said).toEqual([])
  expect(await copies(folder)).toEqual(['update.set-aside-0-1'])
})

test('a library of this version is not copied', async () => {
  const folder = await aLibrary()
  const library = await opened(folder)
  library.close()
  expect(await copies(folder)).toEqual([])
})

/** Appends an entry to the log with a kind of change that this Galley does not know. */
async function appendUnknown(folder: string, format: number): Promise<void> {
  const { log, close } = await opened(folder)
  const items = [...log.read(logStart)]
  close()
  const last = items.at(-1)
  if (last === undefined || last.kind === 'fault') throw new Error('The log is not whole')
  const { position, hash } = last.mark
  const changes = JSON.stringify([{ kind: 'page_translated', site: 'acme', language: 'de' }])
  const entry = `{"galley":${format},"position":${position + 1},"previous":"${hash}","changes":${changes}}`
  const digest = createHash('sha256').update(entry).digest('hex')
  const line = `{"length":"0000000000","sha256":"${digest}","entry":${entry}}\n`
  const length = String(Buffer.byteLength(line)).padStart(10, '0')
  await appendFile(join(folder, 'log', '00000000000000000001.jsonl'), line.replace('0000000000', length))
}

test('a change that only a newer Galley knows is refused in words, and nothing is changed', async () => {
  const folder = await aLibrary()
  await appendUnknown(folder, logFormat + 1)
  const log = await readFile(join(folder, 'log', '00000000000000000001.jsonl'))
  const refused = opened(folder)
  await expect(refused).rejects.toThrow(NewerLibraryError)
  await expect(refused).rejects.toThrow(
    'This library was written by a newer version of Galley (its log). Nothing was changed. Use the newer version, or another library folder.',
  )
  expect(await readFile(join(folder, 'log', '00000000000000000001.jsonl'))).toEqual(log)
})

test('the same change in an entry of this format is skipped, and the library goes on', async () => {
  const folder = await aLibrary()
  await appendUnknown(folder, logFormat)
  const { index, close } = await opened(folder)
  expect(versionsOf({ index })).toEqual(['v1'])
  await index.commit.soon(() => [aStored('v2')])
  expect(versionsOf({ index })).toEqual(['v1', 'v2'])
  close()
})
