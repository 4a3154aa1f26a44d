import { describe, expect, test } from 'vitest'

import type { SaveParts } from '../../../support/test-galley.ts'
import { aFontsSave, aSave, createTestGalley, zipOf } from '../../../support/test-galley.ts'
import { expectRefused, withStoredVersion } from './refused.ts'

describe('refused archives change nothing', () => {
  const html = '<p>new</p>'
  const cases: readonly [string, string, (parts?: SaveParts) => SaveParts][] = [
    ['not a ZIP', 'invalid_archive', () => ({ archive: Buffer.from('<html>sorry</html>') })],
    ['an empty body', 'invalid_archive', () => ({ archive: Buffer.alloc(0) })],
    [
      'a truncated ZIP',
      'invalid_archive',
      () => ({ archive: zipOf({ 'vms_html.html': html, 'vms_json.json': '{}' }).subarray(0, -30) }),
    ],
    [
      'a climbing name',
      'invalid_archive',
      () => ({ archive: zipOf({ 'vms_html.html': html, 'vms_json.json': '{}', 'vms_media/../../evil': 'x' }) }),
    ],
    ['no vms_html', 'invalid_archive', () => ({ archive: zipOf({ 'vms_json.json': '{}' }) })],
    ['no vms_json', 'invalid_archive', () => ({ archive: zipOf({ 'vms_html.html': html }) })],
    ['a vms_json that is no JSON', 'invalid_archive', () => ({ state: '{"assets":' })],
    ['a vms_json with a byte order mark', 'invalid_archive', () => ({ state: '\uFEFF{}' })],
    ['a vms_json that is a list', 'invalid_archive', () => ({ state: '[]' })],
    [
      'a vms_json nested without end',
      'invalid_archive',
      () => ({ state: `{"a":${'['.repeat(500)}${']'.repeat(500)}}` }),
    ],
    [
      'a page that is not UTF-8',
      'invalid_archive',
      () => ({ archive: zipOf({ 'vms_html.html': Buffer.from([0xc3, 0x28]), 'vms_json.json': '{}' }) }),
    ],
    [
      'an asset without its file',
      'missing_asset',
      () => ({ html, files: {}, state: { assets: { 'gone.png': { clientUrl: 'dummy-gone.png' } } } }),
    ],
    [
      'a known version_id with other bytes',
      'version_conflict',
      () => ({ versionId: 'stored', html: '<p>other</p>', session: 'another' }),
    ],
  ]
  for (const [name, code, parts] of cases) {
    test(`${name}: ${code}`, async () => {
      const fixture = await withStoredVersion()
      const save = aSave(fixture.service, parts())
      await expectRefused(fixture, await fixture.post(save.body, save.headers), 200, code)
    })
  }

  test('over the size limit, declared or not: content_too_large', async () => {
    const fixture = await withStoredVersion({ site: { maxContentBytes: 2000 } })
    const save = aSave(fixture.service, {
      files: { 'big.bin': Buffer.alloc(5000, Math.PI.toString()) },
      archive: Buffer.alloc(3000, 1),
    })
    await expectRefused(fixture, await fixture.post(save.body, save.headers), 200, 'content_too_large')
    fixture.service.onDownload((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/zip' })
      // Chunked, so that the length is not declared.
      response.write(Buffer.alloc(1500))
      response.end(Buffer.alloc(1500))
      return true
    })
    await expectRefused(fixture, await fixture.post(save.body, save.headers), 200, 'content_too_large')
  })

  test('a URL of the answer outside the allowed domains: domain_not_allowed', async () => {
    const fixture = await createTestGalley({ site: { allowedDomains: ['example.test'] } })
    await fixture.know('post-1')
    const save = aSave(fixture.service)
    const answer = await fixture.post(save.body, save.headers)
    expect(answer.json).toMatchObject({ rc: 0, code: 'domain_not_allowed' })
    expect(await fixture.filesOf()).toEqual([])
  })

  test('a fonts URL outside the allowed domains: domain_not_allowed', async () => {
    const fixture = await createTestGalley({ site: { allowedDomains: ['example.test'] } })
    const save = aFontsSave(
      fixture.service,
      's',
      { 'vms_fonts/a.woff': 'x', 'vms_fonts.css': 'a{}', 'vms_fonts.json': '{}' },
      { id: 'a.woff' },
    )
    expect((await fixture.post(save.body, save.headers)).json).toMatchObject({ rc: 0, code: 'domain_not_allowed' })
    expect(await fixture.filesOf()).toEqual([])
  })
})
