import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'

import { openFileLock } from '../../../packages/library/db/file-lock.ts'
import type { Staged } from '../../../packages/library/vault/vault.ts'
import { openVault } from '../../../packages/library/vault/vault.ts'
import type { Sha256 } from '../../../packages/wire/ids.ts'
import { aFontsSave, aSave, createTestGalley, temporaryFolder } from '../../support/test-galley.ts'

const sha = (text: string): Sha256 => createHash('sha256').update(text).digest('hex') as Sha256

/** A vault whose index references the files in `named`, and has dropped those in `dropped`. */
async function aVault() {
  const folder = await temporaryFolder()
  const named = new Set<Sha256>()
  const dropped = new Set<Sha256>()
  const lock = openFileLock(folder)
  onTestFinished(lock.close)
  const vault = await openVault(
    folder,
    { isReferenced: (file) => named.has(file), wasDropped: (file) => dropped.has(file) },
    lock,
  )
  const files = async () => {
    const entries = await readdir(join(folder, 'files'), { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .toSorted()
  }
  const staged = async (...texts: readonly string[]): Promise<readonly Staged[]> => {
    const directory = await vault.stage()
    return Promise.all(
      texts.map(async (text, at) => {
        const path = join(directory, `blob-${at}`)
        await writeFile(path, text)
        return { path, sha256: sha(text) }
      }),
    )
  }
  const place = async (...texts: readonly string[]): Promise<void> => {
    const adoption = await vault.adopt(await staged(...texts))
    adoption.settle('nothing_stored')
  }
  const hashes = (...texts: readonly string[]) => texts.map(sha).toSorted()
  return { folder, named, dropped, vault, files, staged, place, hashes }
}

describe('adopting staged files', () => {
  it('moves them to paths with their hash, and keeps what the index references', async () => {
    const { vault, named, staged, files, hashes } = await aVault()
    const job = await staged('a', 'b', 'c')
    const adoption = await vault.adopt(job)
    for (const text of ['a', 'b', 'c']) expect(await readFile(vault.pathOf(sha(text)), 'utf8')).toBe(text)
    for (const { path } of job) await expect(stat(path)).rejects.toThrow('ENOENT')
    for (const text of ['a', 'c']) named.add(sha(text))
    adoption.settle('nothing_stored')
    expect(await files()).toEqual(hashes('a', 'c'))
  })

  it('leaves nothing if the index references nothing', async () => {
    const { place, files } = await aVault()
    await place('a', 'b')
    expect(await files()).toEqual([])
  })

  it.each(['stored', 'unknown'] as const)(
    'keeps everything when the outcome is %s, whatever the index names',
    async (outcome) => {
      const { vault, staged, files, hashes } = await aVault()
      const adoption = await vault.adopt(await staged('a', 'b'))
      adoption.settle(outcome)
      expect(await files()).toEqual(hashes('a', 'b'))
    },
  )

  it('keeps a file that another running job shares, until the last of them has ended', async () => {
    const { vault, named, staged, files, hashes } = await aVault()
    const first = await vault.adopt(await staged('shared', 'first'))
    const second = await vault.adopt(await staged('shared', 'second'))
    named.add(sha('second'))
    first.settle('nothing_stored')
    expect(await files()).toEqual(hashes('first', 'shared', 'second'))
    second.settle('nothing_stored')
    expect(await files()).toEqual(hashes('second'))
  })

  it('keeps a file of an earlier save if a later job that shared it is undone', async () => {
    const { vault, named, staged, files, hashes } = await aVault()
    const first = await vault.adopt(await staged('shared'))
    const second = await vault.adopt(await staged('shared', 'second'))
    named.add(sha('shared'))
    first.settle('nothing_stored')
    second.settle('nothing_stored')
    expect(await files()).toEqual(hashes('shared'))
  })

  it('counts a file once that one job brings twice', async () => {
    const { vault, named, staged, place, files, hashes } = await aVault()
    const [a] = await staged('twice')
    const [b] = await staged('twice')
    const adoption = await vault.adopt([a, b].filter((file) => file !== undefined))
    adoption.settle('nothing_stored')
    expect(await files()).toEqual([])
    named.add(sha('twice'))
    await place('twice')
    expect(await files()).toEqual(hashes('twice'))
  })

  it('repairs a damaged stored file', async () => {
    const { vault, named, place } = await aVault()
    named.add(sha('a'))
    await place('a')
    await writeFile(vault.pathOf(sha('a')), 'damaged')
    await place('a')
    expect(await readFile(vault.pathOf(sha('a')), 'utf8')).toBe('a')
  })

  it('undoes all of it if one file cannot be moved, but keeps what others need', async () => {
    const { folder, vault, named, staged, place, files, hashes } = await aVault()
    named.add(sha('known'))
    await place('known')
    const other = await vault.adopt(await staged('shared'))
    const job = [...(await staged('known', 'shared', 'new')), { path: join(folder, 'gone'), sha256: sha('gone') }]
    await expect(vault.adopt(job)).rejects.toThrow('ENOENT')
    expect(await files()).toEqual(hashes('known', 'new', 'shared'))
    other.settle('nothing_stored')
    expect(await files()).toEqual(hashes('known'))
  })
})

describe('reading', () => {
  it('returns ranges of a file, as a stream and as bytes, and nothing for an empty range', async () => {
    const { vault, named, place } = await aVault()
    named.add(sha('0123456789'))
    await place('0123456789')
    const slice = (offset: number, sizeBytes: number) => ({ file: sha('0123456789'), offset, sizeBytes })
    for (const [offset, sizeBytes, text] of [
      [0, 10, '0123456789'],
      [3, 4, '3456'],
      [9, 1, '9'],
      [0, 0, ''],
      [5, 0, ''],
      [10, 0, ''],
    ] as const) {
      expect((await buffer(vault.read(slice(offset, sizeBytes)))).toString()).toBe(text)
      expect((await vault.readBytes(slice(offset, sizeBytes))).toString()).toBe(text)
    }
    await expect(vault.readBytes(slice(5, 6))).rejects.toThrow('was altered on the disk')
    await expect(vault.readBytes({ ...slice(0, 1), file: sha('gone') })).rejects.toThrow('ENOENT')
    expect([await vault.sizeOf(sha('0123456789')), await vault.sizeOf(sha('gone'))]).toEqual([10, null])
  })
})

describe('sweeping', () => {
  it('deletes what jobs that died left in staging, and nothing else', async () => {
    const { folder, vault, named, staged, place, files, hashes } = await aVault()
    named.add(sha('kept'))
    await place('kept')
    const [running] = await staged('under way')
    await vault.sweepStaging()
    expect(await readFile(running!.path, 'utf8')).toBe('under way')
    for (const name of await readdir(join(folder, 'staging'))) await vault.discard(join(folder, 'staging', name))
    const [ofFolder, ofFiles] = [randomUUID(), randomUUID()]
    for (const name of [ofFolder, 'by-a-person']) {
      await mkdir(join(folder, 'staging', name, 'deeper'), { recursive: true })
      await writeFile(join(folder, 'staging', name, 'deeper', 'file'), 'x')
    }
    for (const name of [`${ofFiles}.pack`, 'plain-file', `mine-${ofFiles}`])
      await writeFile(join(folder, 'staging', name), 'x')
    await vault.sweepStaging()
    const left = ['by-a-person', `mine-${ofFiles}`, 'plain-file']
    expect((await readdir(join(folder, 'staging'))).toSorted()).toEqual(left)
    expect(await files()).toEqual(hashes('kept'))
    for (const name of left) await vault.removeStaging(name)
    const stage = await vault.stage()
    await vault.discard(stage)
    await vault.discard(stage)
    expect(await readdir(join(folder, 'staging'))).toEqual([])
  })

  it('leaves the files of running jobs in the folder of all, and discards those of one', async () => {
    const { folder, vault } = await aVault()
    const staging = join(folder, 'staging')
    const [one, other] = [await vault.stageFiles(), await vault.stageFiles()]
    for (const { folder: shared, prefix } of [one, other]) await writeFile(join(shared, `${prefix}pack`), 'x')
    const dead = `${randomUUID()}.pack`
    await writeFile(join(staging, dead), 'x')
    expect((await vault.foreignStaging()).map(({ name }) => name)).toEqual([dead])
    await vault.sweepStaging()
    expect((await readdir(staging)).toSorted()).toEqual([`${one.prefix}pack`, `${other.prefix}pack`].toSorted())
    await vault.discardFiles(one)
    expect(await readdir(staging)).toEqual([`${other.prefix}pack`])
    vault.closeFiles(other)
    expect((await vault.foreignStaging()).map(({ name }) => name)).toEqual([`${other.prefix}pack`])
    await vault.discardFiles(other)
    expect(await readdir(staging)).toEqual([])
  })

  const always = Number.POSITIVE_INFINITY

  it('lists and sets aside unreferenced files, and deletes only dropped ones', async () => {
    const { folder, vault, named, dropped, place, files, hashes } = await aVault()
    named.add(sha('kept'))
    await place('kept')
    for (const text of ['orphan', 'another', 'dropped']) await writeFile(vault.pathOf(sha(text)), text)
    dropped.add(sha('dropped'))
    const found = { files: expect.arrayContaining(hashes('another', 'orphan')) as string[], bytes: 13, left: 0 }
    expect(await vault.unreferenced(always)).toEqual(found)
    expect((await vault.unreferenced(0)).files).toEqual([])
    expect(await files()).toEqual(hashes('another', 'dropped', 'kept', 'orphan'))
    expect(await vault.setAside([...(await vault.unreferenced(always)).files, sha('kept')])).toEqual(found)
    expect(await files()).toEqual(hashes('dropped', 'kept'))
    expect((await vault.lostAndFound()).map(({ name }) => name).toSorted()).toEqual(hashes('another', 'orphan'))
    expect(await readFile(join(folder, 'lost-and-found', sha('orphan')), 'utf8')).toBe('orphan')
    for (const { name } of await vault.lostAndFound()) await vault.deleteLostAndFound(name)
    expect(await vault.lostAndFound()).toEqual([])
    await writeFile(vault.pathOf(sha('orphan')), 'orphan')
    dropped.add(sha('kept'))
    expect(await vault.deleteDropped([sha('dropped'), sha('orphan'), sha('kept')])).toEqual({
      files: [sha('dropped')],
      bytes: 7,
      left: 0,
    })
    expect(await files()).toEqual(hashes('kept', 'orphan'))
  })

  it('waits while a job is between moving its files and referencing them', async () => {
    const { vault, named, staged, files, hashes } = await aVault()
    const running = await vault.adopt(await staged('running'))
    await writeFile(vault.pathOf(sha('orphan')), 'orphan')
    const { files: unnamed } = await vault.unreferenced(always)
    expect(unnamed.toSorted()).toEqual(hashes('orphan', 'running'))
    const swept = vault.setAside(unnamed)
    // Referenced at the last moment: an orphan at the first check that is none any more.
    named.add(sha('running'))
    running.settle('nothing_stored')
    expect((await swept).files).toEqual(hashes('orphan'))
    expect(await files()).toEqual(hashes('running'))
  })

  it('stops on request, and reports what is left', async () => {
    const { vault, staged, files, hashes } = await aVault()
    const running = await vault.adopt(await staged('running'))
    const stop = new AbortController()
    const swept = vault.setAside([sha('running')], stop.signal)
    stop.abort()
    expect((await swept).files).toEqual([])
    expect(await files()).toEqual(hashes('running'))
    running.settle('nothing_stored')
    expect(await files()).toEqual([])
  })
})

describe.skipIf(process.platform === 'win32')('file modes', () => {
  it('restrict everything in a library with saves to its owner', async () => {
    const { galley, service, know, post, folder } = await createTestGalley({
      edges: { folder: join(await temporaryFolder(), 'library') },
    })
    await know('post-1')
    const save = aSave(service, { files: { 'small.png': 'x', 'big.bin': Buffer.alloc(200_000, 1) } })
    expect((await post(save.body, save.headers)).json.rc).toBe(1)
    const fonts = aFontsSave(service, 's', { 'vms_fonts/a.woff': 'x', 'vms_fonts.css': 'a{}', 'vms_fonts.json': '{}' })
    expect((await post(fonts.body, fonts.headers)).json.rc).toBe(1)
    const during = await galley.vault.stage()
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    expect(entries.filter((entry) => entry.isFile()).length).toBeGreaterThan(6)
    const open = []
    for (const path of [folder, ...entries.map((entry) => join(entry.parentPath, entry.name))]) {
      const { mode } = await stat(path)
      if ((mode & 0o077) !== 0) open.push([path.slice(folder.length), (mode & 0o777).toString(8)])
    }
    expect(open).toEqual([])
    await galley.vault.discard(during)
  })
})
