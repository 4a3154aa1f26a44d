import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { rebuildLibrary } from '../../../../packages/library/care/rebuild.ts'
import type { OpenedLibrary } from '../../../../packages/library/db/open/open-library.ts'
import type { MadeLibrary } from './library.ts'
import { copyOf, factsOf, findingsOf, firstSegment, forever, makeLibrary, now, open, openQuickly } from './library.ts'

// Entries that neither the log nor a checkpoint has: what is built without them lacks them, and says so.

let made: MadeLibrary
beforeAll(async () => {
  made = await makeLibrary()
})
afterAll(() => made.remove())

/** A library without index and checkpoints, in whose log these entries are damaged; -1 is the last one. */
async function withDamaged(...positions: readonly number[]) {
  const folder = await copyOf(made.folder)
  await rm(join(folder, 'index.db'))
  await rm(join(folder, 'checkpoints'), { recursive: true })
  const file = join(folder, 'log', firstSegment)
  const whole = await readFile(file)
  const ends = [...whole.entries()].flatMap(([at, byte]) => (byte === 0x0a ? [at + 1] : []))
  const damage = async (...entries: readonly number[]): Promise<void> => {
    const bytes = Buffer.from(whole)
    for (const entry of entries) {
      const at = (ends.at(entry < 0 ? entry - 1 : entry - 2) ?? 0) + 100
      bytes[at] = (bytes[at] ?? 0) ^ 0x20
    }
    await writeFile(file, bytes)
  }
  await damage(...positions)
  async function opened<Value>(work: (library: OpenedLibrary) => Value | Promise<Value>): Promise<Value> {
    const library = await openQuickly(folder)
    try {
      return await work(library)
    } finally {
      library.close()
    }
  }
  return {
    folder,
    last: ends.length,
    damage,
    restore: () => writeFile(file, whole),
    opened,
    facts: () => opened(({ index }) => made.sent.map((sent) => factsOf(index, sent))),
    rebuilt: async (from: 'log' | 'index' = 'log') => (await rebuildLibrary(folder, { from, now })).lost,
  }
}

describe('a folded log', () => {
  /** Folded, with two entries behind the fold; then the index is gone. Returns what was stored, and the only segment. */
  async function folded() {
    const folder = await copyOf(made.folder)
    const library = await openQuickly(folder)
    await library.foldLog(forever)
    for (const reason of ['one', 'two']) library.index.rules.pause(null, { reason, since: now().toISOString() })
    const facts = made.sent.map((sent) => factsOf(library.index, sent))
    library.close()
    const name = (await readdir(join(folder, 'log'))).find((each) => each.endsWith('.jsonl')) ?? ''
    await rm(join(folder, 'index.db'))
    return { folder, facts, segment: join(folder, 'log', name) }
  }

  test.each(['first', 'last'])(
    'with a damaged %s line and without its index begins at its checkpoint',
    async (which) => {
      const { folder, facts, segment } = await folded()
      const log = await readFile(segment)
      const at = which === 'first' ? 200 : log.length - 5
      log[at] = (log[at] ?? 0) ^ 0x20
      await writeFile(segment, log)
      const library = await openQuickly(folder)
      expect(made.sent.map((sent) => factsOf(library.index, sent))).toEqual(facts)
      expect(library.index.rules.pauseEverywhere()?.reason).toBe(which === 'first' ? 'two' : 'one')
      library.close()
    },
  )
})

const damagedEntry = (position: number) => ({ kind: 'entry', id: String(position), reason: 'damaged' })

describe('entries that are lost', () => {
  test('are named by every rebuild, also from a checkpoint after them, until a new log is written', async () => {
    const { folder, opened, rebuilt } = await withDamaged(5)
    const lost = await rebuilt()
    expect(lost).toContainEqual(damagedEntry(5))
    expect(await rebuilt()).toEqual(lost)
    await opened((library) => library.writeCheckpoint(forever))
    expect(await rebuilt()).toEqual(lost)
    await rm(join(folder, 'index.db'))
    expect(await rebuilt()).toEqual(lost)
    await opened((library) => library.foldLog(forever))
    expect(await rebuilt()).toEqual(lost)
    expect(await rebuilt('index')).toEqual([])
    expect(await rebuilt()).toEqual([])
  })

  test('are told from one that is lost later and that the index still has', async () => {
    const { damage, facts, rebuilt } = await withDamaged(5)
    const lost = await rebuilt()
    const before = await facts()
    await damage(5, 6)
    expect(await rebuilt()).toEqual(lost)
    expect(await facts()).toEqual(before)
  })

  test('are found again once the log is restored, although the checkpoint lacks them', async () => {
    const { opened, restore, facts, rebuilt } = await withDamaged(5)
    expect(await rebuilt()).not.toEqual([])
    const without = await facts()
    await opened((library) => library.writeCheckpoint(forever))
    await restore()
    expect(await rebuilt()).toEqual([])
    expect(await facts()).not.toEqual(without)
    expect(await facts()).not.toContain(null)
  })

  test('are not named any more once the next entry has taken the place of the last one', async () => {
    const { folder, last, rebuilt } = await withDamaged(-1)
    expect(await rebuilt()).toEqual([damagedEntry(last)])
    expect(await rebuilt()).toEqual([damagedEntry(last)])
    const galley = await open(folder, made)
    galley.index.rules.pause(null, { reason: 'in its place', since: now().toISOString() })
    expect(await findingsOf(galley)).toEqual([])
    await galley.close()
    expect(await rebuilt()).toEqual([])
  })
})
