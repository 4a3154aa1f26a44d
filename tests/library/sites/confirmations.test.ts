import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { restore } from '../../../packages/library/care/restore.ts'
import { databaseFiles } from '../../../packages/library/db/database/open.ts'
import { siteInputOf } from '../../../packages/library/records/site-input.ts'
import type { Site } from '../../../packages/library/records/site.ts'
import { forgetLocalChoices } from '../../../packages/library/settings/confirmed-sites.ts'
import {
  confirmedTexts,
  createConfirmations,
  isSameDestination,
} from '../../../packages/library/sites/confirmations.ts'
import { openGalley } from '../../support/open-galley.ts'
import { aSave, createTestGalley, temporaryFolder } from '../../support/test-galley.ts'
import { acme } from '../db/sample.ts'

/** The settings that determine where a site sends its signatures, key and media, each with another value. */
const elsewhere = {
  baseUrl: 'https://evil.example/integration',
  apiKey: 'another-key',
  callbackUrl: 'https://evil.example/callback/acme',
  publicUrl: 'https://evil.example',
  downloadOrigins: ['https://evil.example'],
  publish: { kind: 'folder', directory: '/somewhere/else' },
  environment: 'dev',
} as const satisfies Partial<Site>

/** Every other setting of a site, with another value. What a new setting decides has to be said here or above. */
const stays = {
  id: 'other' as Site['id'],
  name: 'Renamed',
  // Which hosts the links of answers may name, and from whom callbacks are taken.
  allowedDomains: ['other.example'],
  signatureHeader: 'X-Other',
  unknownMaterials: 'accept',
  callbackAuth: 'bearer',
  maxContentBytes: 1,
  requestTimeoutMs: 1,
  downloadTimeoutMs: 1,
} as const satisfies Omit<Site, keyof typeof elsewhere>

const bucket = { kind: 's3', bucket: 'media', prefix: 'a', endpoint: 'https://s3.example', region: 'eu-1' } as const

test('every setting that decides where signatures, keys and media go is confirmed, and no other one', () => {
  const site: Site = { ...acme, environment: 'prod', publish: { kind: 'listener' } }
  for (const [field, value] of Object.entries(elsewhere)) {
    expect(isSameDestination(site, { ...site, [field]: value }), field).toBe(false)
    expect(confirmedTexts(site), field).not.toEqual(confirmedTexts({ ...site, [field]: value }))
  }
  for (const [field, value] of Object.entries(stays)) {
    expect(site[field as keyof Site], field).not.toEqual(value)
    expect(isSameDestination(site, { ...site, [field]: value }), field).toBe(true)
  }
  const toBucket: Site = { ...site, publish: bucket }
  for (const [part, value] of Object.entries({ bucket: 'b', prefix: 'b', endpoint: undefined, region: 'us-1' })) {
    const changed = { ...toBucket, publish: { ...bucket, [part]: value } }
    expect(isSameDestination(toBucket, changed), part).toBe(false)
    expect(confirmedTexts(toBucket), part).not.toEqual(confirmedTexts(changed))
  }
  expect(isSameDestination(toBucket, { ...toBucket, publish: { ...bucket, publicCheck: 'off' } })).toBe(true)
})

test('a member takes new sites as they are, but not those that its library had before the team without a confirmation', async () => {
  const { galley } = await createTestGalley({ listen: false })
  const { index } = galley
  forgetLocalChoices(index.settings)
  const asMember = () => createConfirmations({ ...index, followTeam: () => Promise.resolve(0) }, false)
  expect(asMember().isConfirmed(siteOf(galley))).toBe(false)

  const later: Site = { ...siteOf(galley), id: 'later' }
  index.sites.put(later)
  expect(asMember().isConfirmed(later)).toBe(true)
  expect(asMember().isConfirmed({ ...later, apiKey: 'another' })).toBe(false)
  // A folder is one of that member's disk: a person confirms that media go to this path here.
  for (const id of ['folder', 'folder-again']) {
    const other: Site = { ...later, id, publish: { kind: 'folder', directory: '/srv/media' } }
    index.sites.put(other)
    expect(asMember().isConfirmed(other)).toBe(false)
    asMember().confirm(other)
    expect(asMember().isConfirmed(other)).toBe(true)
  }
  const moved: Site = { ...later, publish: { kind: 'folder', directory: '/srv/media' } }
  expect(asMember().isConfirmed(moved)).toBe(false)
  asMember().withdraw('later')
  expect(asMember().isConfirmed(later)).toBe(false)
  expect(asMember().isConfirmed(siteOf(galley)), 'still').toBe(false)
})

const siteOf = (galley: { index: { sites: { find(id: string): Site | null } } }): Site => {
  const site = galley.index.sites.find('acme')
  if (site === null) throw new Error('The site is missing')
  return site
}

test.each(Object.entries(elsewhere))(
  'a site whose %s changed without a person’s consent is no longer confirmed',
  async (field, value) => {
    const { galley, service, know, post, filesOf } = await createTestGalley({ site: { unknownMaterials: 'accept' } })
    await know('post-1')
    const site = siteOf(galley)
    expect((await galley.sites.find('acme'))?.isConfirmed).toBe(true)
    galley.index.sites.put({ ...site, name: 'Renamed', maxContentBytes: 1_000_000 })
    expect(galley.confirmations.isConfirmed(siteOf(galley)), 'what sends nothing anywhere').toBe(true)

    const first = aSave(service)
    expect((await post(first.body, first.headers)).json.rc).toBe(1)
    const kept = await filesOf()
    galley.index.sites.put({ ...site, [field]: value })
    expect((await galley.sites.list()).map(({ isConfirmed }) => isConfirmed)).toEqual([false])

    // Nothing is opened, probed, downloaded, published or replayed.
    const opened = await galley.sessions.open({
      site: 'acme',
      materialId: 'post-1',
      title: null,
      slug: null,
      metadata: null,
    })
    expect(opened).toEqual({ ok: false, failure: { code: 'site_unconfirmed', site: 'acme' } })
    const downloads = service.downloads.length
    if (field !== 'baseUrl') {
      const second = aSave(service)
      const { status, json } = await post(second.body, second.headers)
      expect([status, json.rc, json.code]).toEqual([503, 0, 'site_unconfirmed'])
      expect(json.rm).toMatch(/Nothing was downloaded or saved\. Confirm the site in Galley/)
      // A stored save is answered as before, without a download.
      expect((await post(first.body, first.headers)).json.rc).toBe(1)
    }
    expect([service.opens.length, service.downloads.length]).toEqual([1, downloads])
    const [stored] = galley.index.callbackList.back(
      {
        site: 'acme',
        outcomes: ['stored'],
        kinds: [],
        signatures: [],
        materialId: null,
        from: null,
        to: null,
        text: '',
      },
      Number.MAX_SAFE_INTEGER,
      1,
    )
    const record = stored && galley.index.callbacks.find(stored.id)
    if (!record) throw new Error('The save is not in the log')
    expect((await galley.replay(record, false))?.after).toMatchObject({ code: 'site_unconfirmed' })
    expect(await filesOf()).toEqual(kept)

    // After a person agrees, the site is used again.
    await galley.sites.confirm(siteOf(galley))
    expect((await galley.sites.find('acme'))?.isConfirmed).toBe(true)
  },
)

test('a lost local.db confirms no site', async () => {
  const { galley, folder } = await createTestGalley({ listen: false })
  const imported = { ...siteInputOf(siteOf(galley)), id: 'imported', name: 'Imported' }
  expect(await galley.sites.takeOver(imported, false)).toMatchObject({ ok: true, value: { isConfirmed: false } })
  await galley.close()
  for (const end of ['', '-wal', '-shm']) await rm(`${databaseFiles(folder).local}${end}`, { force: true })
  // The first opening makes the file anew, the second one finds it.
  for (const notes of [[{ kind: 'local_lost' }], []]) {
    const again = await openGalley({ folder })
    expect(again.library.notes).toEqual(notes)
    expect((await again.sites.list()).map(({ id, isConfirmed }) => [id, isConfirmed])).toEqual([
      ['acme', false],
      ['imported', false],
    ])
    await again.close()
  }
})

test('settings of another form confirm nothing, and an id such as constructor is an ordinary id', async () => {
  const { galley } = await createTestGalley({ listen: false })
  const site = siteOf(galley)
  for (const text of ['nothing', '[]', '{"acme":true}', '{"acme":{"fingerprint":1}}', 'null']) {
    galley.index.settings.put('confirmed-sites', text)
    expect(galley.confirmations.isConfirmed(site), text).toBe(false)
  }
  forgetLocalChoices(galley.index.settings)
  for (const id of ['constructor', 'toString', 'hasOwnProperty']) {
    const named = { ...site, id: id as Site['id'] }
    expect(galley.confirmations.isConfirmed(named)).toBe(false)
    galley.confirmations.confirm(named)
    expect(galley.confirmations.isConfirmed(named)).toBe(true)
  }
})

test('a site that is removed, imported from a file, or restored is not confirmed', async () => {
  const { galley, service } = await createTestGalley({ listen: false })
  const input = siteInputOf(siteOf(galley))
  expect(await galley.sites.takeOver({ ...input, callbackAuth: 'basic' }, false)).toMatchObject({
    ok: true,
    value: { isConfirmed: false, secret: 'missing' },
  })
  expect(galley.index.secretMarks.marks(siteOf(galley).id)).toEqual({
    secret: null,
    callbackAuth: null,
    bucketKeys: null,
  })
  await galley.sites.save(input, service.secret)
  expect(await galley.sites.find('acme')).toMatchObject({ isConfirmed: true, secret: 'stored' })
  await galley.sites.remove('acme')
  galley.index.sites.put({ ...input, publish: { kind: 'listener' } } as unknown as Site)
  expect(galley.confirmations.isConfirmed(siteOf(galley))).toBe(false)
  await galley.sites.save(input, service.secret)

  galley.settings.change({
    theme: 'dark',
    listener: { host: '0.0.0.0', port: 8123 },
    backups: { folder: '/somewhere', everyDays: 1 },
  })
  const folder = await temporaryFolder()
  const file = join(folder, 'library.zip')
  const run = { signal: new AbortController().signal, onProgress: () => undefined }
  expect(await galley.care.backUp({ file }, run)).toMatchObject({ ok: true })
  expect(await restore({ file, folder: join(folder, 'restored'), now: galley.now }, run)).toMatchObject({ ok: true })
  const restored = await openGalley({ folder: join(folder, 'restored') })
  expect(await restored.sites.list()).toMatchObject([{ id: 'acme', isConfirmed: false, secret: 'missing' }])
  expect(restored.settings.read()).toMatchObject({
    theme: 'system',
    listener: { host: '127.0.0.1', port: null },
    backups: { folder: null, everyDays: 1 },
  })
  await restored.close()
})

test('another service does not get the previous secret, unless the command line allows it', async () => {
  const { galley, service } = await createTestGalley({ listen: false, site: { callbackAuth: 'basic' } })
  const input = siteInputOf(siteOf(galley))
  const credentials = await galley.secrets.callbackAuth(siteOf(galley))
  const moved = { ...input, baseUrl: 'https://evil.example/integration' }
  const renewed = { isSecretRenewed: true }
  expect(await galley.sites.save({ ...input, name: 'Renamed' }, null, renewed)).toMatchObject({
    value: { secret: 'stored' },
  })
  expect(await galley.sites.save(moved, null)).toMatchObject({ value: { secret: 'stored' } })
  expect(await galley.sites.save(input, null, renewed)).toMatchObject({ value: { secret: 'missing' } })
  expect(await galley.secrets.callbackAuth(siteOf(galley))).not.toEqual(credentials)
  expect(await galley.sites.save(moved, service.secret, renewed)).toMatchObject({ value: { secret: 'stored' } })
})
