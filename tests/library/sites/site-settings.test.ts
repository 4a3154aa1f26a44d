import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'

import type { SiteInput } from '../../../packages/library/records/site-input.ts'
import { siteDefaults, siteInputOf } from '../../../packages/library/records/site-input.ts'
import type { Target } from '../../../packages/library/records/target.ts'
import { readTargetLocation } from '../../../packages/library/records/target.ts'
import { createMemoryStore } from '../../../packages/library/secrets/memory.ts'
import type { SecretStore, StoreProblem } from '../../../packages/library/secrets/store.ts'
import { checkSite } from '../../../packages/library/sites/site-check.ts'
import { fail } from '../../../packages/wire/result.ts'
import type { GalleyEdges } from '../../../src/main/galley.ts'
import { openGalley } from '../../support/open-galley.ts'
import { createTestGalley } from '../../support/test-galley.ts'
import { canMount, mountSmallDisk } from '../log/small-disk.ts'

const siteInput = (parts: Partial<SiteInput> = {}): SiteInput => ({
  ...siteDefaults,
  allowedDomains: [],
  downloadOrigins: [],
  id: 'other',
  name: 'Other',
  baseUrl: 'https://svc.test/integration/',
  apiKey: 'key',
  callbackUrl: 'https://site.test/callback/other/',
  ...parts,
})

/** A library whose keychain fails on demand. */
async function library(edges: Partial<GalleyEdges> = {}) {
  const values = createMemoryStore()
  let problem: StoreProblem | null = null
  const guarded = <Value>(action: () => Value) => (problem ? Promise.resolve(fail(problem)) : action())
  const secrets: SecretStore = {
    read: (account) => guarded(() => values.read(account)),
    write: (account, value) => guarded(() => values.write(account, value)),
    remove: (account) => guarded(() => values.remove(account)),
  }
  const fixture = await createTestGalley({ listen: false, edges: { secrets, ...edges } })
  return {
    ...fixture,
    secrets,
    sites: fixture.galley.sites,
    break: (next: StoreProblem | null) => void (problem = next),
  }
}

/** Adds or changes the target `live` of the site `other`. */
async function withTarget(galley: Awaited<ReturnType<typeof library>>['galley'], text: string, key: string | null) {
  const place = readTargetLocation(text, { endpoint: null, region: null })
  const site = galley.index.sites.find('other')
  if (!place.ok || !site) throw new Error('The target cannot be made')
  const target: Target = {
    site: site.id,
    name: 'live',
    place: place.value,
    publicUrl: null,
    compress: false,
    schedule: null,
  }
  const saved = await galley.releasing.targets.save(target, key)
  if (!saved.ok) throw new Error(saved.failure.code)
  return [target, saved.value] as const
}

describe('the sites of a library', () => {
  it('are saved with their secret, listed with the state of the keychain, and changed without the secret', async () => {
    const { sites, galley } = await library()
    const saved = await sites.save(siteInput(), 'geheim')
    expect(saved).toMatchObject({
      ok: true,
      value: {
        id: 'other',
        secret: 'stored',
        baseUrl: 'https://svc.test/integration',
        callbackUrl: 'https://site.test/callback/other',
      },
    })
    expect((await sites.list()).map(({ id, secret }) => [id, secret])).toEqual([
      ['acme', 'stored'],
      ['other', 'stored'],
    ])
    const site = galley.index.sites.find('other')
    if (!site) throw new Error('The site was not saved')
    expect(await sites.save({ ...siteInputOf(site), name: 'Renamed' }, null)).toMatchObject({
      ok: true,
      value: { name: 'Renamed', secret: 'stored' },
    })
    expect(await galley.secrets.secret(site.id)).toEqual({ ok: true, value: 'geheim' })
    expect(await sites.find('nobody')).toBe(null)
    expect(await sites.save(siteInput({ id: 'third' }), null)).toMatchObject({ ok: true, value: { secret: 'missing' } })
  })

  it('with an invalid setting are not saved at all, and neither is the secret', async () => {
    const { sites, galley } = await library()
    expect(await sites.save(siteInput({ baseUrl: 'ftp://svc.test' }), 'geheim')).toMatchObject({
      ok: false,
      failure: { code: 'invalid_site', field: 'baseUrl' },
    })
    expect(galley.index.sites.find('other')).toBe(null)
    expect(await galley.secrets.presence('other')).toBe('missing')
  })

  for (const problem of ['locked', 'unavailable'] as const) {
    it(`say so when the keychain is ${problem}: the settings are saved, the secret is not`, async () => {
      const fixture = await library()
      fixture.break(problem)
      expect(await fixture.sites.save(siteInput({ callbackAuth: 'basic' }), 'geheim')).toEqual(
        fail({ code: 'secrets_unavailable', field: 'secret', state: `secret_${problem}` }),
      )
      expect(fixture.galley.index.sites.find('other')?.name).toBe('Other')
      expect(fixture.galley.index.secretMarks.marks('other')).toEqual({
        secret: null,
        callbackAuth: null,
        bucketKeys: null,
      })
      fixture.break(null)
      expect(await fixture.sites.save(siteInput({ callbackAuth: 'basic' }), 'geheim')).toMatchObject({
        ok: true,
        value: { secret: 'stored' },
      })
    })
  }

  it('are removed with their secrets, keep their materials, and come back without a secret', async () => {
    const { sites, galley, know } = await library()
    await know('post-1')
    expect(await sites.remove('acme')).toEqual({ ok: true, value: true })
    expect(await sites.list()).toEqual([])
    expect(await sites.remove('acme')).toEqual({ ok: true, value: false })
    expect(await sites.save(siteInput({ id: 'acme' }), null)).toMatchObject({ ok: true, value: { secret: 'missing' } })
    expect(galley.index.materials.find('acme', 'post-1')).not.toBe(null)
  })

  it('report separately if the callback credentials could not be changed: the secret is kept', async () => {
    const fixture = await library()
    const site = fixture.galley.index.sites.find('acme')
    if (!site) throw new Error('The site was not saved')
    fixture.break('locked')
    expect(await fixture.sites.save({ ...siteInputOf(site), callbackAuth: 'basic' }, null)).toEqual(
      fail({ code: 'secrets_unavailable', state: 'credentials_locked' }),
    )
  })

  it('stay when their secrets cannot be removed', async () => {
    const fixture = await library()
    fixture.break('locked')
    expect(await fixture.sites.remove('acme')).toEqual(fail({ code: 'secrets_unavailable', state: 'removal_locked' }))
    expect(fixture.galley.index.sites.find('acme')).not.toBe(null)
    fixture.break(null)
    await fixture.sites.save(siteInput(), 'geheim')
    const [target] = await withTarget(fixture.galley, 's3:pages/www', 'id:key')
    const { index, releasing } = fixture.galley
    await index.commit.write(() =>
      index.releases.add({
        id: 'r1',
        site: target.site,
        target: target.name,
        at: '2026-11-28T00:00:00.000Z',
        record: 'a'.repeat(64),
        rollbackOf: null,
        by: 'person',
        pages: [],
        links: null,
        counts: { files: 0, added: 0, changed: 0, removed: 0, unchanged: 0, bytes: 0 },
      }),
    )
    fixture.break('locked')
    expect(await releasing.targets.remove(target)).toEqual(
      fail({ code: 'secrets_unavailable', state: 'target_removal_locked' }),
    )
    expect([index.targets.find(target.site, target.name), index.releases.of(target.site, target.name)]).toMatchObject([
      { name: 'live' },
      [{ id: 'r1' }],
    ])
    fixture.break(null)
    expect(await fixture.galley.secrets.presence('acme')).toBe('stored')
  })

  it.skipIf(!canMount())('keep all secrets in a library that cannot be written', async () => {
    const disk = mountSmallDisk(64)
    if (disk === null) throw new Error('No small disk')
    onTestFinished(disk.unmount)
    const { sites, galley, folder, secrets, close } = await library({ folder: join(disk.folder, 'library') })
    expect(await sites.save(siteInput({ callbackAuth: 'basic' }), 'geheim')).toMatchObject({ ok: true })
    const [target] = await withTarget(galley, 's3:pages/www', 'id:key')
    await close()
    disk.makeReadOnly()
    const again = await openGalley({ folder, secrets })
    onTestFinished(() => again.close())
    const refused = { code: 'library_read_only' }
    await expect(again.sites.remove('other')).rejects.toMatchObject(refused)
    await expect(again.releasing.targets.remove(target)).rejects.toMatchObject(refused)
    await expect(withTarget(again, 's3:elsewhere/www', 'other:key')).rejects.toMatchObject(refused)
    const elsewhere = siteInput({ callbackAuth: 'basic', baseUrl: 'https://other.test/integration' })
    await expect(again.sites.save(elsewhere, null, { isSecretRenewed: true })).rejects.toMatchObject(refused)
    await expect(again.sites.takeOver(elsewhere, false)).rejects.toMatchObject(refused)
    expect(await again.secrets.presence(target.site)).toBe('stored')
    expect(await again.secrets.targetKey(target.site, target.name)).toEqual({ ok: true, value: 'id:key' })
  })

  it('keep the credentials of a target for the address that was confirmed, whoever changes it', async () => {
    const { sites, galley } = await library()
    expect(await sites.save(siteInput(), 'geheim')).toMatchObject({ ok: true })
    const [target] = await withTarget(galley, 's3:pages/www', 'id:key')
    expect(await withTarget(galley, 's3:pages/www', null)).toMatchObject([target, { credentials: 'stored' }])
    const place = readTargetLocation('s3:theirs/www', { endpoint: null, region: null })
    if (!place.ok) throw new Error(place.failure)
    // As a colleague changes it.
    await galley.index.commit.write(() => galley.index.targets.put({ ...target, place: place.value }))
    expect(await withTarget(galley, 's3:theirs/www', null)).toMatchObject([{}, { credentials: 'missing' }])
  })

  it('without a secret can be removed without a keychain', async () => {
    const fixture = await library()
    await fixture.sites.save(siteInput(), null)
    fixture.break('unavailable')
    expect(await fixture.sites.remove('other')).toEqual({ ok: true, value: true })
  })

  it('with secrets from the environment are saved without one, and reject one', async () => {
    const fixture = await library()
    const galley = await openGalley({
      folder: `${fixture.folder}/env`,
      secrets: { environment: { GALLEY_SECRET_OTHER: 'geheim' } },
    })
    expect(await galley.sites.save(siteInput(), 'given')).toEqual(fail({ code: 'secrets_read_only', field: 'secret' }))
    expect(galley.index.sites.list()).toEqual([])
    expect(await galley.sites.save(siteInput({ callbackAuth: 'basic' }), null)).toMatchObject({
      ok: true,
      value: { secret: 'stored' },
    })
    expect(await galley.sites.remove('other')).toEqual({ ok: true, value: true })
    await galley.close()
  })
})

describe('plain http for a site in production', () => {
  const http = 'http://svc.test/integration'
  const refusal = (field: string) => ({ ok: false, failure: { code: 'invalid_site', field, state: 'plain_http' } })

  it('is refused until a person allows it, for each address that receives credentials', async () => {
    const { sites, galley } = await library()
    for (const [field, parts] of [
      ['baseUrl', { baseUrl: http }],
      ['callbackUrl', { callbackUrl: 'http://site.test/callback/other' }],
      ['downloadOrigins', { downloadOrigins: ['http://files.test'] }],
    ] as const) {
      const input = siteInput(parts as Partial<SiteInput>)
      expect(await sites.save(input, null)).toMatchObject(refusal(field))
      expect(await sites.save(input, null, { allowHttp: false })).toMatchObject(refusal(field))
      expect(galley.index.sites.find('other')).toBe(null)
      expect(await sites.save(input, null, { allowHttp: true })).toMatchObject({ ok: true, value: { allowHttp: true } })
      expect(await sites.remove('other')).toEqual({ ok: true, value: true })
    }
    // The consent was removed with the site.
    expect(await sites.save(siteInput({ baseUrl: http }), null)).toMatchObject(refusal('baseUrl'))
  })

  it('stays allowed for these addresses, and for no others', async () => {
    const { sites } = await library()
    await sites.save(siteInput({ baseUrl: http }), null, { allowHttp: true })
    expect(await sites.save(siteInput({ baseUrl: http, name: 'Renamed' }), null)).toMatchObject({
      ok: true,
      value: { allowHttp: true },
    })
    expect(await sites.save(siteInput({ baseUrl: 'http://other.test' }), null)).toMatchObject(refusal('baseUrl'))
    expect(await sites.save(siteInput({ baseUrl: http, callbackUrl: 'http://site.test/c' }), null)).toMatchObject(
      refusal('callbackUrl'),
    )
    expect(await sites.save(siteInput(), null)).toMatchObject({ ok: true, value: { allowHttp: false } })
    expect(await sites.save(siteInput({ baseUrl: http }), null, { allowHttp: false })).toMatchObject(refusal('baseUrl'))
  })

  it('needs no consent on this computer or in development, but does once the site is in production', async () => {
    const { sites } = await library()
    expect(
      await sites.save(siteInput({ baseUrl: 'http://127.0.0.1:9/i', callbackUrl: 'http://[::1]:1/c' }), null),
    ).toMatchObject({ ok: true, value: { allowHttp: false } })
    expect(await sites.save(siteInput({ baseUrl: http, environment: 'dev' }), null)).toMatchObject({
      ok: true,
      value: { allowHttp: false },
    })
    expect(await sites.save(siteInput({ baseUrl: http, environment: 'prod' }), null)).toMatchObject(refusal('baseUrl'))
  })

  it('of a site that was stored earlier keeps working, with a failed check until it is allowed', async () => {
    const { sites, galley } = await library()
    await sites.save(siteInput(), 'geheim')
    const site = galley.index.sites.find('other')
    if (!site) throw new Error('The site was not saved')
    // As an older version of Galley stored it.
    const plain = { ...site, baseUrl: 'http://no-such-host.invalid/integration' }
    galley.index.sites.put(plain)
    galley.confirmations.confirm(plain)
    const encryption = async () => {
      const found = await sites.find('other')
      const checks = found ? await checkSite(galley, found, null) : []
      return checks.filter(({ name }) => name === 'encryption').map(({ ok, code }) => [ok, code])
    }
    expect(await encryption()).toEqual([[false, 'http_unconfirmed']])
    const stored = siteInputOf(galley.index.sites.find('other') ?? site)
    expect(await sites.save({ ...stored, name: 'Renamed' }, null)).toMatchObject({
      ok: true,
      value: { allowHttp: false },
    })
    await sites.save(stored, null, { allowHttp: true })
    expect(await encryption()).toEqual([[true, 'http_allowed']])
    await sites.save({ ...stored, baseUrl: 'https://no-such-host.invalid' }, null)
    expect(await encryption()).toEqual([])
  })
})
