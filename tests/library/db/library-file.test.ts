import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { expect, it, test } from 'vitest'

import { EarlierLibraryError, NewerLibraryError } from '../../../packages/library/db/database/other-versions.ts'
import { writeName, writtenName } from '../../../packages/library/db/open/library-file.ts'
import { openLibrary } from '../../../packages/library/db/open/open-library.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const open = (folder: string) =>
  openLibrary(
    folder,
    () => new Date(),
    () => undefined,
  )

/** An index as builds before 0.1.0 wrote it: with another mark, or from before the log with none. */
async function anEarlierIndex(folder: string, mark: number): Promise<void> {
  const db = new BetterSqlite3(join(folder, 'index.db'))
  db.exec(`CREATE TABLE version (x); PRAGMA application_id = ${mark}; PRAGMA user_version = 5`)
  db.close()
  await mkdir(join(folder, 'log'))
  await writeFile(join(folder, 'log', '00000000000000000001.jsonl'), '{"length":"0000000200","sha256":"')
}

async function contents(folder: string): Promise<Record<string, string>> {
  const found = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((each) => each.isFile())
  const read = found.map(async ({ parentPath, name }) => [name, await readFile(join(parentPath, name), 'hex')] as const)
  return Object.fromEntries(await Promise.all(read))
}

test.each([
  ['by library.json', (folder: string) => writeFile(join(folder, 'library.json'), '{"library":"one","format":1}\n')],
  ['by its index, which has the mark of its time', (folder: string) => anEarlierIndex(folder, 0x47_41_4c_59)],
  ['by its index, which has no mark', (folder: string) => anEarlierIndex(folder, 0)],
])('a library of an earlier build is known %s, and left as it is', async (_, make) => {
  const folder = await temporaryFolder()
  await make(folder)
  const before = await contents(folder)
  await expect(open(folder)).rejects.toThrow(EarlierLibraryError)
  await expect(open(folder)).rejects.toThrow(/Nothing was changed\. Run galley export/)
  expect(await contents(folder)).toEqual(before)
})

test('a library of a later format is refused as such', async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'library.json'), '{"galley":2,"library":"one"}')
  await expect(open(folder)).rejects.toThrow(NewerLibraryError)
  expect(existsSync(join(folder, 'log'))).toBe(false)
})

it('has the name of the library, and a format that builds before 0.1.0 refuse as newer than their 1', async () => {
  const folder = await temporaryFolder()
  expect(writtenName(folder)).toBe(null)
  writeName(folder, 'one')
  expect(writtenName(folder)).toBe('one')
  expect(JSON.parse(await readFile(join(folder, 'library.json'), 'utf8'))).toEqual({
    galley: 1,
    format: 2,
    library: 'one',
  })
  await writeFile(join(folder, 'library.json'), '{"library":')
  expect(writtenName(folder)).toBe(null)
})
