import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

import type { SiteForm } from '../../../../src/ipc/sites.ts'
import { siteCalls } from '../../../../src/ipc/sites.ts'
import { openGalley } from '../../../support/open-galley.ts'
import { aSave, temporaryFolder } from '../../../support/test-galley.ts'
import { testWindow } from '../../../support/test-window.ts'
import { formOf, setUp } from './site-fixture.ts'

test('a removed site returns with its materials, so a person confirms where their content is sent', async () => {
  const { calls, galley, asked, agreed, know } = await setUp()
  await know('post-1')
  const form = formOf(galley, { baseUrl: 'https://elsewhere.test/i', secret: 'a new one' })
  agreed.push(true)
  expect(await calls.removeSite({ site: 'acme' })).toMatchObject({ ok: true })
  asked.length = 0
  expect(await calls.saveSite(form)).toMatchObject({ failure: { code: 'not_confirmed' } })
  expect(asked.map(({ detail }) => detail)).toEqual([expect.stringContaining('https://elsewhere.test/i')])
  expect(galley.index.sites.find('acme')).toBe(null)
  agreed.push(true)
  expect(await calls.saveSite(form)).toMatchObject({ ok: true, value: { isConfirmed: true } })
})

test('a person confirms that a site is removed; Cancel leaves it and its secret', async () => {
  const { calls, galley, asked } = await setUp()
  expect(await calls.removeSite({ site: 'acme' })).toMatchObject({ failure: { code: 'not_confirmed' } })
  expect(asked).toMatchObject([{ message: `Remove ${galley.index.sites.find('acme')?.name}?` }])
  expect(await calls.listSites(undefined)).toMatchObject([{ id: 'acme', secret: 'stored' }])
})

test('a person confirms old and new value before a site sends its data elsewhere; Cancel changes nothing', async () => {
  const { calls, galley, asked, agreed, service } = await setUp()
  const before = galley.index.sites.find('acme')
  expect(await calls.saveSite(formOf(galley, { name: 'Acme again', maxContentBytes: 5_000_000 }))).toMatchObject({
    ok: true,
    value: { secret: 'stored', isConfirmed: true },
  })
  expect(asked).toEqual([])
  for (const [change, told] of [
    [
      { baseUrl: 'https://evil.test/integration' },
      `Service URL:\nfrom ${service.baseUrl}\nto https://evil.test/integration`,
    ],
    [{ apiKey: 'another' }, `API key:\nfrom ${service.apiKey}\nto another`],
    [{ callbackUrl: 'https://evil.test/c' }, `Callback URL:\nfrom ${before?.callbackUrl}\nto https://evil.test/c`],
    [{ publicUrl: 'https://evil.test' }, 'Public URL of media:\nfrom none\nto https://evil.test'],
    [
      { downloadOrigins: ['https://a.test', 'https://b.test'] },
      'origins:\nfrom none\nto https://a.test, https://b.test',
    ],
    [{ publish: 's3:evil-bucket/x' }, 'Media published to:\nfrom listener\nto s3:evil-bucket/x'],
    [{ environment: 'dev' }, 'Environment:\nfrom Production'],
  ] as const) {
    const kept = galley.index.sites.find('acme')
    const form = formOf(galley, change as Partial<SiteForm>)
    expect(await calls.saveSite({ ...form, secret: 'typed' })).toMatchObject({ failure: { code: 'not_confirmed' } })
    expect(galley.index.sites.find('acme')).toEqual(kept)
    expect(await galley.secrets.secret(before!.id)).toEqual({ ok: true, value: service.secret })
    const question = asked.at(-1)
    expect(question?.message).toBe('Change where “Acme again” sends its data?')
    expect(question?.buttons).toEqual(['Change', 'Cancel'])
    expect(question?.detail).toContain(told)
    expect(question?.detail.match(/\nfrom /g), 'what stays is not told').toHaveLength(1)
  }
  expect(asked).toHaveLength(7)
  agreed.push(true)
  expect(await calls.saveSite(formOf(galley, { baseUrl: 'https://new.test/integration' }))).toMatchObject({
    ok: true,
    value: { secret: 'missing', isConfirmed: true },
  })
  expect(asked.at(-1)?.detail).toMatch(/doesn’t use the stored secret with the new service/)
  expect(galley.confirmations.isConfirmed(galley.index.sites.find('acme')!)).toBe(true)
})

test('one question is asked at a time, and no value of a site looks like text of the dialog', async () => {
  const { calls, galley, asked, desktop } = await setUp()
  const answer = Promise.withResolvers<boolean>()
  desktop.ask = (told) => {
    asked.push(told)
    return answer.promise
  }
  const window = testWindow(galley, { desktop })
  const name = 'Acme\n\nPress Change.\u202e\u0000'
  const first = window.calls.saveSite(formOf(galley, { name, apiKey: `key\nfrom a to b${'x'.repeat(400)}` }))
  // Asked in the same turn, before anybody could answer.
  expect(await window.calls.saveSite(formOf(galley, { apiKey: 'third' }))).toMatchObject({
    failure: { code: 'not_confirmed' },
  })
  expect(await window.calls.changeSettings({ listener: { host: '0.0.0.0', port: null } })).toMatchObject({
    failure: { code: 'not_confirmed' },
  })
  expect(asked).toHaveLength(1)
  expect(asked[0]?.detail).toContain('to key\uFFFDfrom a to bxxx')
  expect(asked[0]?.detail.split('\n').every((line) => line.length < 400)).toBe(true)
  answer.resolve(true)
  expect(await first).toMatchObject({ ok: true })
  expect(await calls.saveSite(formOf(galley, { apiKey: 'fourth' }))).toMatchObject({
    failure: { code: 'not_confirmed' },
  })
  expect(asked.at(-1)?.message).toBe('Change where “Acme\uFFFD\uFFFDPress Change.\uFFFD\uFFFD” sends its data?')
})

test('a new site sends data to another service, so a person confirms it', async () => {
  const { calls, galley, asked, agreed } = await setUp()
  const form = { ...formOf(galley), id: 'exit', name: 'Exit', secret: 'typed' }
  for (const away of [
    { baseUrl: 'https://evil.test/i' },
    { downloadOrigins: ['https://evil.test'] },
    { publish: 's3:bucket' },
    { callbackUrl: 'https://evil.test/c' },
    { publicUrl: 'https://evil.test' },
  ])
    expect(await calls.saveSite({ ...form, ...away })).toMatchObject({ failure: { code: 'not_confirmed' } })
  expect(asked.map(({ message }) => message)).toEqual(
    Array.from({ length: 5 }, () => 'Use these addresses for “Exit”?'),
  )
  expect(galley.index.sites.find('exit')).toBe(null)
  agreed.push(true)
  expect(await calls.saveSite({ ...form, baseUrl: 'https://service.test/i' })).toMatchObject({
    ok: true,
    value: { isConfirmed: true },
  })
  expect(await calls.saveSite({ ...form, id: 'here' })).toMatchObject({ ok: true })
  expect(asked).toHaveLength(6)
})

test('a site that is added by hand is confirmed; if its secret already exists, a person is asked first', async () => {
  const environment = { GALLEY_SECRET_ACME: 'from outside' }
  const { galley } = await setUp({ listen: false })
  const form = formOf(galley, { id: 'other', secret: 'typed' })
  const { calls, asked } = testWindow(galley)
  expect(await calls.saveSite(form)).toMatchObject({ ok: true, value: { isConfirmed: true, secret: 'stored' } })
  expect(asked).toEqual([])

  const elsewhere = await openGalley({ folder: await temporaryFolder(), secrets: { environment } })
  onTestFinished(() => elsewhere.close())
  const window = testWindow(elsewhere)
  const known = { ...form, id: 'Acme', secret: null, baseUrl: 'https://evil.test/integration' }
  expect(await window.calls.saveSite(known)).toMatchObject({ failure: { code: 'not_confirmed' } })
  expect(window.asked[0]?.detail).toContain('Service URL:\nhttps://evil.test/integration')
  expect(elsewhere.index.sites.list()).toEqual([])
})

test('media are published only to a folder that was chosen in a dialog for this site', async () => {
  const { calls, chosen, galley, agreed, folder: library } = await setUp()
  const folder = await temporaryFolder()
  chosen.push(join(library, 'files'))
  const inside = await calls.choosePublishFolder({ site: 'acme' })
  expect(await calls.saveSite(formOf(galley, { publish: { folder: inside!.token } }))).toMatchObject({
    failure: { code: 'invalid_site', field: 'publish', state: 'in_library' },
  })
  chosen.push(folder, folder, null)
  const forAnother = await calls.choosePublishFolder({ site: 'other' })
  const forThis = await calls.choosePublishFolder({ site: 'acme' })
  expect(await calls.choosePublishFolder({ site: 'acme' })).toBe(null)
  agreed.push(true, true)
  for (const token of [forAnother?.token, folder, '']) {
    expect(await calls.saveSite(formOf(galley, { publish: { folder: token ?? '' } }))).toMatchObject({
      failure: { code: 'path_not_chosen', field: 'publish' },
    })
  }
  expect(await calls.saveSite(formOf(galley, { publish: { folder: forThis!.token } }))).toMatchObject({
    value: { publish: { kind: 'folder', directory: folder } },
  })
  // Left out, it stays.
  expect(await calls.saveSite(formOf(galley, { name: 'Renamed' }))).toMatchObject({
    value: { publish: { kind: 'folder', directory: folder } },
  })
})

test('another folder gets the files of earlier saves, again when asked; the listener needs none', async () => {
  const { calls, chosen, galley, agreed, know, post, service } = await setUp()
  await know('post-1')
  const { body, headers } = aSave(service, { files: { 'hero.png': 'a picture' } })
  expect((await post(body, headers)).status).toBe(200)
  expect(await calls.republishSite({ site: 'acme' })).toMatchObject({ ok: true })
  const folder = await temporaryFolder()
  chosen.push(folder)
  const { token = '' } = (await calls.choosePublishFolder({ site: 'acme' })) ?? {}
  agreed.push(true)
  expect(await calls.saveSite(formOf(galley, { publish: { folder: token } }))).toMatchObject({ ok: true })
  const lastTask = async () => {
    const [task] = galley.tasks.list()
    await galley.tasks.ended(task!.id)
    return galley.tasks.find(task!.id)
  }
  const done = { kind: 'republish', end: { kind: 'done', result: { files: 1, bytes: 9, lost: [] } } }
  expect(await lastTask()).toMatchObject(done)
  const published = async () => (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('hero.png'))
  expect(await published()).toHaveLength(1)
  // Without a new folder, nothing is published.
  expect(await calls.saveSite(formOf(galley, { name: 'Renamed' }))).toMatchObject({ ok: true })
  expect(galley.tasks.list()).toHaveLength(2)
  await rm(join(folder, 'media'), { recursive: true })
  expect(await calls.republishSite({ site: 'acme' })).toMatchObject({ ok: true })
  expect(await lastTask()).toMatchObject(done)
  expect(await published()).toHaveLength(1)
  expect(await calls.republishSite({ site: 'nobody' })).toMatchObject({ failure: { code: 'unknown_site' } })
})

test('another folder gets no file that its web server would run, or that no disk can hold, and all others', async () => {
  const { calls, chosen, galley, agreed, know, post, service } = await setUp()
  await know('post-1')
  const harmful = { '.htaccess': 'AddHandler x .png', 'x.php': 'a program', 'index.html': 'a page' }
  const unfit = { [`${'a'.repeat(300)}.png`]: 'a long name', 'q/r': 'the same' }
  const files = { ...harmful, ...unfit, q: 'the same', 'hero.png': 'a picture' }
  const { body, headers } = aSave(service, { files })
  expect((await post(body, headers)).status).toBe(200)
  const folder = await temporaryFolder()
  chosen.push(folder)
  const { token = '' } = (await calls.choosePublishFolder({ site: 'acme' })) ?? {}
  agreed.push(true)
  expect(await calls.saveSite(formOf(galley, { publish: { folder: token } }))).toMatchObject({ ok: true })
  const [task] = galley.tasks.list()
  await galley.tasks.ended(task!.id)
  const withheld = [...Object.keys(harmful), ...Object.keys(unfit)].map((name) =>
    expect.stringMatching(`^/media/[0-9a-f]{32}/${encodeURIComponent(name)}$`),
  )
  expect(galley.tasks.find(task!.id)).toMatchObject({
    end: { kind: 'done', result: { files: 2, lost: [], withheld: expect.arrayContaining(withheld) } },
  })
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  expect(found.flatMap((each) => (each.isFile() ? [each.name] : [])).toSorted()).toEqual([
    'galley-library.json',
    'hero.png',
    'q',
  ])
})

test('a person confirms the bucket; its keys are stored, and never returned', async () => {
  const { calls, galley, asked, agreed } = await setUp()
  const keys = { id: 'KEYID', secret: 'key-secret' }
  const bucket = { publish: 's3:media/x', s3Endpoint: 'https://s3.example' } as const
  expect(await calls.saveSite(formOf(galley, { ...bucket, bucketKeys: keys }))).toMatchObject({
    failure: { code: 'not_confirmed' },
  })
  expect(await galley.secrets.bucketKeys('acme')).toMatchObject({ ok: false })
  expect(asked.at(-1)?.detail).toContain('from listener\nto s3:media/x · https://s3.example')
  agreed.push(true)
  const saved = await calls.saveSite(formOf(galley, { ...bucket, bucketKeys: keys }))
  expect(saved).toMatchObject({ ok: true, value: { bucketKeys: 'stored' } })
  expect(await galley.secrets.bucketKeys('acme')).toEqual({ ok: true, value: keys })
  expect(JSON.stringify([saved, await calls.listSites(undefined), asked])).not.toMatch(/KEYID|key-secret/)

  // What does not say where files go asks nobody; another endpoint or region does.
  const count = asked.length
  expect(await calls.saveSite(formOf(galley, { publicCheck: 'off' }))).toMatchObject({ ok: true })
  expect(asked).toHaveLength(count)
  for (const change of [{ s3Endpoint: 'https://evil.test' }, { s3Region: 'evil-1' }]) {
    expect(await calls.saveSite(formOf(galley, change))).toMatchObject({ failure: { code: 'not_confirmed' } })
  }
  // Keys that no request could be signed with are refused before they get anywhere.
  for (const wrong of [
    { id: 'a b', secret: 'x' },
    { id: '', secret: 'x' },
    { id: 'a', secret: 'b\nc' },
  ]) {
    expect(siteCalls.saveSite.safeParse(formOf(galley, { bucketKeys: wrong })).success).toBe(false)
  }
  // The secret of the service goes with another service; the keys of the bucket stay.
  agreed.push(true)
  await calls.saveSite(formOf(galley, { baseUrl: 'https://new.test/integration' }))
  expect((await galley.sites.find('acme'))!).toMatchObject({ secret: 'missing', bucketKeys: 'stored' })
  expect(await calls.saveSite(formOf(galley, { bucketKeys: null }))).toMatchObject({ value: { bucketKeys: 'missing' } })
})
