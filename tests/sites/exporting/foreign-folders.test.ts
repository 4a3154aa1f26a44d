import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

import { contentsOf, marksOf, temporaryFolder } from './folders.ts'
import { exported, refused } from './into-folder.ts'
import { createFilledLibrary } from './sample-library.ts'

describe('a folder that no export created', () => {
  it.each([
    ['with somebody’s file', (out: string) => writeFileSync(join(out, 'index.html'), 'mine')],
    ['with a hidden file', (out: string) => writeFileSync(join(out, '.env'), '')],
    ['with another manifest', (out: string) => writeFileSync(join(out, 'galley-bundle.json'), '{"files":[]}')],
    ['with a link for a manifest', (out: string) => symlinkSync('/etc/passwd', join(out, 'galley-bundle.json'))],
    ['with another journal', (out: string) => writeFileSync(join(out, 'galley-bundle.unfinished'), 'notes\n')],
    [
      'with a file of another name for unfinished files',
      (out: string) => writeFileSync(join(out, '.galley-unfinished'), 'notes\n'),
    ],
  ])('%s is refused and left alone', async (_, prepare) => {
    const out = temporaryFolder()
    prepare(out)
    const before = marksOf(out)
    expect(await refused(createFilledLibrary(), out)).toMatchObject({ code: 'not_ours' })
    expect(marksOf(out)).toEqual(before)
  })

  it('is refused if it is a file', async () => {
    const out = join(temporaryFolder(), 'out')
    writeFileSync(out, 'mine')
    expect(await refused(createFilledLibrary(), out)).toMatchObject({ code: 'not_ours' })
  })

  it('may be an empty folder for publishing, of which nothing else is touched', async () => {
    const out = temporaryFolder()
    mkdirSync(join(out, '.git'))
    for (const name of ['.git/config', 'CNAME', '.nojekyll']) writeFileSync(join(out, name), `mine: ${name}`)
    const before = marksOf(out)
    for (const added of [18, 0]) expect(await exported(createFilledLibrary(), out)).toMatchObject({ added, removed: 0 })
    expect(marksOf(out)).toMatchObject(before)
  })

  it('may contain files that a desktop created', async () => {
    const out = temporaryFolder()
    writeFileSync(join(out, '.DS_Store'), '')
    expect(await refused(createFilledLibrary(), out)).toBeNull()
  })

  it('keeps its files: an export never overwrites a foreign file', async () => {
    const out = temporaryFolder()
    const library = createFilledLibrary()
    await exported(library, out)
    mkdirSync(join(out, 'page-3'))
    writeFileSync(join(out, 'page-3/index.html'), 'mine')
    const before = marksOf(out)
    library.save('3', '<p>three</p>')
    expect(await refused(library, out)).toEqual({ code: 'foreign_file', path: 'page-3/index.html' })
    expect(marksOf(out)).toEqual(before)
  })
})

describe('links planted in the target', () => {
  const planted = async (plant: (out: string, outside: string) => void) => {
    const [out, outside] = [temporaryFolder(), temporaryFolder()]
    writeFileSync(join(outside, 'index.html'), 'outside')
    const library = createFilledLibrary()
    await exported(library, out)
    plant(out, outside)
    const fresh = library.media('fresh.png', 'fresh')
    library.save('1', `<img src="${fresh.url}">`, [fresh])
    return { failure: await refused(library, out), left: contentsOf(outside), outside }
  }

  it.each(['media', 'page-1', 'fonts', 'theme'])('for the folder %s are not followed', async (folder) => {
    const { failure, left } = await planted((out, outside) => {
      renameSync(join(out, folder), join(out, 'was'))
      symlinkSync(outside, join(out, folder))
    })
    expect(failure).toEqual({ code: 'unsafe_target', path: folder, found: 'link' })
    expect(Object.keys(left)).toEqual(['index.html'])
  })

  it.each(['page-1/index.html', 'index.html', 'favicon.svg'])('for the file %s are not followed', async (path) => {
    const { failure, outside } = await planted((out, target) => {
      renameSync(join(out, path), join(out, 'was'))
      symlinkSync(join(target, 'index.html'), join(out, path))
    })
    expect(failure).toEqual({ code: 'unsafe_target', path, found: 'link' })
    expect(readFileSync(join(outside, 'index.html'), 'utf8')).toBe('outside')
  })

  it('are not followed to delete: an old file behind one stays', async () => {
    const [out, outside] = [temporaryFolder(), temporaryFolder()]
    writeFileSync(join(outside, 'index.html'), 'outside')
    const library = createFilledLibrary()
    await exported(library, out)
    renameSync(join(out, 'page-2'), join(out, 'was'))
    symlinkSync(outside, join(out, 'page-2'))
    library.pages.pop()
    expect(await refused(library, out)).toMatchObject({ code: 'unsafe_target', path: 'page-2' })
    expect(readFileSync(join(outside, 'index.html'), 'utf8')).toBe('outside')
  })
})
