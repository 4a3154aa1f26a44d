import { describe, expect, it } from 'vitest'

import { acme, aSnapshot, openLibrary, sha, storeSnapshot } from './sample.ts'

describe('font snapshots', () => {
  it('are returned with their files and public URLs', async () => {
    const { index } = await openLibrary()
    const files = [
      { name: 'Inter.woff2', sha256: sha('inter'), sizeBytes: 3 },
      { name: 'a b.woff', sha256: sha('ab'), sizeBytes: 4 },
    ]
    storeSnapshot(
      index,
      aSnapshot('s/1', { files, tree: sha('tree'), answer: sha('answer'), publicBase: 'https://cdn.test' }),
    )
    const folder = 'https://cdn.test/fonts/acme/s%2F1/'
    const parts = { css: sha('css s/1'), tree: sha('tree'), answer: sha('answer'), kept: sha('kept s/1') }
    const withUrls = [
      { ...files[0], url: `${folder}Inter.woff2` },
      { ...files[1], url: `${folder}a%20b.woff` },
    ]
    const summary = {
      site: 'acme',
      snapshotId: 's/1',
      receivedAt: '2026-11-01T10:00:01.000Z',
      files: ['Inter.woff2', 'a b.woff'],
      cssUrl: `${folder}vms_fonts.css`,
      archiveSha256: sha('archive s/1'),
    }
    expect(index.snapshots.list('acme')).toEqual([summary])
    expect(index.snapshots.find('acme', 's/1')).toEqual({ ...parts, files: withUrls })
    expect(index.snapshots.newest('acme')).toEqual({ ...summary, ...parts, fontFiles: withUrls })
    expect(index.snapshots.archiveOf('acme', 's/1')).toBe(sha('archive s/1'))
    const css = { name: 'vms_fonts.css', sha256: parts.css, sizeBytes: 1 }
    for (const file of [...withUrls, { ...css, url: summary.cssUrl }])
      expect(index.snapshots.fileAt('acme', file.url)).toEqual(file)
    for (const url of [`${folder}vms_fonts.json`, summary.cssUrl.replace('s%2F1', 'other')])
      expect(index.snapshots.fileAt('acme', url)).toBeNull()
    expect(index.snapshots.fileAt('other', summary.cssUrl)).toBeNull()
  })

  it('are listed by arrival, newest first, and the newest is current; each site has its own', async () => {
    const { index } = await openLibrary()
    index.sites.put({ ...acme, id: 'other' })
    for (const id of ['z', 'a', 'm']) storeSnapshot(index, aSnapshot(id))
    storeSnapshot(index, aSnapshot('z', { site: 'other' }))
    expect(index.snapshots.list('acme').map(({ snapshotId }) => snapshotId)).toEqual(['m', 'a', 'z'])
    expect(index.snapshots.newest('acme')?.snapshotId).toBe('m')
    expect(index.snapshots.newest('other')?.snapshotId).toBe('z')
    expect([
      index.snapshots.newest('nobody'),
      index.snapshots.find('acme', 'x'),
      index.snapshots.archiveOf('acme', 'x'),
    ]).toEqual([null, null, null])
    expect(index.snapshots.find('acme', 'z')).toMatchObject({ tree: null, answer: null, files: [] })
    expect(() => storeSnapshot(index, aSnapshot('a'))).toThrow(
      'UNIQUE constraint failed: snapshot.site, snapshot.snapshot_id',
    )
  })
})
