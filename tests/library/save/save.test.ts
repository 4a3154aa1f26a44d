import { readdir, readFile, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

import { foundBy } from '../../support/found-by.ts'
import { aFontsSave, aSave, createTestGalley, send, signed, temporaryFolder } from '../../support/test-galley.ts'
import { aRun, reportOf } from '../care/library.ts'

describe('one save through the real listener', () => {
  test('is stored, answered, listed, served and found', async () => {
    const { galley, service, listener, know, post } = await createTestGalley()
    await know('post-1')
    const save = aSave(service, {
      versionId: 'v-first',
      html: '<h1>Harbour</h1><img src="dummy-hero.png" alt="dummy-hero.png">',
      state:
        '{"assets":{"hero.png":{"clientUrl":"dummy-hero.png","big":12345678901234567890,"one":1.0}},"e":{},"l":[]}',
      files: { 'hero.png': 'the picture' },
    })
    const answer = await post(save.body, save.headers)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.json).toMatchObject({ rc: 1, rm: 'Saved successfully' })
    const [version] = galley.index.versions.list('acme', 'post-1')
    const url = version?.publicUrls['hero.png'] ?? ''
    expect(answer.text).toContain(
      `{"assets":{"hero.png":{"clientUrl":"${url}","big":12345678901234567890,"one":1.0}},"e":{},"l":[]}`,
    )
    expect(version).toMatchObject({
      versionId: 'v-first',
      current: true,
      mediaCount: 1,
      userEmail: 'editor@example.test',
      warnings: [],
    })
    expect(galley.index.materials.find('acme', 'post-1')).toMatchObject({ versions: 1, title: 'Harbour' })
    expect(foundBy(galley.index, 'harb')).toHaveLength(1)

    const media = await send(url.replace(/^http:\/\/[^/]+/, listener), 'GET', null)
    expect(media).toMatchObject({ status: 200, text: 'the picture' })
    expect(media.headers).toMatchObject({
      'content-type': 'image/png',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
    })
    const parts = galley.index.versions.parts('acme', 'post-1', 'v-first')
    const page = parts && galley.index.blobs.find(parts.html)
    expect(page && (await galley.vault.readBytes(page)).toString()).toBe(
      `<h1>Harbour</h1><img src="${url}" alt="dummy-hero.png">`,
    )
  })

  test('leaves nothing in staging, and a stored save does not look there', async () => {
    const { galley, folder, service, know, post } = await createTestGalley()
    await know('post-1')
    const large = Buffer.alloc(2 * 1024 ** 2, 'x')
    const saves = [
      aSave(service, { files: { 'a.png': large, 'b.png': large, 'c.png': large.subarray(1), 'd.png': 'small' } }),
      aSave(service, { files: {} }),
      aFontsSave(service, 'f1', { 'vms_fonts.css': 'a{}', 'vms_fonts/a.woff2': large }),
    ]
    Object.assign(galley.vault, { discardFiles: () => Promise.reject(new Error('looked')) })
    for (const save of saves) expect((await post(save.body, save.headers)).json).toMatchObject({ rc: 1 })
    expect(await readdir(join(folder, 'staging'))).toEqual([])
  })

  test('sends the callback signature with the download, and api_key and material_id after the raw query', async () => {
    const { service, know, post } = await createTestGalley()
    await know('post 1&ü')
    const save = aSave(service, { materialId: 'post 1&ü', payload: {} })
    const contentUrl = `${String(save.payload['content_url'])}?flag&x=1&x='2'&a.b=%20`
    const moved = signed(service, { ...save.payload, content_url: contentUrl })
    const answer = await post(moved.body, moved.headers)
    expect(answer.json.rc, answer.text).toBe(1)
    expect(service.downloads.at(-1)).toMatchObject({
      query: "flag&x=1&x='2'&a.b=%20&api_key=test-key&material_id=post%201%26%C3%BC",
      signature: moved.signature,
    })
  })

  test('a repeated delivery gets the same answer, without a download or a second version', async () => {
    const { galley, service, know, post } = await createTestGalley()
    await know('post-1')
    const save = aSave(service)
    const first = await post(save.body, save.headers)
    const again = await Promise.all([1, 2, 3].map(() => post(save.body, save.headers)))
    expect(again.map(({ text }) => text)).toEqual([first.text, first.text, first.text])
    expect(service.downloads).toHaveLength(1)
    expect(galley.index.versions.list('acme', 'post-1')).toHaveLength(1)
    const [latest, , , stored] = galley.index.callbacks.list({ site: 'acme', outcome: null, limit: 10 })
    expect(latest).toMatchObject({ outcome: 'duplicate', rc: 1, duplicateOf: stored?.id })
  })

  test('an older save that arrives late is kept, answered rc 1, and never current', async () => {
    const { galley, service, know, post } = await createTestGalley()
    await know('post-1')
    const newer = aSave(service, {
      versionId: 'new',
      versionCdate: '2026-11-02T10:00:00+02:00',
      html: '<p>fresh words</p>',
    })
    const older = aSave(service, {
      versionId: 'old',
      versionCdate: '2026-11-02T07:59:00+00:00',
      html: '<p>stale words</p>',
    })
    expect((await post(newer.body, newer.headers)).json.rc).toBe(1)
    expect((await post(older.body, older.headers)).json.rc).toBe(1)
    const list = galley.index.versions.list('acme', 'post-1')
    expect(list.map(({ versionId, current }) => [versionId, current])).toEqual([
      ['new', true],
      ['old', false],
    ])
    expect(foundBy(galley.index, 'fresh')).toHaveLength(1)
    expect(foundBy(galley.index, 'stale')).toHaveLength(0)
  })

  test('an asset whose file is not sent again takes the URL of the current version', async () => {
    const { galley, service, know, post } = await createTestGalley()
    await know('post-1')
    const first = aSave(service, { versionId: 'a', files: { 'hero.png': 'x' } })
    await post(first.body, first.headers)
    const url = galley.index.versions.list('acme', 'post-1')[0]?.publicUrls['hero.png']
    const second = aSave(service, {
      versionId: 'b',
      versionCdate: '2026-11-03T00:00:00Z',
      files: {},
      html: '<p>',
      state: { assets: { 'hero.png': { clientUrl: '' } } },
    })
    const answer = await post(second.body, second.headers)
    expect(answer.json).toMatchObject({ rc: 1, data: { vms_json: { assets: { 'hero.png': { clientUrl: url } } } } })
  })

  test('callback credentials are readable in neither archive nor metadata', async () => {
    const { galley, service, know, post, filesOf } = await createTestGalley()
    await know('post-1')
    const save = aSave(service, {
      metadata: {
        webhook_auth_user: 'u',
        webhook_auth_password: 'canary-password',
        deep: { webhook_auth_password: 'canary-password' },
      },
    })
    expect((await post(save.body, save.headers)).json.rc).toBe(1)
    const [version] = galley.index.versions.list('acme', 'post-1')
    expect(version?.keptSha256).not.toBe(version?.archiveSha256)
    for (const file of await filesOf()) expect((await readFile(file)).includes('canary-password'), file).toBe(false)
    const [record] = galley.index.callbacks.list({ site: null, outcome: null, limit: 1 })
    expect(galley.index.callbacks.payload(record?.id ?? '')).not.toContain('canary-password')
  })

  test('tokens of the site work once, and are then in no file, log, backup or replay', async () => {
    const fixture = await createTestGalley()
    const { galley, service, know, post, filesOf } = fixture
    await know('post-1')
    galley.index.fields.set('site', 'acme', [{}], { expiredToken: { action: 'refuse', key: 'timeLimitedAuthToken' } })
    const jwt = (exp: number) =>
      `${Buffer.from('{"alg":"HS256"}').toString('base64url')}.${Buffer.from(JSON.stringify({ exp })).toString('base64url')}.canary-jwt`
    const [fresh, expired] = [jwt(Date.now() / 1000 + 60), jwt(1_700_000_000)]
    const told = (token: string) => ({
      timeLimitedAuthToken: token,
      nested: [{ apiKey: 'canary-key' }, token],
      section_id: 'front',
    })
    const late = aSave(service, { metadata: told(expired) })
    expect((await post(late.body, late.headers)).json).toMatchObject({ rc: 0, code: 'refused' })
    const save = aSave(service, { metadata: told(fresh) })
    expect((await post(save.body, save.headers)).json.rc).toBe(1)

    const [version] = galley.index.versions.list('acme', 'post-1')
    expect(version?.keptSha256).not.toBe(version?.archiveSha256)
    const stored = galley.index.versions.parts('acme', 'post-1', version?.versionId ?? '')
    expect(JSON.parse(stored?.metadata ?? '')).toMatchObject({
      timeLimitedAuthToken: '[redacted]',
      nested: [{ apiKey: '[redacted]' }, '[redacted]'],
      section_id: 'front',
    })
    const [record] = galley.index.callbacks.list({ site: null, outcome: null, limit: 1 })
    if (!record) throw new Error('There is no callback')
    expect(await galley.replay(record, true)).toMatchObject({ after: { outcome: 'duplicate' } })
    const backup = join(await temporaryFolder(), 'library.zip')
    expect(
      await galley.care.backUp({ file: backup }, { signal: new AbortController().signal, onProgress: () => undefined }),
    ).toMatchObject({ ok: true })
    for (const file of [...(await filesOf()), backup]) {
      const bytes = await readFile(file)
      for (const canary of [fresh, expired, 'canary-key', 'canary-jwt'])
        expect([file, bytes.includes(canary)]).toEqual([file, false])
    }
  })

  test('saves of one material run one after another, those of different materials concurrently', async () => {
    const { galley, service, know, post } = await createTestGalley()
    await Promise.all(['a', 'b'].map(know))
    const running: string[] = []
    const besideEachOther = new Set<string>()
    const both = Promise.withResolvers<void>()
    service.onDownload((request, response) => {
      const material = new URL(request.url ?? '', service.origin).searchParams.get('material_id') ?? ''
      running.push(material)
      besideEachOther.add(running.toSorted().join(' and '))
      response.on('close', () => running.splice(running.indexOf(material), 1))
      if (new Set(running).size === 2) both.resolve()
      if (besideEachOther.size > 1) return false
      // The first one waits behind the other material, and is delivered again.
      void both.promise.then(() => response.writeHead(503).end())
      return true
    })
    const saves = Array.from({ length: 24 }, (_, at) =>
      aSave(service, {
        materialId: at % 2 ? 'a' : 'b',
        versionId: `n${at}`,
        versionCdate: `2026-11-01T10:00:${10 + at}Z`,
      }),
    )
    const answers = await Promise.all(saves.map(({ body, headers }) => post(body, headers)))
    expect(answers.map(({ json }) => json.rc)).toEqual(saves.map(() => 1))
    expect([...besideEachOther].filter((materials) => materials.includes(' '))).toEqual(['a and b'])
    expect(galley.index.versions.list('acme', 'a').map(({ versionId }) => versionId)[0]).toBe('n23')
    expect(galley.index.versions.list('acme', 'b')).toHaveLength(12)
  })

  test('the job continues after its caller disconnects', async () => {
    const { galley, service, listener, know, post } = await createTestGalley()
    await know('post-1')
    const save = aSave(service, { versionId: 'hung-up' })
    const downloading = new Promise<void>((resolve) => service.onDownload(() => (resolve(), false)))
    const stored = new Promise<void>((resolve) => galley.changes.onCallback(() => resolve()))
    const call = request(`${listener}/callback/acme`, {
      method: 'POST',
      headers: { ...save.headers, 'content-type': 'application/json' },
    })
    call.on('error', () => undefined)
    call.end(save.body)
    await downloading
    call.destroy()
    await stored
    service.onDownload(null)
    expect(galley.index.versions.list('acme', 'post-1').map(({ versionId }) => versionId)).toEqual(['hung-up'])
    expect((await post(save.body, save.headers)).json.rc).toBe(1)
  })
})

describe('fonts', () => {
  const css = "@font-face{font-family:Inter;src:url(dummy-Inter.woff2) format('woff2')}"
  const tree = {
    css: { id: 'vms_fonts.css' },
    list: [{ family: 'Inter', variants: [{ files: { woff2: { id: 'Inter.woff2' } } }] }],
    other: { keep: [1.5] },
  }

  test('are stored without a known material and served under their snapshot and as current.css', async () => {
    const { galley, service, listener, post } = await createTestGalley()
    const save = aFontsSave(
      service,
      'snap-1',
      { 'vms_fonts/Inter.woff2': 'font bytes', 'vms_fonts.css': css, 'vms_fonts.json': '{"families":["Inter"]}' },
      tree,
    )
    const answer = await post(save.body, save.headers)
    expect(answer.json, answer.text).toMatchObject({ rc: 1, rm: 'Fonts saved successfully' })
    const folder = `${listener}/fonts/acme/snap-1/`
    expect(answer.json.data).toEqual({
      fonts: {
        css: { id: 'vms_fonts.css', clientUrl: `${folder}vms_fonts.css` },
        list: [
          {
            family: 'Inter',
            variants: [{ files: { woff2: { id: 'Inter.woff2', clientUrl: `${folder}Inter.woff2` } } }],
          },
        ],
        other: { keep: [1.5] },
      },
    })
    expect(galley.index.snapshots.list('acme')).toMatchObject([
      { snapshotId: 'snap-1', files: ['Inter.woff2'], cssUrl: `${folder}vms_fonts.css` },
    ])
    expect((await send(`${folder}Inter.woff2`, 'GET', null)).text).toBe('font bytes')
    const current = await send(`${listener}/fonts/acme/current.css`, 'GET', null)
    expect(current.text).toContain(`url(${folder}Inter.woff2)`)
    expect(current.headers['cache-control']).toBe('public, max-age=0, must-revalidate')
  })

  test('a tree of an unknown shape is answered as it came', async () => {
    const { service, post } = await createTestGalley()
    const files = { 'vms_fonts/a.woff': 'x', 'vms_fonts.css': css, 'vms_fonts.json': '{}' }
    const save = aFontsSave(service, 'snap-3', files, 'a.woff')
    expect((await post(save.body, save.headers)).json.data).toEqual({ fonts: 'a.woff' })
  })

  test('without a tree the answer has none', async () => {
    const { service, post } = await createTestGalley()
    const save = aFontsSave(service, 'snap-2', {
      'vms_fonts/a.woff': 'x',
      'vms_fonts.css': css,
      'vms_fonts.json': '{}',
    })
    expect((await post(save.body, save.headers)).json).toEqual({ rc: 1, rm: 'Fonts saved successfully', data: {} })
  })
})

test('files that no disk can hold, or that a web server would run, have other names in a folder', async () => {
  const web = await temporaryFolder()
  const { galley, service, listener, know, post, changeSite } = await createTestGalley()
  changeSite({ publish: { kind: 'folder', directory: web } })
  await know('post-1')
  const long = `${'Й'.repeat(200)}.png`
  const programs = ['shell.php', '.htaccess', 'a/web.config', 'X.PHP.png', 'page.html', 'b/.user.ini', 'x.asp;.jpg']
  const files = {
    q: 'same',
    'q/r': 'same',
    'q/other': 'other',
    [long]: 'long',
    [`a/${'n'.repeat(300)}/x.css`]: 'deep',
    ...Object.fromEntries(programs.map((name) => [name, `of ${name}`])),
  }
  const save = aSave(service, { versionId: 'v1', files })
  const answer = await post(save.body, save.headers)
  expect(answer.json, answer.text).toMatchObject({ rc: 1 })
  const { assets } = (answer.json as { data: { vms_json: { assets: Record<string, { clientUrl: string }> } } }).data
    .vms_json
  for (const [name, content] of Object.entries(files)) {
    const { pathname } = new URL(assets[name]?.clientUrl ?? '')
    expect(await readFile(join(web, decodeURIComponent(pathname)), 'utf8'), name).toBe(content)
    expect(await send(listener + pathname, 'GET', null), name).toMatchObject({ status: 200, text: content })
    if (programs.includes(name)) expect(pathname).toMatch(/^\/media\/[0-9a-f]{32}\/[^./]+\.(?:bin|png|jpg|ini)$/)
  }
  const [version] = galley.index.versions.list('acme', 'post-1')
  expect(version?.publicUrls).toMatchObject({ q: assets['q']?.clientUrl, 'q/other': assets['q/other']?.clientUrl })
  expect(Object.values(version?.publicUrls ?? {}).toSorted()).toEqual(
    Object.values(assets)
      .map(({ clientUrl }) => clientUrl)
      .toSorted(),
  )
  expect(version?.warnings).toEqual([])
  const again = aSave(service, { versionId: 'v1', files, session: 'other' })
  expect((await post(again.body, again.headers)).json).toMatchObject({ rc: 1 })
  expect(galley.index.versions.list('acme', 'post-1')).toHaveLength(1)

  // A repair finds the page of a folder again, whose URLs have these names.
  const parts = galley.index.versions.parts('acme', 'post-1', 'v1')
  const state = parts && galley.index.blobs.find(parts.state)
  if (state === null) throw new Error('The state is missing')
  await rm(galley.vault.pathOf(state.file))
  expect(await reportOf(galley.care.check({ repair: true }, aRun()))).toMatchObject({ ok: true })
  expect((await galley.vault.readBytes(state)).toString()).toContain('.bin')

  const fonts = { 'vms_fonts.css': `a{src:url(vms_fonts/${long})}`, [`vms_fonts/${long}`]: 'face' }
  const set = aFontsSave(service, 's1', fonts)
  expect((await post(set.body, set.headers)).json).toMatchObject({ rc: 1 })
  const css = await readFile(join(web, 'fonts/acme/s1/vms_fonts.css'), 'utf8')
  const face = new URL(/url\((.*)\)/.exec(css)?.[1] ?? '').pathname
  expect(await send(listener + face, 'GET', null)).toMatchObject({ status: 200, text: 'face' })
})
