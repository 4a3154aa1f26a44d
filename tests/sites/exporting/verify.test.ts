import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

import type { Disk } from '../../../packages/platform/disk/disk.ts'
import { realDisk } from '../../../packages/platform/disk/disk.ts'
import { exportBundle } from '../../../packages/sites/exporting/export-bundle.ts'
import type { ExportTarget } from '../../../packages/sites/exporting/target-lock.ts'
import { contentsOf, filesIn, hashOf, marksOf, temporaryFolder } from './folders.ts'
import type { Library } from './into-folder.ts'
import { reported } from './into-folder.ts'
import { createFilledLibrary, plainOptions } from './sample-library.ts'

const run = async (library: Library, target: ExportTarget, verify: boolean, disk: Disk) =>
  reported(await exportBundle({ source: library.source(), target, options: { ...plainOptions, verify }, disk }))
const verified = (library: Library, target: ExportTarget, disk = realDisk) => run(library, target, true, disk)

const pathOf = (out: string, end: string): string => filesIn(out).find((path) => path.endsWith(end)) ?? ''

/** Other bytes of the same length. */
function spoil(file: string): void {
  const bytes = readFileSync(file)
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  writeFileSync(file, bytes)
}

describe('a folder that is verified', () => {
  it('compares every file by content, and writes damaged and missing ones again', async () => {
    const out = join(temporaryFolder(), 'out')
    const target = { kind: 'folder', directory: out } as const
    const library = createFilledLibrary()
    expect(await verified(library, target)).toMatchObject({ value: { added: 18, verified: { files: 18, wrong: [] } } })
    const [whole, marks] = [contentsOf(out), marksOf(out)]
    expect(await verified(library, target)).toMatchObject({
      value: { unchanged: 18, verified: { files: 18, wrong: [] } },
    })
    expect(marksOf(out), 'what is right is not touched').toEqual(marks)

    const [video, logo] = [pathOf(out, 'unused.mp4'), pathOf(out, 'logo.svg')]
    spoil(join(out, video))
    spoil(join(out, 'page-2/index.html'))
    rmSync(join(out, logo))
    const plain = await run(library, target, false, realDisk)
    expect(plain).toMatchObject({ value: { changed: 1, added: 1 } })
    expect(plain, 'nobody asked').not.toHaveProperty('value.verified')
    expect(contentsOf(out), 'equal size is taken for equal content').not.toEqual(whole)

    spoil(join(out, 'page-2/index.html'))
    rmSync(join(out, logo))
    const report = await verified(library, target)
    expect(report).toMatchObject({ value: { files: 18, changed: 2, added: 1, verified: { files: 18 } } })
    if (!report.ok) throw new Error('The export failed')
    expect(report.value.verified?.wrong.toSorted()).toEqual([logo, video, 'page-2/index.html'].toSorted())
    expect(contentsOf(out)).toEqual(whole)
  })

  it('does not report changes in the library as damage', async () => {
    const out = temporaryFolder()
    const target = { kind: 'folder', directory: out } as const
    const library = createFilledLibrary()
    await verified(library, target)
    library.save('2', '<h1>Another</h1>')
    expect(await verified(library, target)).toMatchObject({ value: { changed: 4, verified: { wrong: [] } } })
    library.save('2', '<h1>A third</h1>')
    spoil(join(out, 'page-2/index.html'))
    expect(await verified(library, target)).toMatchObject({
      value: { changed: 3, verified: { wrong: ['page-2/index.html'] } },
    })
  })

  /** A disk that changes the bytes of the picture, the given number of times. */
  const forgetfulDisk = (times: number): Disk => {
    let left = times
    return {
      ...realDisk,
      async create(path, chunks) {
        await realDisk.create(path, chunks)
        if (statSync(path).size !== 40_000 || left === 0) return
        left -= 1
        spoil(path)
      },
    }
  }

  it('writes a file again if the disk returns other bytes, and fails if that happens twice', async () => {
    const [good, bad] = [temporaryFolder(), temporaryFolder()]
    const library = createFilledLibrary()
    const report = await verified(library, { kind: 'folder', directory: good }, forgetfulDisk(1))
    expect(report).toMatchObject({ value: { verified: { files: 18, wrong: [expect.stringMatching(/\.png$/)] } } })
    await verified(library, { kind: 'folder', directory: bad })
    expect(contentsOf(good)).toEqual(contentsOf(bad))
    const directory = temporaryFolder()
    const never = await verified(library, { kind: 'folder', directory }, forgetfulDisk(2))
    expect(filesIn(directory), 'no page, and nothing half-written').not.toContainEqual(
      expect.stringMatching(/html|tmp|hero/),
    )
    expect(never).toMatchObject({ failure: { code: 'unreliable_target', path: expect.stringMatching(/\.png$/) } })
  })
})

describe('a ZIP that is verified', () => {
  it('reports what was damaged in the previous one, and is complete itself', async () => {
    const file = join(temporaryFolder(), 'site.zip')
    const target = { kind: 'zip', file } as const
    const library = createFilledLibrary()
    expect(await verified(library, target)).toMatchObject({ value: { verified: { files: 18, wrong: [] } } })
    const whole = hashOf(file)
    expect(await verified(library, target)).toMatchObject({ value: { verified: { files: 18, wrong: [] } } })

    const bytes = readFileSync(file)
    // In the data of a file, and in the header of another one. The name is there and in the directory after it.
    const header = bytes.lastIndexOf('theme/style-', bytes.lastIndexOf('theme/style-') - 1)
    for (const [damaged, wrong] of [
      [bytes.indexOf('videovideo') + 500, /unused\.mp4$/],
      [header - 20, /style-[0-9a-f]+\.css$/],
    ] as const) {
      await using handle = await open(file, 'r+')
      await handle.write(Buffer.from([(bytes[damaged] ?? 0) ^ 1]), 0, 1, damaged)
      await handle.close()
      expect(await verified(library, target)).toMatchObject({
        value: { unchanged: 18, verified: { files: 18, wrong: [expect.stringMatching(wrong)] } },
      })
      expect(hashOf(file)).toBe(whole)
    }
  })
})
