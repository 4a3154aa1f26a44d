import { describe, expect, it } from 'vitest'

import type { Site } from '../../../packages/library/records/site.ts'
import { acme, aVersion, openLibrary, storeVersion } from './sample.ts'

const odd: Site = {
  ...acme,
  id: 'odd.one-1',
  name: `O'Neill "\u202e" 日本`,
  environment: 'dev',
  publicUrl: 'https://cdn.test/x',
  allowedDomains: ['*.a.test', 'b.test'],
  downloadOrigins: ['https://dl.test'],
  publish: { kind: 'folder', directory: '/srv/with "quotes"' },
  unknownMaterials: 'accept',
  callbackAuth: 'bearer',
}

describe('sites', () => {
  it('are returned as stored, in the order of their ids', async () => {
    const { index } = await openLibrary()
    index.sites.put(odd)
    expect(index.sites.find(odd.id)).toEqual(odd)
    expect(index.sites.list()).toEqual([acme, odd])
    expect(index.sites.find('ACME')).toBe(null)
  })

  it('are replaced as a whole, and keep the marks of their secrets', async () => {
    const { index } = await openLibrary()
    index.secretMarks.markSecret(acme.id, 'mark-1')
    index.secretMarks.markCallbackAuth(acme.id, 'mark-2')
    index.sites.put({ ...odd, id: acme.id })
    expect(index.sites.list()).toEqual([{ ...odd, id: acme.id }])
    expect(index.secretMarks.marks(acme.id)).toEqual({ secret: 'mark-1', callbackAuth: 'mark-2', bucketKeys: null })
    expect(index.secretMarks.marks('nobody')).toEqual({ secret: null, callbackAuth: null, bucketKeys: null })
  })

  it('leave every list when they are removed, and return with their materials', async () => {
    const { index } = await openLibrary()
    storeVersion(index, aVersion('v1'))
    index.secretMarks.markSecret(acme.id, 'mark')
    expect(index.sites.remove(acme.id, '2026-11-02T00:00:00.000Z')).toBe(true)
    expect(index.sites.remove(acme.id, '2026-11-03T00:00:00.000Z')).toBe(false)
    expect(index.sites.remove('nobody', '2026-11-03T00:00:00.000Z')).toBe(false)
    expect([index.sites.find('acme'), index.sites.list()]).toEqual([null, []])

    index.sites.put({ ...acme, name: 'Acme again' })
    expect(index.sites.find('acme')?.name).toBe('Acme again')
    expect([...index.materials.list('acme')]).toMatchObject([{ materialId: 'post-1', versions: 1 }])
    expect(index.versions.list('acme', 'post-1')).toMatchObject([{ versionId: 'v1', current: true }])
  })
})
