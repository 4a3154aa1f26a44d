import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'

import { openFileLock } from '../../../packages/library/db/file-lock.ts'
import { isStorageFault, storageReason } from '../../../packages/platform/disk/storage-reason.ts'
import { cause, causeSentence } from '../../../packages/wire/cause.ts'
import { temporaryFolder } from '../../support/test-galley.ts'

it('files that another process keeps locked are no fault of Galley', async () => {
  const folder = await temporaryFolder()
  const [theirs, mine] = [openFileLock(folder), openFileLock(folder, 0)]
  let refused: Promise<unknown> = Promise.resolve()
  // Nothing else runs before this ends, so the lock is requested while it is held.
  theirs.alone(() => {
    refused = mine.share().catch((error: unknown) => error)
  })
  const error = await refused
  expect([isStorageFault(error), storageReason(error)]).toEqual([
    true,
    'another process is using the files of the library',
  ])
  theirs.close()
  mine.close()
})

it('a folder that is a link to another disk is named as the reason why no file can be moved into it', () => {
  const refusal = Object.assign(new Error('EXDEV'), { code: 'EXDEV', errno: -18, syscall: 'rename' })
  expect(storageReason(refusal)).toBe('a folder in the library is on another disk. Move the whole library to one disk')
})

it('a system error is told from a bug', async () => {
  const refusal = await readFile('/nowhere/at all').catch((error: unknown) => error)
  expect([isStorageFault(refusal), storageReason(refusal)]).toEqual([true, 'a file or folder is missing'])
  const bug = new TypeError('x is undefined')
  expect([isStorageFault(bug), storageReason(bug)]).toEqual([false, 'an unexpected error'])
})

it('a name that is too long for the disk has another cause than one in an archive', async () => {
  const refusal = await readFile(join(await temporaryFolder(), 'x'.repeat(300))).catch((error: unknown) => error)
  expect(storageReason(refusal)).toBe('the name of a file is too long for this disk')
  expect(causeSentence(cause('name_too_long', { name: 255 }))).toBe('the name of a file is longer than 255 bytes')
})
