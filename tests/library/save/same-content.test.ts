import { describe, expect, test } from 'vitest'

import type { TestService } from '../../support/service.ts'
import { aFontsSave, aSave, createTestGalley, signed, zipOf } from '../../support/test-galley.ts'

/** The session of another material, whose downloads have other addresses. */
const session = '99999999-2222-4333-8444-555555555555'

describe('the same content under another address is answered as it was stored', () => {
  test('a page that would get other URLs now', async () => {
    const { galley, service, know, post, changeSite } = await createTestGalley()
    await know('post-1')
    const save = aSave(service, { versionId: 'v1' })
    const first = await post(save.body, save.headers)
    changeSite({ publicUrl: 'https://elsewhere.test' })
    const again = aSave(service, { versionId: 'v1', files: { 'hero.png': 'picture v1' }, session })
    const answer = await post(again.body, again.headers)
    expect([first.json.rc, answer.text]).toEqual([1, first.text])
    expect(galley.index.versions.list('acme', 'post-1')).toHaveLength(1)
  })

  test('a page with a picture of an earlier save that the current version no longer has', async () => {
    const { galley, service, know, post } = await createTestGalley()
    await know('post-1')
    const state = { assets: { 'hero.png': { clientUrl: 'dummy-hero.png' } } }
    const saved = async (versionId: string, parts: Parameters<typeof aSave>[1]) => {
      const save = aSave(service, { versionId, files: {}, ...parts })
      return post(save.body, save.headers)
    }
    const archive = zipOf({
      'vms_html.html': '<p>',
      'vms_json.json': JSON.stringify(state),
      'metadata_json.json': '{"version_id":"v2"}',
    })
    await saved('v1', { state, files: { 'hero.png': 'a picture' } })
    const first = await saved('v2', { archive })
    await saved('v3', { state: { assets: {} } })
    const again = await saved('v2', { archive, session })
    expect([first.json.rc, again.text]).toEqual([1, first.text])
    expect(galley.index.versions.list('acme', 'post-1')).toHaveLength(3)
    const [latest] = galley.index.callbacks.list({ site: 'acme', outcome: null, limit: 1 })
    expect(latest).toMatchObject({ outcome: 'duplicate', rc: 1, versionId: 'v2' })
    expect(await saved('v4', { state })).toMatchObject({ json: { rc: 0, code: 'missing_asset' } })
  })

  const entries = {
    'vms_fonts/a.woff2': 'font',
    'vms_fonts.css': '@font-face{src:url(dummy-a.woff2)}',
    'vms_fonts.json': '{"list":[{"id":"a.woff2"}]}',
  }
  const tree = { list: [{ id: 'a.woff2' }] }

  /** The snapshot `s1` as the session of another material delivers it. */
  const delivered = (service: TestService, archive: Readonly<Record<string, string>>, fonts: unknown) =>
    signed(service, {
      event: 'site_fonts_updated',
      material_id: 'post-2',
      content_url: service.put('fonts', 's1', zipOf(archive), session),
      metadata: {},
      fonts,
    })

  const archives: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['the same archive', entries],
    ['another archive of the same files', Object.fromEntries(Object.entries(entries).toReversed())],
  ]
  for (const [name, archive] of archives) {
    test(`fonts with another tree, in ${name}`, async () => {
      const { galley, service, post } = await createTestGalley()
      const save = aFontsSave(service, 's1', entries, tree)
      const first = await post(save.body, save.headers)
      const again = delivered(service, archive, { changed: tree })
      const answer = await post(again.body, again.headers)
      expect([first.json.rc, answer.text]).toEqual([1, first.text])
      expect(galley.index.snapshots.list('acme')).toHaveLength(1)
      const [latest] = galley.index.callbacks.list({ site: 'acme', outcome: null, limit: 1 })
      expect(latest).toMatchObject({ outcome: 'duplicate', rc: 1, versionId: 's1' })
    })
  }

  const others: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['another file', { ...entries, 'vms_fonts/a.woff2': 'other' }],
    ['one more file', { ...entries, 'vms_fonts/b.woff2': 'font' }],
    ['another style sheet', { ...entries, 'vms_fonts.css': '@font-face{}' }],
    ['another tree', { ...entries, 'vms_fonts.json': '{}' }],
  ]
  for (const [name, archive] of others) {
    test(`fonts with ${name} are other content: version_conflict`, async () => {
      const { service, post } = await createTestGalley()
      const save = aFontsSave(service, 's1', entries, tree)
      expect((await post(save.body, save.headers)).json.rc).toBe(1)
      const again = delivered(service, archive, tree)
      expect((await post(again.body, again.headers)).json).toMatchObject({ rc: 0, code: 'version_conflict' })
    })
  }
})
