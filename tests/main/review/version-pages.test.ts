import { open, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

import { createCheckedFiles } from '../../../packages/library/vault/checked-files.ts'
import { fail } from '../../../packages/wire/index.ts'
import { answerFor, filePolicy, pagePolicy } from '../../../src/main/review/page-answers.ts'
import { renderInTheme } from '../../../src/main/review/render-in-theme.ts'
import { createVersionPages } from '../../../src/main/review/version-pages.ts'
import type { RenderInTheme } from '../../../src/main/review/version-pages.ts'
import type { TestGalley } from '../../support/test-galley.ts'
import { aFontsSave, aSave, createTestGalley } from '../../support/test-galley.ts'

async function aLibrary() {
  const test = await createTestGalley({ site: { unknownMaterials: 'accept' } })
  const { galley } = test
  const pages = createVersionPages(galley.index, galley.vault, galley.background)
  const save = async (parts: Parameters<typeof aSave>[1]) => {
    const { body, headers } = aSave(test.service, parts)
    expect((await test.post(body, headers)).json.rc).toBe(1)
  }
  const made = async (versionId: string, materialId = 'post-1') => {
    const page = await pages.make({ site: 'acme', materialId, versionId })
    if (!page.ok) throw new Error(page.failure.code)
    return page.value
  }
  return { ...test, pages, save, made }
}

/** What a review puts before a fragment, as the template of an export does. */
const start = '<!doctype html>\n<html lang="en" dir="ltr">'

const htmlOf = ({ files }: { files: ReadonlyMap<string, { kind: string; text?: string }> }): string =>
  files.get('page')?.text ?? ''

const portsOf = ({ index, vault }: TestGalley['galley']) => ({
  blobs: index.blobs,
  locate: vault.locate,
  files: createCheckedFiles(() => undefined),
})

const ask = (galley: TestGalley['galley'], page: Parameters<typeof answerFor>[0], url: string, range?: string) =>
  answerFor(page, { url, method: 'GET', headers: new Headers(range === undefined ? {} : { range }) }, portsOf(galley))

it('shows a version inside the theme of its site, with the files of the theme and of no other page', async () => {
  const { galley, save } = await aLibrary()
  await save({ versionId: 'v1', html: '<style>p { margin: 0 }</style><h1>First</h1><p>One.</p>' })
  await save({ versionId: 'v2', html: '<h1>Second</h1><p>Two.</p>' })
  await save({ versionId: 'w1', materialId: 'post-2', html: '<h1>Neighbour</h1><p>Three.</p>' })
  const version = { site: 'acme', materialId: 'post-1', versionId: 'v1' } as const
  const inTheme = (render: RenderInTheme) =>
    createVersionPages(galley.index, galley.vault, galley.background, render).make(version, true)
  const themesFolder = join(import.meta.dirname, '../../../resources/themes')
  const shown = await inTheme(renderInTheme({ ...galley, themesFolder, now: () => new Date('2026-11-30T00:00:00Z') }))
  if (!shown.ok) throw new Error(shown.failure.code)
  const { origin, url, files } = shown.value
  const answered = await ask(galley, shown.value, url)
  const html = await answered.text()
  const key = origin.slice(origin.lastIndexOf('/') + 1)
  expect(html).toContain(`<!--${key} 1--><style>p { margin: 0 }</style><h1>First</h1><p>One.</p><!--${key}-->`)
  expect(html).toContain('Neighbour')
  expect(html).not.toMatch(/Two\.|Three\./)
  const [, style = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(html) ?? []
  const sheet = await ask(
    galley,
    shown.value,
    new URL(style, url.replace('galley-review:', 'http:')).href.replace('http:', 'galley-review:'),
  )
  expect([sheet.status, sheet.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/css')])
  const pagesOf = [...files.keys()].filter((path) => path.endsWith('.html'))
  expect(pagesOf).toEqual([url.slice(origin.length + 1)])
  const broken = await inTheme(() => Promise.resolve(fail({ code: 'invalid_base_url', baseUrl: 'x' } as const)))
  expect(broken).toMatchObject({ ok: false, failure: { code: 'invalid_base_url' } })
})

describe('a stored version as a page', () => {
  it('reports missing files: placeholders without a file, and files that the disk has lost', async () => {
    const { galley, save, made } = await aLibrary()
    // A file may itself have the name of a placeholder.
    const files = { 'dummy-hero.png': Buffer.alloc(100_000, 1) }
    await save({ versionId: 'v1', files, html: '<img src="dummy-dummy-hero.png"><img src="dummy-never.png">' })
    const page = await made('v1')
    expect(page.shown).toStrictEqual({
      unshown: [{ why: 'missing', count: 1, names: ['never.png'] }],
      hasScripts: false,
    })
    const [, picture = ''] = /<img src="([^"]+)">/.exec(htmlOf(page)) ?? []
    const lost: string[] = []
    const ports = portsOf(galley)
    const asked = () =>
      answerFor(page, { url: picture, method: 'GET', headers: new Headers() }, ports, (name) => lost.push(name))
    expect((await (await asked()).arrayBuffer()).byteLength).toBe(100_000)
    expect(lost).toStrictEqual([])
    await rename(join(galley.folder, 'files'), join(galley.folder, 'elsewhere'))
    expect((await asked()).status).toBe(404)
    expect(lost).toStrictEqual(['dummy-hero.png'])
    await rename(join(galley.folder, 'elsewhere'), join(galley.folder, 'files'))
  })

  it('resolves its references to its own ids and changes nothing else', async () => {
    const { galley, save, made } = await aLibrary()
    const files = { 'hero.png': Buffer.from('a picture'), 'film.mp4': Buffer.from('0123456789') }
    await save({
      versionId: 'v1',
      files,
      html: '<p>Hi</p><img src="dummy-hero.png"><video src=dummy-film.mp4></video>',
    })
    const page = await made('v1')
    const [, picture = ''] = /<img src="([^"]+)">/.exec(htmlOf(page)) ?? []
    const [, film = ''] = /<video src=([^>]+)>/.exec(htmlOf(page)) ?? []
    expect(htmlOf(page)).toBe(`${start}<p>Hi</p><img src="${picture}"><video src=${film}></video>`)
    expect(page.origin).toMatch(/^galley-review:\/\/[0-9a-f]{32}$/)
    expect(page.url).toBe(`${page.origin}/page`)
    expect(page.shown.unshown).toStrictEqual([])

    const whole = await ask(galley, page, picture)
    expect(whole.status).toBe(200)
    expect(whole.headers.get('content-type')).toBe('image/png')
    expect(whole.headers.get('content-security-policy')).toBe(filePolicy)
    expect((await ask(galley, page, page.url)).headers.get('content-security-policy')).toBe(pagePolicy)
    expect(whole.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await whole.text()).toBe('a picture')
    const part = await ask(galley, page, film, 'bytes=2-4')
    expect([part.status, part.headers.get('content-range'), await part.text()]).toStrictEqual([
      206,
      'bytes 2-4/10',
      '234',
    ])
    expect((await ask(galley, page, film, 'bytes=10-')).status).toBe(416)
  })

  it('serves no byte of a file that was altered on disk, whole or in a range, before and after its first view', async () => {
    const { galley, save, made } = await aLibrary()
    const film = Buffer.alloc(3_000_000, 'f')
    await save({ versionId: 'v1', files: { 'film.mp4': film }, html: '<video src=dummy-film.mp4></video>' })
    const page = await made('v1')
    const [, url = ''] = /<video src=([^>]+)>/.exec(htmlOf(page)) ?? []
    const [file] = galley.index.versions.media('acme', 'post-1', 'v1')
    const { path, offset } = await galley.vault.locate(galley.index.blobs.find(file!.sha256)!)
    const change = async (text: string) => {
      const opened = await open(path, 'r+')
      await opened.write(text, offset + 2_000_000)
      await opened.close()
    }
    const lost: string[] = []
    const ports = portsOf(galley)
    const statusOf = async (range?: string): Promise<readonly [number, number]> => {
      const headers = new Headers(range === undefined ? {} : { range })
      const answer = await answerFor(page, { url, method: 'GET', headers }, ports, (name) => lost.push(name))
      return [answer.status, (await answer.arrayBuffer()).byteLength]
    }
    await change('X')
    // Also a range without the altered byte: the browser has no hash to tell which part is right.
    for (const range of [undefined, 'bytes=0-9', 'bytes=1999990-2000010'])
      expect(await statusOf(range), range).toEqual([500, 0])
    expect(lost).toEqual(['film.mp4', 'film.mp4', 'film.mp4'])
    await change('f')
    expect(await statusOf('bytes=0-9')).toEqual([206, 10])
    expect(await statusOf()).toEqual([200, film.length])
    await change('X')
    expect(await statusOf('bytes=0-9')).toEqual([500, 0])
  })

  it('chooses a file by its path alone, whatever query and fragment follow', async () => {
    const { galley, save, made } = await aLibrary()
    const suffixes = ['?v=4.7.0', '#icon', '?#iefix', '#t=1,5', '?a=1&b=2#x', '?page', '??', '#?']
    const html = suffixes.map((suffix) => `<img src="dummy-hero.png${suffix}">`).join('')
    await save({ versionId: 'v1', files: { 'hero.png': 'a picture' }, html })
    const page = await made('v1')
    const urls = [...htmlOf(page).matchAll(/<img src="([^"]+)">/g)].map(([, url = '']) => url)
    expect(urls.map((url) => url.slice(page.origin.length))).toEqual(suffixes.map((each) => `/file-1.png${each}`))
    for (const url of urls) expect(await (await ask(galley, page, url)).text(), url).toBe('a picture')
  })

  it('leaves out the policy of a page, in any spelling and in frames, and nothing else of that name', async () => {
    const { save, made } = await aLibrary()
    const policy = '<meta http-equiv="Content-Security-Policy" content="img-src https:">'
    const written = [
      policy,
      policy.replace(/"/g, "'"),
      policy.replace('"Content-Security-Policy"', 'content-security-policy'),
      policy.replace('Security', 'Se&#99;urity'),
      `<noscript>${policy}</noscript>`,
      `<iframe srcdoc="${policy.replace(/"/g, '&quot;')}"></iframe>`,
      `<iframe srcdoc="${policy.replace(/"/g, "'")}"></iframe>`,
    ]
    for (const [at, html] of written.entries()) {
      await save({ versionId: `v${at}`, files: {}, html })
      expect(htmlOf(await made(`v${at}`)), html).not.toMatch(/content-se(?:c|&#99;)urity-policy/i)
    }
    const text =
      '<p title="On Content-Security-Policy">Content-Security-Policy</p><meta name="x" content="content-security-policy-x">'
    await save({ versionId: 'text', files: {}, html: text })
    expect(htmlOf(await made('text'))).toBe(start + text)
  })

  it('has the doctype, the language and the direction of an export', async () => {
    const { save, made } = await aLibrary()
    const old = '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN"><p lang="he">x</p>'
    await save({ versionId: 'v1', files: {}, html: old })
    expect(htmlOf(await made('v1'))).toBe('<!doctype html>\n<html lang="he" dir="rtl"><p lang="he">x</p>')
    await save({ versionId: 'v2', files: {}, html: '<html lang="ar" dir="ltr"><body>x</body></html>' })
    expect(htmlOf(await made('v2'))).toBe('<!doctype html>\n<html lang="ar" dir="ltr"><body>x</body></html>')
  })

  it('serves only the ids of the shown page', async () => {
    const { galley, save, made, folder } = await aLibrary()
    await save({ versionId: 'v1' })
    await save({ versionId: 'v2', materialId: 'post-2' })
    const [page, other] = [await made('v1'), await made('v2', 'post-2')]
    expect(other.origin).not.toBe(page.origin)
    const names = [
      '',
      '/',
      '/page/',
      '/page/?x',
      '/?page',
      '/#page',
      '/file-99',
      '/../page',
      '/%2e%2e/index.db',
      '/file-1.png/..',
      '/__proto__',
      '/constructor',
      `/${folder}/index.db`,
      `//${folder}/index.db`,
      '/%2fetc%2fpasswd',
      '/file-1.png%00',
      '/FILE-1.PNG',
      '/file-1',
    ]
    for (const name of names) expect((await ask(galley, page, page.origin + name)).status, name).toBe(404)
    for (const url of [`${other.origin}/file-1.png`, other.url, 'galley-review://page', 'file:///etc/hostname', ''])
      expect((await ask(galley, page, url)).status, url).toBe(404)
    expect((await ask(galley, null, page.url)).status).toBe(404)
    expect((await ask(galley, page, `${page.origin}/file-1.png`)).status).toBe(200)
  })

  it('shows files of earlier saves of its site, as an export contains them', async () => {
    const { galley, save, made, listener } = await aLibrary()
    await save({ versionId: 'v1', files: { 'old.png': 'old' } })
    await save({ versionId: 't1', materialId: 'other', files: { 'theirs.png': 'theirs' } })
    const urlOf = (materialId: string, versionId: string, name: string): string =>
      galley.index.versions.find('acme', materialId, versionId)?.publicUrls[name] ?? ''
    const [old, theirs] = [urlOf('post-1', 'v1', 'old.png'), urlOf('other', 't1', 'theirs.png')]
    expect([old, theirs].every((url) => url.startsWith(`${listener}/media/`))).toBe(true)
    await save({ versionId: 'v2', files: {}, state: { assets: {} }, html: `<img src="${old}"><img src="${theirs}">` })
    const page = await made('v2')
    expect(page.shown.unshown).toStrictEqual([])
    const shown = [...htmlOf(page).matchAll(/<img src="(galley-review:[^"]+)">/g)]
    const texts = await Promise.all(shown.map(async ([, local = '']) => (await ask(galley, page, local)).text()))
    expect(texts).toEqual(['old', 'theirs'])
  })

  it('loads the fonts of the site first, like every page of an export, even if it does not refer to them', async () => {
    const { galley, service, save, made, post } = await aLibrary()
    await save({ versionId: 'v1', html: '<h1>Before</h1>', files: {} })
    expect(htmlOf(await made('v1'))).toBe(`${start}<h1>Before</h1>`)
    const css = '@font-face{font-family:I;src:url(dummy-inter.woff2)}'
    const fonts = aFontsSave(service, 'f1', {
      'vms_fonts/inter.woff2': 'font bytes',
      'vms_fonts.css': css,
      'vms_fonts.json': '{}',
    })
    expect((await post(fonts.body, fonts.headers)).json.rc).toBe(1)
    const page = await made('v1')
    expect(htmlOf(page)).toBe(`${start}<link rel="stylesheet" href="${page.origin}/fonts"><h1>Before</h1>`)
    const [, font = ''] = /url\(([^)]+)\)/.exec(await (await ask(galley, page, `${page.origin}/fonts`)).text()) ?? []
    expect(await (await ask(galley, page, font)).text()).toBe('font bytes')
    const whole = '<!-- by hand -->\n<!DOCTYPE html><html lang="de"><head><title>T</title></head><body></body></html>'
    await save({ versionId: 'v2', html: whole, files: {} })
    const second = await made('v2')
    const link = `<link rel="stylesheet" href="${second.origin}/fonts">`
    expect(htmlOf(second)).toBe(`<!doctype html>\n${link}${whole.slice(whole.indexOf('<html'))}`)
  })

  it('includes the fonts of the site if it refers to them, of an earlier set too', async () => {
    const { galley, service, save, made, post, listener } = await aLibrary()
    for (const set of ['f1', 'f2']) {
      const fonts = aFontsSave(service, set, {
        'vms_fonts/inter.woff2': `font bytes of ${set}`,
        'vms_fonts.css': '@font-face{font-family:I;src:url(dummy-inter.woff2)}',
        'vms_fonts.json': '{}',
      })
      expect((await post(fonts.body, fonts.headers)).json.rc).toBe(1)
    }
    const sheets = ['current.css', 'f1/vms_fonts.css']
    await save({
      versionId: 'v1',
      html: sheets.map((path) => `<link rel=stylesheet href="${listener}/fonts/acme/${path}">`).join(''),
      files: {},
      state: { assets: {} },
    })
    const page = await made('v1')
    expect(page.shown.unshown).toStrictEqual([])
    const shown = [...htmlOf(page).matchAll(/rel=stylesheet href="([^"]+)"/g)].map(([, url = '']) => url)
    expect(shown[0]).toBe(`${page.origin}/fonts`)
    const fonts = shown.map(async (url) => {
      const [, font = ''] = /url\(([^)]+)\)/.exec(await (await ask(galley, page, url)).text()) ?? []
      return (await ask(galley, page, font)).text()
    })
    expect(await Promise.all(fonts)).toEqual(['font bytes of f2', 'font bytes of f1'])
  })

  it('is not shown if its bytes are not those that were saved', async () => {
    const { galley, pages, save } = await aLibrary()
    await save({ versionId: 'v1' })
    const parts = galley.index.versions.parts('acme', 'post-1', 'v1')
    const place = parts && galley.index.blobs.find(parts.html)
    if (!place) throw new Error('The version was not stored')
    const path = galley.vault.pathOf(place.file)
    const bytes = await readFile(path)
    bytes[place.offset] = (bytes[place.offset] ?? 0) ^ 1
    await writeFile(path, bytes)
    expect(await pages.make({ site: 'acme', materialId: 'post-1', versionId: 'v1' })).toMatchObject({
      ok: false,
      failure: { code: 'damaged_blob', problem: 'altered' },
    })
    expect(await pages.make({ site: 'acme', materialId: 'post-1', versionId: 'none' })).toMatchObject({
      failure: { code: 'unknown_version' },
    })
  })
})
