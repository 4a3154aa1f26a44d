import { describe, expect, it } from 'vitest'

import type { Index } from '../../../packages/library/db/library-index.ts'
import { acme, aVersion, openLibrary, storeVersion } from './sample.ts'

const open = (
  index: Index,
  materialId: string,
  more: { title?: string; slug?: string; sent?: string; session?: string; at?: string } = {},
) =>
  index.materials.recordOpen({
    site: acme.id,
    materialId,
    title: more.title ?? null,
    slug: more.slug ?? null,
    sessionId: more.session ?? 's-1',
    fingerprint: 'f-1',
    url: 'https://svc.test/editor/f-1',
    at: more.at ?? '2026-11-01T10:00:00.000Z',
    sentMetadata: more.sent ?? '{}',
    callbackUrl: acme.callbackUrl,
  })

const ids = (found: readonly { materialId: string }[]) => found.map(({ materialId }) => materialId)

describe('materials', () => {
  it('are made by the first open, with their id as title and slug', async () => {
    const { index } = await openLibrary()
    open(index, 'post-1')
    expect(index.materials.find('acme', 'post-1')).toEqual({
      site: 'acme',
      materialId: 'post-1',
      title: 'post-1',
      slug: 'post-1',
      versions: 0,
      currentVersionId: null,
      savedAt: null,
      archivedAt: null,
      session: {
        sessionId: 's-1',
        fingerprint: 'f-1',
        url: 'https://svc.test/editor/f-1',
        lastAccess: '2026-11-01T10:00:00.000Z',
        keptUntil: '2026-11-15T10:00:00.000Z',
      },
    })
    expect(index.materials.find('acme', 'post-2')).toBe(null)
    expect(index.materials.find('other', 'post-1')).toBe(null)
  })

  it('keep title and slug when an open gives none, and take what an open gives', async () => {
    const { index } = await openLibrary()
    open(index, 'post-1', { title: 'Harbour', slug: 'harbour', sent: '{"a":1.0}' })
    open(index, 'post-1', { session: 's-2', at: '2026-11-02T10:00:00.000Z', sent: '{"b":[ ]}' })
    expect(index.materials.find('acme', 'post-1')).toMatchObject({
      title: 'Harbour',
      slug: 'harbour',
      session: { sessionId: 's-2', lastAccess: '2026-11-02T10:00:00.000Z' },
    })
    expect(index.materials.sentAtOpen(acme.id, 'post-1')).toEqual({
      metadata: '{"b":[ ]}',
      callbackUrl: acme.callbackUrl,
    })
    expect(index.materials.sentAtOpen(acme.id, 'post-2')).toBe(null)
  })

  it('are distinguished unit by unit', async () => {
    const { index } = await openLibrary()
    const odd = ['Post', 'post', 'post ', '', 'pöst', 'po\u0308st', "o'--", '%', '日本', '\u{1F600}']
    for (const id of odd) open(index, id)
    expect(ids(index.materials.listByArrival('acme'))).toEqual(odd)
    for (const id of odd) expect(index.materials.find('acme', id)?.materialId).toBe(id)
  })

  it('are listed last saved first, the unsaved ones behind, up to a limit', async () => {
    const { index } = await openLibrary()
    for (const id of ['unsaved-1', 'a', 'b', 'unsaved-2']) open(index, id)
    storeVersion(index, aVersion('v1', { materialId: 'a', receivedAt: '2026-11-01T10:00:02.000Z' }))
    storeVersion(index, aVersion('v2', { materialId: 'b', receivedAt: '2026-11-01T10:00:01.000Z' }))
    expect(ids([...index.materials.list('acme')])).toEqual(['a', 'b', 'unsaved-2', 'unsaved-1'])
    expect(ids(index.materials.listByArrival('acme'))).toEqual(['unsaved-1', 'a', 'b', 'unsaved-2'])
    expect([...index.materials.list('other')]).toEqual([])
  })
})
