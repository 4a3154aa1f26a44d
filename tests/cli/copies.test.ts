import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { temporaryFolder } from '../support/temporary-folder.ts'
import { aNewsroom, aPage } from './support/library.ts'

test('evidence and a web archive of a version are written to new files', async () => {
  const room = await aNewsroom()
  const { fingerprint } = (await room.run('open', 'acme', 'post')).json() as { fingerprint: string }
  const version = (await room.save(fingerprint, aPage('Night trains', 'a wagon'))).version_id ?? ''
  await room.run('review', 'approve', 'acme', 'post', '--by', 'Ada Weber')
  const folder = await temporaryFolder()
  for (const [command, name] of [
    ['evidence', 'page.zip'],
    ['wacz', 'page.wacz'],
  ] as const) {
    const file = join(folder, name)
    const written = await room.run(command, 'acme', 'post', version, '--out', file)
    expect(written.code, written.stderr).toBe(0)
    const bytes = await readFile(file)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    expect(written.json()).toEqual({ file, bytes: bytes.length, sha256 })
    expect(bytes.includes('Ada Weber')).toBe(false)

    const again = await room.run(command, 'acme', 'post', version, '--out', file)
    expect([again.code, again.json()]).toMatchObject([1, { error: { code: 'not_ours' } }])
    expect((await readFile(file)).equals(bytes)).toBe(true)
  }
  const named = join(folder, 'named.zip')
  await room.run('evidence', 'acme', 'post', version, '--out', named, '--with-names')
  expect((await readFile(named)).includes('Ada Weber')).toBe(true)
  const unknown = await room.run('wacz', 'acme', 'post', 'other', '--out', join(folder, 'other.wacz'))
  expect([unknown.code, unknown.json()]).toMatchObject([1, { error: { code: 'unknown_version' } }])
  const nowhere = await room.run('wacz', 'acme', 'post', version)
  expect([nowhere.code, nowhere.json()]).toMatchObject([2, { error: { code: 'usage' } }])
})
