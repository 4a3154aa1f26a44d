import { describe, expect, it, onTestFinished } from 'vitest'

import type { CallbackRecord } from '../../../packages/library/records/callback-record.ts'
import { createMemoryStore } from '../../../packages/library/secrets/memory.ts'
import { createGalley } from '../../../src/main/galley.ts'
import { aFontsSave, aSave, createTestGalley, signed, zipOf } from '../../support/test-galley.ts'

/** The same library in another process, regarding files, locks and index. */
async function another(folder: string) {
  const galley = await createGalley({
    folder,
    secrets: createMemoryStore(),
    workerScript: 'none',
    backgroundScript: 'none',
    version: '0',
    log: () => undefined,
  })
  onTestFinished(galley.close)
  return galley
}

async function setUp(options: Parameters<typeof createTestGalley>[0] = {}) {
  const made = await createTestGalley(options)
  const { galley } = made
  const latest = (): CallbackRecord => {
    const [record] = galley.index.callbacks.list({ site: null, outcome: null, limit: 1 })
    if (!record) throw new Error('No callback was logged')
    return record
  }
  const everything = async () => ({
    files: await made.filesOf(),
    versions: galley.index.versions.list('acme', 'post-1'),
    snapshots: galley.index.snapshots.list('acme'),
    callbacks: galley.index.callbacks.list({ site: null, outcome: null, limit: 100 }),
    downloads: made.service.downloads.length,
  })
  /** Runs both kinds of replay, and checks that neither changes anything. */
  const replay = async (record = latest()) => {
    const before = await everything()
    const [dry, real] = [await galley.replay(record, true), await galley.replay(record, false)]
    expect(await everything()).toEqual(before)
    expect(dry).toEqual(real)
    return dry
  }
  return { ...made, change: made.changeSite, latest, replay }
}

describe('a replay', () => {
  it('continues while another process starts to listen and removes leftovers', async () => {
    const { galley, service, folder, know, post, latest } = await setUp()
    await know('post-1')
    const save = aSave(service, { versionId: 'v1' })
    await post(save.body, save.headers)
    await galley.listener.stop()
    const other = await another(folder)
    const { stageFiles } = galley.vault
    galley.vault.stageFiles = async () => {
      const staging = await stageFiles()
      await other.listener.start('127.0.0.1', 0)
      return staging
    }
    expect(await galley.replay(latest(), true)).toMatchObject({ after: { outcome: 'duplicate', versionId: 'v1' } })
    expect(other.listener.state()).toMatchObject({ kind: 'listening' })
  })

  it('of a stored save ends as a duplicate of it, without a download', async () => {
    const { service, know, post, replay } = await setUp()
    await know('post-1')
    const save = aSave(service, { versionId: 'v1' })
    await post(save.body, save.headers)
    expect(await replay()).toEqual({
      before: { outcome: 'stored', code: null, rm: 'Saved successfully', versionId: 'v1' },
      after: { outcome: 'duplicate', code: null, rm: 'Saved successfully', versionId: 'v1' },
    })
  })

  it('of a stored font set does the same, although a version has its name', async () => {
    const { service, know, post, replay } = await setUp()
    await know('site-fonts')
    const version = aSave(service, { materialId: 'site-fonts', versionId: 'snap' })
    expect((await post(version.body, version.headers)).json.rc).toBe(1)
    const fonts = aFontsSave(
      service,
      'snap',
      { 'vms_fonts/a.woff': 'x', 'vms_fonts.css': 'a{}', 'vms_fonts.json': '{}' },
      { id: 'a.woff' },
    )
    expect((await post(fonts.body, fonts.headers)).json.rc).toBe(1)
    expect(await replay()).toMatchObject({
      after: { outcome: 'duplicate', rm: 'Fonts saved successfully', versionId: 'snap' },
    })
  })

  it('recognizes the archive from which credentials were removed, after any change', async () => {
    const { service, know, post, replay, change, galley } = await setUp()
    await know('post-1')
    const save = aSave(service, { versionId: 'v1', metadata: { webhook_auth_password: 'p' } })
    expect((await post(save.body, save.headers)).json.rc).toBe(1)
    const [version] = galley.index.versions.list('acme', 'post-1')
    expect(version?.keptSha256).not.toBe(version?.archiveSha256)
    change({ publicUrl: 'https://elsewhere.test' })
    expect(await replay()).toMatchObject({ after: { outcome: 'duplicate', versionId: 'v1' } })

    const entries = {
      'vms_fonts/a.woff': 'x',
      'vms_fonts.css': 'a{}',
      'vms_fonts.json': '{}',
      'metadata_json.json': '{"webhook_auth_user":"u"}',
    }
    const fonts = aFontsSave(service, 'snap', entries)
    expect((await post(fonts.body, fonts.headers)).json.rc).toBe(1)
    expect(await replay()).toMatchObject({ after: { outcome: 'duplicate', versionId: 'snap' } })
  })

  it('reads a kept archive that is in a pack because an earlier save contained the same file', async () => {
    const { service, know, post, replay, galley } = await setUp()
    await know('post-1')
    const metadata = { version_id: 'second', version_cdate: '2026-11-02T00:00:00Z' }
    const archive = zipOf({
      'vms_html.html': '<p>second</p>',
      'vms_json.json': '{}',
      'metadata_json.json': JSON.stringify(metadata),
    })
    const first = aSave(service, {
      versionId: 'first',
      files: { 'a.png': 'first in the pack', 'download.zip': archive },
    })
    expect((await post(first.body, first.headers)).json.rc).toBe(1)
    const second = aSave(service, { versionId: 'second', archive })
    expect((await post(second.body, second.headers)).json.rc).toBe(1)
    const kept = galley.index.versions.list('acme', 'post-1')[0]?.keptSha256
    expect(kept && galley.index.blobs.find(kept)?.file).not.toBe(kept)
    expect(await replay()).toMatchObject({ after: { outcome: 'duplicate', versionId: 'second' } })
  })

  it('applies the current rules and settings', async () => {
    const { service, know, post, replay, change } = await setUp()
    await know('post-1')
    const save = aSave(service, { versionId: 'v1' })
    await post(save.body, save.headers)
    change({ allowedDomains: ['example.test'] })
    expect(await replay()).toMatchObject({
      before: { outcome: 'stored' },
      after: { outcome: 'rejected', code: 'domain_not_allowed', versionId: null },
    })
    change({ allowedDomains: [], baseUrl: 'https://moved.test' })
    expect(await replay()).toMatchObject({ after: { outcome: 'rejected', code: 'foreign_content_url' } })
  })

  it('of a refused save stops at its archive, which was not kept', async () => {
    const { service, know, post, replay } = await setUp()
    const save = aSave(service)
    expect((await post(save.body, save.headers)).json.code).toBe('refused')
    expect(await replay()).toMatchObject({
      before: { code: 'refused' },
      after: { outcome: 'refused', code: 'refused' },
    })
    await know('post-1')
    expect(await replay()).toMatchObject({
      before: { code: 'refused' },
      after: { outcome: 'failed', code: 'archive_not_kept' },
    })
  })

  it('of an unsigned callback is refused as before', async () => {
    const { service, post, replay } = await setUp()
    const save = aSave(service)
    await post(save.body, { 'x-service-signature': '0'.repeat(64) })
    expect(await replay()).toMatchObject({
      before: { code: 'invalid_signature' },
      after: { code: 'invalid_signature' },
    })
    await post(save.body)
    const replayed = await replay()
    expect(replayed?.after).toEqual(replayed?.before)
  })

  it('works without a payload that was too large to keep', async () => {
    const { service, know, post, replay, latest, galley } = await setUp()
    await know('post-1')
    const { payload } = aSave(service, { versionId: 'v1' })
    const large = signed(service, { ...payload, padding: 'x'.repeat(300_000) })
    expect((await post(large.body, large.headers)).json.rc).toBe(1)
    expect(galley.index.callbacks.payload(latest().id)).toBe(null)
    expect(await replay()).toMatchObject({ after: { outcome: 'duplicate', versionId: 'v1' } })
  })

  it('of a removed site is not possible', async () => {
    const { service, know, post, galley, latest } = await setUp()
    await know('post-1')
    const save = aSave(service)
    await post(save.body, save.headers)
    await galley.sites.remove('acme')
    expect(await galley.replay(latest(), true)).toBe(null)
  })
})
