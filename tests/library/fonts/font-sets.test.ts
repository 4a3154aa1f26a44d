import { describe, expect, it } from 'vitest'

import { fontHandlers } from '../../../src/main/ipc/handlers/fonts.ts'
import { aFontsSave, createTestGalley } from '../../support/test-galley.ts'

const face = (family: string, file: string, more = ''): string =>
  `@font-face { font-family: "${family}"; font-weight: 400; ${more} src: url("dummy-${file}?#iefix") format("woff2") }`

/** A site with two font sets: the newer one has another bold file, lacks a family and refers to a missing file. */
async function setUp() {
  const made = await createTestGalley()
  const { post, service } = made
  const fonts = async (snapshotId: string, css: string, files: Record<string, string>) => {
    const named = Object.fromEntries(Object.entries(files).map(([name, bytes]) => [`vms_fonts/${name}`, bytes]))
    const save = aFontsSave(service, snapshotId, { 'vms_fonts.css': css, 'vms_fonts.json': '{}', ...named })
    expect((await post(save.body, save.headers)).json.rc).toBe(1)
  }
  await fonts(
    'f1',
    face('Sans', 'sans.woff2') + face('Sans', 'bold.woff2', 'font-style: italic;') + face('Old', 'o.woff2'),
    {
      'sans.woff2': 'sans',
      'bold.woff2': 'bold one',
      'o.woff2': 'old',
    },
  )
  await fonts(
    'f2',
    face('Sans', 'sans.woff2') + face('Sans', 'bold.woff2', 'font-style: italic;') + face('Gone', 'gone.woff2'),
    {
      'sans.woff2': 'sans',
      'bold.woff2': 'bold two',
      'spare.woff2': 'spare',
    },
  )
  const calls = fontHandlers(made.galley)
  const inspected = async (snapshotId: string) => {
    const answer = await calls.inspectSnapshot({ site: 'acme', snapshotId })
    if (!answer.ok) throw new Error(answer.failure.code)
    return answer.value
  }
  return { ...made, calls, inspected }
}

describe('the font sets of a site', () => {
  it('are listed newest first; the newest is in use', async () => {
    const { calls } = await setUp()
    const rows = await calls.querySnapshots({ site: 'acme' })
    expect(rows.map(({ snapshotId, current, files, bytes }) => ({ snapshotId, current, files, bytes }))).toEqual([
      { snapshotId: 'f2', current: true, files: 3, bytes: 17 },
      { snapshotId: 'f1', current: false, files: 3, bytes: 15 },
    ])
  })

  it('show the stored file of each face, faces without one, and files without a face', async () => {
    const { inspected, listener } = await setUp()
    const { faces, fontFiles, currentCssUrl } = await inspected('f2')
    expect(faces.map(({ family, style, files }) => [family, style, files[0]?.stored?.name ?? null])).toEqual([
      ['Sans', 'normal', 'sans.woff2'],
      ['Sans', 'italic', 'bold.woff2'],
      ['Gone', 'normal', null],
    ])
    expect(fontFiles.map(({ name, isNamed }) => [name, isNamed])).toEqual([
      ['bold.woff2', true],
      ['sans.woff2', true],
      ['spare.woff2', false],
    ])
    expect(currentCssUrl).toBe(`${listener}/fonts/acme/current.css`)
  })

  it('differ in faces and files by their bytes, not by their URLs', async () => {
    const { calls } = await setUp()
    const answer = await calls.compareSnapshots({ site: 'acme', before: 'f1', after: 'f2' })
    if (!answer.ok) throw new Error(answer.failure.code)
    const { facesAdded, facesRemoved, facesChanged, ...files } = answer.value
    expect(facesAdded.map(({ family }) => family)).toEqual(['Gone'])
    expect(facesRemoved.map(({ family }) => family)).toEqual(['Old'])
    expect(facesChanged.map(({ after }) => after.style)).toEqual(['italic'])
    expect(files).toEqual({
      before: 'f1',
      after: 'f2',
      filesAdded: ['spare.woff2'],
      filesRemoved: ['o.woff2'],
      filesChanged: ['bold.woff2'],
      cssChanged: true,
    })
    const same = await calls.compareSnapshots({ site: 'acme', before: 'f1', after: 'f1' })
    expect(same).toMatchObject({ value: { facesAdded: [], facesChanged: [], filesChanged: [], cssChanged: false } })
  })

  it('report a deleted font set by code', async () => {
    const { calls } = await setUp()
    const unknown = { ok: false, failure: { code: 'unknown_snapshot', snapshotId: 'f9' } }
    expect(await calls.inspectSnapshot({ site: 'acme', snapshotId: 'f9' })).toMatchObject(unknown)
    expect(await calls.startFontUsage({ site: 'acme', snapshotId: 'f9' })).toMatchObject(unknown)
    expect(await calls.compareSnapshots({ site: 'acme', before: 'f1', after: 'f9' })).toMatchObject(unknown)
  })
})
