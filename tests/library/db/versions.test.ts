import { describe, expect, it } from 'vitest'

import type { Sha256 } from '../../../packages/wire/ids.ts'
import { foundBy } from '../../support/found-by.ts'
import { acme, aVersion, openAgain, openLibrary, sha, storeVersion } from './sample.ts'

const ids = (found: readonly { versionId: string }[]) => found.map(({ versionId }) => versionId)

describe('versions', () => {
  it('are returned with all of their data', async () => {
    const { index } = await openLibrary()
    const warnings = [
      { code: 'page_empty', name: '' },
      { code: 'page_file_missing', name: 'b "c"' },
    ] as const
    storeVersion(
      index,
      aVersion('v 1/ü', {
        userEmail: 'e@test',
        metadata: '{"n":1.0}',
        sizeBytes: 42,
        publicBase: 'https://cdn.test/p',
        warnings,
        media: [
          { name: 'z.png', sha256: sha('z'), sizeBytes: 1 },
          { name: 'a/b ü.png', sha256: sha('a'), sizeBytes: 2 },
        ],
      }),
    )
    const publicUrls = {
      'a/b ü.png': `https://cdn.test/p/media/${sha('a').slice(0, 32)}/a%2Fb%20%C3%BC.png`,
      'z.png': `https://cdn.test/p/media/${sha('z').slice(0, 32)}/z.png`,
    }
    const summary = {
      site: 'acme',
      materialId: 'post-1',
      versionId: 'v 1/ü',
      number: 1,
      versionCdate: '2026-11-01T10:00:00+00:00',
      receivedAt: '2026-11-01T10:00:01.000Z',
      userEmail: 'e@test',
      mediaCount: 2,
      sizeBytes: 42,
      htmlSha256: sha('html v 1/ü'),
      archiveSha256: sha('archive v 1/ü'),
      keptSha256: sha('kept v 1/ü'),
      current: true,
      warnings,
      verdict: null,
      pinned: false,
      tags: [],
      note: '',
      heading: null,
      publicUrls,
    }
    expect(index.versions.list('acme', 'post-1')).toEqual([summary])
    expect(index.versions.find('acme', 'post-1', 'v 1/ü')).toEqual(summary)
    expect(index.versions.parts('acme', 'post-1', 'v 1/ü')).toEqual({
      html: sha('html v 1/ü'),
      state: sha('state v 1/ü'),
      kept: sha('kept v 1/ü'),
      metadata: '{"n":1.0}',
    })
    expect(index.versions.media('acme', 'post-1', 'v 1/ü')).toEqual([
      { name: 'a/b ü.png', sizeBytes: 2, sha256: sha('a'), url: publicUrls['a/b ü.png'] },
      { name: 'z.png', sizeBytes: 1, sha256: sha('z'), url: publicUrls['z.png'] },
    ])
    for (const [site, material, version] of [
      ['x', 'post-1', 'v 1/ü'],
      ['acme', 'x', 'v 1/ü'],
      ['acme', 'post-1', 'x'],
    ] as const) {
      expect(index.versions.find(site, material, version)).toBe(null)
      expect(index.versions.parts(site, material, version)).toBe(null)
      expect(index.versions.media(site, material, version)).toEqual([])
    }
  })

  it('are sorted newest first by the time of version_cdate, then by arrival', async () => {
    const { index } = await openLibrary()
    const arrivals: readonly (readonly [string, string | null])[] = [
      ['noon utc', '2026-11-01T12:00:00Z'],
      // This one would come first as text, but its time is an hour earlier.
      ['13:00 in +02:00', '2026-11-01T13:00:00+02:00'],
      ['noon again', '2026-11-01T12:00:00+00:00'],
      ['half a second on', '2026-11-01T12:00:00.500Z'],
      ['years ago', '1999-12-31T23:59:59Z'],
      ['before 1970', '1969-01-01T00:00:00Z'],
    ]
    for (const [id, versionCdate] of arrivals) storeVersion(index, aVersion(id, { versionCdate }))
    const list = index.versions.list('acme', 'post-1')
    expect(ids(list)).toEqual([
      'half a second on',
      'noon again',
      'noon utc',
      '13:00 in +02:00',
      'years ago',
      'before 1970',
    ])
    expect(list.map(({ current }) => current)).toEqual([true, false, false, false, false, false])
    expect(index.versions.currentParts('acme', 'post-1')?.html).toBe(sha('html half a second on'))
    expect(index.materials.find('acme', 'post-1')).toMatchObject({ versions: 6, currentVersionId: 'half a second on' })
  })

  it('without a readable version_cdate are sorted with the version that was current at their arrival, and before it', async () => {
    const { index } = await openLibrary()
    storeVersion(index, aVersion('none', { versionCdate: null, receivedAt: '2026-11-01T12:00:00.000Z' }))
    storeVersion(index, aVersion('later', { versionCdate: '2026-11-01T13:00:00Z' }))
    // Whatever the clock was at its arrival, it is a save of the current version, so it is current now.
    storeVersion(index, aVersion('nonsense', { versionCdate: 'yesterday', receivedAt: '2026-11-01T11:00:00.000Z' }))
    const list = () =>
      index.versions
        .list('acme', 'post-1')
        .map(({ versionId, versionCdate, current }) => [versionId, versionCdate, current])
    expect(list()).toEqual([
      ['nonsense', 'yesterday', true],
      ['later', '2026-11-01T13:00:00Z', false],
      ['none', null, false],
    ])
    storeVersion(
      index,
      aVersion('between', { versionCdate: '2026-11-01T12:30:00Z', receivedAt: '2026-11-05T00:00:00.000Z' }),
    )
    expect(list().map(([versionId]) => versionId)).toEqual(['nonsense', 'later', 'between', 'none'])
  })

  it('that are old and arrive late do not change what is current: title, search and time of saving', async () => {
    const { index } = await openLibrary()
    storeVersion(
      index,
      aVersion('new', { versionCdate: '2026-11-02T00:00:00Z', receivedAt: '2026-11-02T00:00:01.000Z', text: 'fresh' }),
    )
    const before = index.materials.find('acme', 'post-1')
    storeVersion(
      index,
      aVersion('old', {
        versionCdate: '2026-11-01T00:00:00Z',
        receivedAt: '2026-11-03T00:00:00.000Z',
        text: 'stale',
        title: 'Old heading',
      }),
    )
    expect(index.materials.find('acme', 'post-1')).toEqual({ ...before, versions: 2 })
    expect(foundBy(index, 'fresh')).toHaveLength(1)
    for (const word of ['stale', 'heading']) expect(foundBy(index, word)).toEqual([])
    expect(index.versions.currentParts('acme', 'post-1')?.html).toBe(sha('html new'))
  })

  it('that become current set the text, and the title if there is none', async () => {
    const { index, peek } = await openLibrary()
    storeVersion(index, aVersion('v1', { text: 'first words' }))
    expect(index.materials.find('acme', 'post-1')?.title).toBe('post-1')
    storeVersion(index, aVersion('v2', { text: 'second words', title: 'A heading' }))
    expect(index.materials.find('acme', 'post-1')?.title).toBe('A heading')
    storeVersion(index, aVersion('v3', { text: 'third words', title: 'Another heading' }))
    expect(index.materials.find('acme', 'post-1')?.title).toBe('A heading')
    expect(foundBy(index, 'heading third')).toHaveLength(1)
    expect(foundBy(index, 'second')).toEqual([])
    expect(peek('SELECT count(*) AS documents FROM material_text')).toEqual([{ documents: 1 }])
  })

  it('are unique by id and material', async () => {
    const { index } = await openLibrary()
    storeVersion(index, aVersion('v1'))
    storeVersion(index, aVersion('v1', { materialId: 'post-2' }))
    expect(() => storeVersion(index, aVersion('v1'))).toThrow(
      'UNIQUE constraint failed: version.material, version.version_id',
    )
    expect(ids(index.versions.list('acme', 'post-1'))).toEqual(['v1'])
  })

  it('list every public URL that they were stored under, once', async () => {
    const { index } = await openLibrary()
    for (const [id, publicBase] of [
      ['a', 'https://one.test'],
      ['b', 'https://two.test'],
      ['c', 'https://one.test'],
    ] as const) {
      storeVersion(index, aVersion(id, { publicBase }))
    }
    expect([...index.versions.publicBases('acme')].toSorted()).toEqual(['https://one.test', 'https://two.test'])
    expect(index.versions.publicBases('other')).toEqual([])
  })

  it('include a URL that was added later, by this process or another one', async () => {
    const { index, folder } = await openLibrary()
    const { index: elsewhere } = await openAgain(folder)
    storeVersion(index, aVersion('a', { publicBase: 'https://one.test' }))
    expect(index.versions.publicBases('acme')).toEqual(['https://one.test'])
    storeVersion(index, aVersion('b', { publicBase: 'https://two.test' }))
    expect(index.versions.publicBases('acme').toSorted()).toEqual(['https://one.test', 'https://two.test'])
    storeVersion(elsewhere, aVersion('c', { publicBase: 'https://three.test' }))
    expect(index.versions.publicBases('acme')).toContain('https://three.test')
  })
})

describe('media by public URL', () => {
  it('are found by the start of the hash and a name that they are stored under', async () => {
    const { index } = await openLibrary()
    const same = sha('same bytes')
    storeVersion(
      index,
      aVersion('v1', {
        media: [
          { name: 'a.png', sha256: same, sizeBytes: 3 },
          { name: 'b.png', sha256: same, sizeBytes: 3 },
        ],
      }),
    )
    const start = same.slice(0, 32)
    for (const name of ['a.png', 'b.png'])
      expect(index.versions.mediaByAddress(start, name)).toEqual({ sha256: same, sizeBytes: 3 })
    for (const name of ['c.png', 'A.PNG', '', '%', 'a.pn'])
      expect(index.versions.mediaByAddress(start, name)).toBe(null)
    const near = `${start.slice(0, 31)}${start.endsWith('f') ? '0' : 'f'}`
    expect(index.versions.mediaByAddress(near, 'a.png')).toBe(null)
    expect(index.versions.mediaByAddress(sha('html v1').slice(0, 32), 'a.png')).toBe(null)
  })

  it('are found for every first digit of a hash', async () => {
    const { index } = await openLibrary()
    const files = '0123456789abcdef'
      .split('')
      .map((digit) => ({ name: `${digit}.png`, sha256: digit.repeat(64) as Sha256, sizeBytes: 1 }))
    storeVersion(index, aVersion('v1', { media: files }))
    for (const { name, sha256 } of files)
      expect(index.versions.mediaByAddress(sha256.slice(0, 32), name)?.sha256).toBe(sha256)
  })
})

it('finds a file by its URL only among the versions of its site', async () => {
  const { index } = await openLibrary()
  index.sites.put({ ...acme, id: 'other' })
  const media = [{ name: 'a.png', sha256: sha('shared'), sizeBytes: 7 }]
  storeVersion(index, aVersion('v1', { media }))
  const url = `https://anywhere.example/media/${sha('shared').slice(0, 32)}/a.png`
  expect(index.versions.mediaOfSite('acme', url)).toEqual({ ...media[0], url })
  expect(index.versions.mediaOfSite('other', url)).toBe(null)
  expect(index.versions.mediaOfSite('acme', url.replace('a.png', 'b.png'))).toBe(null)
})
