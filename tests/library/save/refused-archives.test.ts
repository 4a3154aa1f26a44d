import { describe, expect, test } from 'vitest'

import type { SaveParts } from '../../support/test-galley.ts'
import { aFontsSave, aSave, createTestGalley } from '../../support/test-galley.ts'
import { expectRefused, withStoredVersion } from './refused.ts'

describe('refused archives change nothing', () => {
  const html = '<p>new</p>'
  const cases: readonly [string, string, (parts?: SaveParts) => SaveParts][] = [
    ['not a ZIP', 'invalid_archive', () => ({ archive: Buffer.from('<html>sorry</html>') })],
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
