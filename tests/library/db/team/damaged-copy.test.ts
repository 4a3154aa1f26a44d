import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'

import { compareIndexes } from '../../../../packages/library/db/open/compare-index.ts'
import { memberFile } from '../../../../packages/library/team/member-file.ts'
import { randomFrom } from '../../../support/random.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { aStored } from '../committed.ts'
import { acme } from '../sample.ts'
import { aMember, aTeamBucket, copyOf, makeMember, runOn } from './members.ts'

// What becomes of a member whose copy of the team's log is damaged: the bucket has every entry, so nothing is lost.

let run: ReturnType<typeof runOn>
const places = 12
let whole: string
let rows: string
let log: Buffer
let segment: string
beforeEach(async () => {
  run = runOn(aTeamBucket())
  whole = await temporaryFolder()
  makeMember(whole)
  await writeFile(join(whole, memberFile), '{}')
  const member = await aMember(run, whole)
  await member.index.commit.write(() => member.index.sites.put(acme))
  for (let nth = 1; nth <= 8; nth += 1) await member.index.commit.soon(() => [aStored(`v${nth}`)])
  rows = await copyOf(member)
  member.close()
  const [name = ''] = await readdir(join(whole, 'log'))
  segment = join('log', name)
  log = await readFile(join(whole, segment))
})

async function damaged(bytes: Buffer | null, without: readonly string[]): Promise<string> {
  const folder = await temporaryFolder()
  await cp(whole, folder, { recursive: true })
  for (const name of without) await rm(join(folder, name), { recursive: true, force: true })
  if (bytes === null) await rm(join(folder, 'log'), { recursive: true })
  else await writeFile(join(folder, segment), bytes)
  return folder
}

const index = ['index.db', 'index.db-wal', 'index.db-shm']

/** Opens it with the bucket: it has to end equal to one that was never damaged. Gives what the opening said. */
async function mended(folder: string): Promise<readonly string[]> {
  const member = await aMember(run, folder)
  expect(member.library.state).toBe('whole')
  await member.follow()
  const differences = await compareIndexes(await copyOf(member), rows)
  expect(differences.filter(({ table }) => table !== 'applied')).toEqual([])
  const notes = member.library.notes.map(({ kind }) => kind)
  member.close()
  // It is said once, and what was mended stays so.
  const again = await aMember(run, folder)
  expect([again.library.state, again.library.notes]).toEqual(['whole', []])
  again.close()
  return notes
}

const somePlaces = (seed: number): readonly number[] => {
  const random = randomFrom(seed)
  const first = log.indexOf(0x0a) + 1
  return Array.from({ length: places }, () => first + Math.floor(random() * (log.length - first)))
}

const flipped = (at: number): Buffer => {
  const bytes = Buffer.from(log)
  bytes[at] = (bytes[at] ?? 0) ^ 0x20
  return bytes
}

describe('a copy of the log of a team', () => {
  it('that was cut is fetched again', async () => {
    for (const at of somePlaces(1)) {
      expect(await mended(await damaged(log.subarray(0, at), [])), `cut at ${at}`).toEqual(['copy_renewed'])
      const notes = await mended(await damaged(log.subarray(0, at), index))
      expect(notes, `cut at ${at}, without index`).toEqual(['rebuilt', 'cut_off'])
    }
  })

  it('that has a damaged byte is fetched again from there', async () => {
    for (const at of somePlaces(2)) {
      const notes = await mended(await damaged(flipped(at), index))
      expect(notes, `flipped at ${at}`).toEqual(['rebuilt', 'copy_renewed', 'cut_off'])
      // The line is not needed while the index is whole. A repair replaces the copy.
      const folder = await damaged(flipped(at), [])
      const member = await aMember(run, folder)
      member.library.requestRebuild()
      member.close()
      await mended(folder)
    }
  })

  it('that is missing begins again after the index, or after a checkpoint', async () => {
    expect(await mended(await damaged(null, []))).toEqual(['copy_renewed'])
    const member = await aMember(run, await damaged(log, []))
    await member.library.writeCheckpoint(new AbortController().signal)
    member.close()
    for (const name of [...index, 'log']) await rm(join(member.folder, name), { recursive: true, force: true })
    expect(await mended(member.folder)).toEqual(['copy_renewed'])
    await expect(aMember(run, await damaged(null, index))).rejects.toMatchObject({
      code: 'library_damaged',
      message: expect.stringContaining('Join the team again in a new folder') as string,
    })
  })
})
