import { cp, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'

import { claimEntries, entriesIn, nameEntriesAnew } from '../../../packages/library/secrets/folder-entries.ts'
import { createMemoryStore } from '../../../packages/library/secrets/memory.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** Library folders beside each other, on a computer with one keychain. */
async function folders() {
  const parent = await temporaryFolder()
  const store = createMemoryStore()
  const at = (name: string): string => join(parent, name)
  const make = async (name: string, library: string): Promise<string> => {
    await mkdir(at(name))
    await writeFile(join(at(name), 'library.json'), JSON.stringify({ galley: 1, library }))
    claimEntries(at(name))
    return at(name)
  }
  const copy = async (from: string, name: string): Promise<string> => {
    await cp(from, at(name), { recursive: true })
    return at(name)
  }
  const valueIn = async (folder: string, account = 'secret:acme@one') => {
    const found = await entriesIn(store, folder).read(account)
    return found.ok ? found.value : found.failure
  }
  return { at, store, make, copy, valueIn, in: (folder: string) => entriesIn(store, folder) }
}

const account = 'secret:acme@one'

it('the entries of a library are named as ever, and stay its own when it is moved', async () => {
  const all = await folders()
  const library = await all.make('library', 'one')
  await all.in(library).write(account, 'first')
  expect(await all.store.read(account)).toEqual({ ok: true, value: 'first' })
  await rename(library, all.at('elsewhere'))
  expect(claimEntries(all.at('elsewhere'))).toBe(false)
  expect(await all.valueIn(all.at('elsewhere'))).toBe('first')
  // Another library in the former place.
  await all.make('library', 'other')
  await rename(all.at('elsewhere'), all.at('third'))
  expect(claimEntries(all.at('third'))).toBe(false)
  await all.in(all.at('third')).remove(account)
  expect(await all.store.read(account)).toEqual({ ok: true, value: null })
})

it('a copy reads what it was copied with, and neither folder changes or removes what the other one has', async () => {
  const all = await folders()
  const library = await all.make('library', 'one')
  await all.in(library).write(account, 'first')
  const copy = await all.copy(library, 'copy')
  expect(claimEntries(copy)).toBe(true)
  expect(claimEntries(copy)).toBe(false)
  expect(claimEntries(library)).toBe(false)
  expect(await all.valueIn(copy)).toBe('first')
  await all.in(library).remove(account)
  expect(await all.valueIn(library)).toBeNull()
  expect(await all.valueIn(copy)).toBe('first')
  await all.in(copy).write(account, 'second')
  expect(await all.valueIn(library)).toBeNull()

  // A copy of the copy, whichever of both is opened first.
  const next = await all.copy(copy, 'next')
  await rename(copy, all.at('moved'))
  await rename(next, copy)
  expect(claimEntries(copy)).toBe(false)
  expect(claimEntries(all.at('moved'))).toBe(true)
  expect(await all.valueIn(all.at('moved'))).toBe('second')
  await all.in(copy).remove(account)
  expect(await all.valueIn(all.at('moved'))).toBe('second')
})

it('a folder that is reached by two paths is no copy', async () => {
  const all = await folders()
  const library = await all.make('library', 'one')
  await symlink(library, all.at('link'))
  expect(claimEntries(all.at('link'))).toBe(false)
  await all.in(all.at('link')).write(account, 'first')
  expect(await all.valueIn(library)).toBe('first')
})

it('members of one team on one computer have entries of their own', async () => {
  const all = await folders()
  const library = await all.make('library', 'one')
  await all.in(library).write(account, 'of the first')
  const member = await all.make('member', 'one')
  nameEntriesAnew(member)
  expect(await all.valueIn(member)).toBeNull()
  await all.in(member).write(account, 'of the second')
  nameEntriesAnew(member)
  expect(await all.valueIn(member)).toBe('of the second')
  expect(await all.valueIn(library)).toBe('of the first')
})

it('a damaged file, and one that names a place on another computer, change nothing', async () => {
  const all = await folders()
  const library = await all.make('library', 'one')
  await all.in(library).write(account, 'first')
  const file = join(library, 'keychain.json')
  for (const text of ['', '{"tag":7}', '[]', 'null', '{"tag":"","from":["x",7],"folder":"\\\\\\\\evil\\\\share"}']) {
    await writeFile(file, text)
    expect(await all.valueIn(library), text).toBe('first')
    expect(claimEntries(library), text).toBe(false)
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ tag: '', folder: library })
  }
  await rm(file)
  await mkdir(file)
  expect(claimEntries(library)).toBe(false)
  expect(await all.valueIn(library)).toBe('first')
})
