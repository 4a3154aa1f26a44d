import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'

import { pageContents } from '../../../packages/sites/bundle/page-references.ts'
import { exportBundle } from '../../../packages/sites/exporting/export-bundle.ts'
import { cause } from '../../../packages/wire/cause.ts'
import { contentsOf, filesIn, hashOf, marksOf, temporaryFolder } from './folders.ts'
import type { Library } from './into-folder.ts'
import { exported, refused } from './into-folder.ts'
import { createFilledLibrary, createSampleLibrary, plainOptions, publicBase } from './sample-library.ts'

describe('export to a folder', () => {
  it('writes pages, media and fonts, and counts them', async () => {
    const out = join(temporaryFolder(), 'deep/er/out')
    const report = await exported(createFilledLibrary(), out)
    expect(filesIn(out).map((path) => path.replace(/[0-9a-f]{16,32}/, '#'))).toEqual([
      '404.html',
      'archive/2024/index.html',
      'archive/index.html',
      'favicon.svg',
      'fonts/#-inter-var.woff2',
      'fonts/fonts.css',
      'galley-bundle.json',
      'index.html',
      expect.stringMatching(/^media\/#-/),
      expect.stringMatching(/^media\/#-/),
      expect.stringMatching(/^media\/#-/),
      expect.stringMatching(/^media\/#-/),
      'page-1/index.html',
      'page-2/index.html',
      'search/index.html',
      'search/pages.js',
      'theme/search-#.js',
      'theme/style-#.css',
    ])
    expect(report).toMatchObject({ files: 18, added: 18, changed: 0, removed: 0, unchanged: 0, links: { broken: [] } })
    expect(report.bytes).toBe(filesIn(out).reduce((sum, path) => sum + readFileSync(join(out, path)).length, 0))
    expect(report.sha256).toBe(hashOf(join(out, 'galley-bundle.json')))
  })

  it.runIf(process.platform !== 'win32')('can be read by a web server, with any umask', async () => {
    const before = process.umask(0o077)
    onTestFinished(() => void process.umask(before))
    const out = join(temporaryFolder(), 'deep/er/out')
    await exported(createFilledLibrary(), out)
    const modeOf = (path: string): number => statSync(join(out, path)).mode & 0o777
    expect(new Set(filesIn(out).map(modeOf))).toEqual(new Set([0o644]))
    expect(new Set(['', '..', '../..', 'media', 'fonts', 'theme', 'page-1'].map(modeOf))).toEqual(new Set([0o755]))
  })

  it('is the only export in its folder, even if the folder is reached by different paths', async () => {
    const out = temporaryFolder()
    const link = join(temporaryFolder(), 'link')
    symlinkSync(out, link)
    const library = createFilledLibrary()
    const ends = await Promise.all([refused(library, join(out, 'site')), refused(library, join(link, 'site'))])
    expect(ends).toHaveLength(2)
    expect(ends).toContain(null)
    expect(ends).toContainEqual({ code: 'busy', state: 'exporting' })
    expect(await exported(library, join(link, 'site'))).toMatchObject({ added: 0, changed: 0, removed: 0 })
  })

  it('makes pages whose references all point to files of the bundle', async () => {
    const out = temporaryFolder()
    const { links } = await exported(createFilledLibrary(), out)
    let followed = 0
    for (const page of ['index.html', 'page-1/index.html', 'page-2/index.html']) {
      const html = readFileSync(join(out, page), 'utf8')
      expect(html).not.toContain(publicBase)
      for (const { ref } of pageContents(html).references.filter(
        (each) => !/^(?:#|https:\/\/elsewhere)/.test(each.ref),
      )) {
        expect(ref).toMatch(/^[\w./-]+$/)
        expect([page, ref, existsSync(join(out, dirname(page), ref))]).toEqual([page, ref, true])
        followed++
      }
    }
    expect(followed).toBeGreaterThan(9)
    expect(links.checked).toBeGreaterThanOrEqual(followed)
    expect(readFileSync(join(out, 'fonts/fonts.css'), 'utf8')).toMatch(/url\([0-9a-f]{32}-inter-var\.woff2\)/)
  })

  it('writes the same bytes for the same input, and touches nothing the second time', async () => {
    const [one, two] = [temporaryFolder(), temporaryFolder()]
    const first = await exported(createFilledLibrary(), one)
    await exported(createFilledLibrary(), two)
    expect(contentsOf(two)).toEqual(contentsOf(one))
    const marks = marksOf(one)
    const again = await exported(createFilledLibrary(), one)
    expect(again).toMatchObject({ added: 0, changed: 0, removed: 0, unchanged: 18, sha256: first.sha256 })
    expect(marksOf(one)).toEqual(marks)
  })

  it('contains no e-mail address, public URL, metadata or state', async () => {
    const out = temporaryFolder()
    await exported(createFilledLibrary(), out, { ...plainOptions, baseUrl: 'https://example.org/' })
    for (const path of filesIn(out)) {
      const bytes = readFileSync(join(out, path), 'latin1')
      expect([path, /PRIVATE|203\.0\.113|webhook_auth|vms_json|metadata/.exec(bytes)]).toEqual([path, null])
    }
  })

  it('rewrites only changed files and removes obsolete ones', async () => {
    const out = temporaryFolder()
    const library = createFilledLibrary()
    await exported(library, out)
    const before = marksOf(out)
    writeFileSync(join(out, 'CNAME'), 'example.org')
    const fresh = library.media('fresh.png', 'fresh')
    library.save('1', `<img src="${fresh.url}">`, [fresh])
    const report = await exported(library, out)
    const after = marksOf(out)
    expect(report).toMatchObject({ files: 15, added: 1, changed: 2, removed: 4, unchanged: 12 })
    const touched = Object.keys(after).filter((path) => before[path] !== after[path] && path !== 'CNAME')
    expect(touched.map((path) => path.replace(/[0-9a-f]{32}/, '#'))).toEqual([
      'galley-bundle.json',
      'media/#-fresh.png',
      'page-1/index.html',
    ])
    expect(existsSync(join(out, 'CNAME'))).toBe(true)
    expect(contentsOf(out)).toMatchObject(await freshContents(library))
  })

  it('removes the page of a material that is no longer exported, including its folder', async () => {
    const out = temporaryFolder()
    const library = createFilledLibrary()
    await exported(library, out)
    library.pages.pop()
    await exported(library, out)
    expect(existsSync(join(out, 'page-2'))).toBe(false)
  })

  it('repairs damaged files, detected by content for pages and by size for media', async () => {
    const out = temporaryFolder()
    const library = createFilledLibrary()
    await exported(library, out)
    const whole = contentsOf(out)
    const page = join(out, 'page-2/index.html')
    writeFileSync(page, readFileSync(page, 'utf8').replace('Plain', 'Pl4in'))
    const medium = join(out, filesIn(out).find((path) => path.endsWith('unused.mp4')) ?? '')
    writeFileSync(medium, 'short')
    expect(await exported(library, out)).toMatchObject({ changed: 2, unchanged: 16 })
    expect(contentsOf(out)).toEqual(whole)
  })

  it('reports broken references, and writes nothing if they block the export', async () => {
    const library = createSampleLibrary()
    library.save('1', '<img src="dummy-lost.png"><a href="../page-9/">x</a>')
    const out = join(temporaryFolder(), 'out')
    const broken = [
      { page: 'page-1/index.html', ref: 'dummy-lost.png', reason: { code: 'never_saved' } },
      { page: 'page-1/index.html', ref: '../page-9/', reason: { code: 'no_file', path: 'page-9/' } },
    ]
    expect(await refused(library, out, { ...plainOptions, check: 'block' })).toMatchObject({
      code: 'broken_links',
      links: broken,
    })
    expect(existsSync(out)).toBe(false)
    expect((await exported(library, out)).links).toMatchObject({ broken })
    expect((await exported(library, out, { ...plainOptions, check: 'off' })).links).toEqual({ checked: 0, broken: [] })
  })

  it('makes active files inert', async () => {
    const library = createSampleLibrary()
    const files = [
      library.media('evil.xml', '<x><script xmlns="http://www.w3.org/1999/xhtml">alert(1)</script></x>'),
      library.media('page.dmg', '\n<SCRIPT>alert(1)</SCRIPT>'),
      library.media('track.gpx', '<gpx><metadata><link href="https://example.org"/></metadata></gpx>'),
      library.media('setup.dmg', 'koly <script>'),
    ]
    library.save('1', files.map(({ url }) => `<img src="${url}">`).join(''), files)
    const out = temporaryFolder()
    const { links } = await exported(library, out)
    const media = filesIn(join(out, 'media')).map((name) => name.slice(32))
    expect(media.toSorted()).toEqual(['-evil-xml.bin', '-page-dmg.bin', '-setup.dmg', '-track.gpx'])
    expect(links.broken).toHaveLength(2)
  })

  it('cleans active drawings in any encoding, and leaves others unchanged', async () => {
    const library = createSampleLibrary()
    const [before, behind] = ['<svg xmlns="http://www.w3.org/2000/svg"', '><text>Caf\xe9 on = 1</text></svg>']
    const latin = '<?xml version="1.0" encoding="ISO-8859-1"?>'
    const drawings = [
      library.media('utf8.svg', `${before} onload="alert(1)"${behind}`),
      library.media('latin.svg', Buffer.from(`${latin}${before} onclick="a"${behind}`, 'latin1')),
      library.media('wide.svg', Buffer.from(`\uFEFF${before} onclick="a"${behind}`, 'utf16le')),
      library.media('shown.svg', Buffer.from(`${latin}${before}${behind}`, 'latin1')),
      library.media('packed.svgz', gzipSync(`${before} onclick="a"${behind}`)),
      library.media('plain.svgz', gzipSync(`${before}><!-- -->${behind.slice(1)}`)),
    ]
    library.save('1', drawings.map(({ url }) => `<img src="${url}">`).join(''), drawings)
    const out = temporaryFolder()
    expect((await exported(library, out)).links.broken).toEqual([])
    const content = (name: string) =>
      readFileSync(join(out, filesIn(out).find((path) => path.endsWith(`-${name}.svg`)) ?? name))
    expect(content('utf8').toString()).toBe(`${before}${behind}`)
    expect(content('latin').toString()).toBe(`<?xml version="1.0" encoding="UTF-8"?>${before}${behind}`)
    expect(content('wide').toString()).toBe(`${before}${behind}`)
    expect(content('packed').toString()).toBe(`${before}${behind}`)
    expect(content('plain').toString()).toBe(`${before}><!-- -->${behind.slice(1)}`)
    expect(content('shown').toString('latin1')).toBe(`${latin}${before}${behind}`)
    expect(await exported(library, out)).toMatchObject({ added: 0, changed: 0, removed: 0 })
  })

  it('does not unpack a drawing of any size', async () => {
    const library = createSampleLibrary()
    const bomb = library.media('bomb.svgz', gzipSync(`<svg>${' '.repeat(17 * 1024 ** 2)}</svg>`))
    library.save('1', `<img src="${bomb.url}">`, [bomb])
    const out = temporaryFolder()
    await exported(library, out)
    expect(filesIn(join(out, 'media')).map((name) => name.slice(32))).toEqual(['-bomb-svgz.bin'])
  })

  it('gives drawings and style sheets relative paths, and names by what is written', async () => {
    const library = createSampleLibrary()
    const svg = (content: string) => `<svg xmlns="http://www.w3.org/2000/svg">${content}</svg>`
    const picture = library.media('a b.png', 'picture')
    const inner = library.media('inner.svg', svg(`<image href="${picture.url.replace('http:', 'HTTP:')}"/>`))
    const outer = library.media(
      'outer.svg',
      svg(
        `<style>rect{fill:url('${inner.url}#p')}</style><a href="${picture.url}"><use xlink:href="${inner.url}#x"/></a>`,
      ),
    )
    const active = library.media('active.svg', svg(`<image href="${picture.url}" onload="x()"/>`))
    const sheet = library.media('s.css', `a{background:url(${outer.url})}`)
    const twin = library.media('twin.svg', svg(`<image href="${picture.url}"/>`))
    library.save('1', [outer, active, sheet, twin].map(({ url }) => `<img src="${url}">`).join(''), [
      outer,
      active,
      sheet,
      twin,
    ])
    const out = temporaryFolder()
    await exported(library, out)
    const files = filesIn(join(out, 'media'))
    const fileOf = (ending: string) => files.filter((name) => name.endsWith(ending)).join()
    const content = (ending: string) => readFileSync(join(out, 'media', fileOf(ending)), 'utf8')
    const image = `<image href="../media/${fileOf('-a-b.png')}"/>`
    expect(content('-inner.svg')).toBe(svg(image))
    expect(content('-active.svg')).toBe(svg(image))
    expect(content('-twin.svg')).toBe(svg(image))
    const named = `../media/${fileOf('-inner.svg')}`
    expect(content('-outer.svg')).toBe(
      svg(
        `<style>rect{fill:url('${named}#p')}</style><a href="../media/${fileOf('-a-b.png')}"><use xlink:href="${named}#x"/></a>`,
      ),
    )
    expect(content('-s.css')).toBe(`a{background:url(../media/${fileOf('-outer.svg')})}`)
    for (const name of files)
      expect(name.slice(0, 32), name).toBe(
        createHash('sha256')
          .update(readFileSync(join(out, 'media', name)))
          .digest('hex')
          .slice(0, 32),
      )
    expect(await exported(library, out)).toMatchObject({ added: 0, changed: 0, removed: 0 })
    expect(await exported(library, out, { ...plainOptions, verify: true })).toMatchObject({ verified: { wrong: [] } })
  })

  it('exports a site without pages, and one without fonts', async () => {
    const library = createSampleLibrary()
    const out = temporaryFolder()
    const source = { ...library.source(), fonts: null }
    const result = await exportBundle({ source, target: { kind: 'folder', directory: out }, options: plainOptions })
    expect(result).toMatchObject({ ok: true, value: { report: { files: 6 } } })
  })

  it('uses a theme with only some of the files, and reports the mistakes of a broken one', async () => {
    const theme = temporaryFolder()
    const out = join(temporaryFolder(), 'out')
    const options = { ...plainOptions, themes: [theme, ...plainOptions.themes] }
    expect(await refused(createFilledLibrary(), out, options)).toMatchObject({ code: 'invalid_theme' })
    writeFileSync(join(theme, 'page.html'), '\uFEFF<b>{{content}}\r\n{{titel}}')
    expect(await refused(createFilledLibrary(), out, options)).toMatchObject({
      code: 'invalid_theme',
      file: 'page.html',
      line: 2,
      problem: cause('theme_engine', { name: 'undefined variable: titel' }),
    })
    writeFileSync(join(theme, 'page.html'), '\uFEFF<b>{{content}}\r\n')
    await exported(createFilledLibrary(), out, options)
    expect(readFileSync(join(out, 'page-2/index.html'), 'utf8')).toMatch(/^<b><h1>Plain.*\n$/)
    expect(filesIn(out)).toContainEqual(expect.stringMatching(/^theme\/style-/))
  })

  it('refuses an invalid base URL', async () => {
    const out = join(temporaryFolder(), 'out')
    expect(await refused(createFilledLibrary(), out, { ...plainOptions, baseUrl: 'example.org' })).toMatchObject({
      code: 'invalid_base_url',
    })
  })
})

describe('a library with altered files', () => {
  it.each([
    ['altered', (bytes: Buffer) => Buffer.from([...bytes.subarray(0, -1), 0])],
    ['altered', (bytes: Buffer) => bytes.subarray(1)],
    ['unreadable', () => null],
  ])('is named as %s and not exported', async (problem, spoil) => {
    for (const name of ['Hero image.png', 'vms_html.html of 1', 'vms_fonts.css']) {
      const out = temporaryFolder()
      const library = createFilledLibrary()
      const [page] = library.pages
      const sha256 = {
        'Hero image.png': page?.version.media[0]?.sha256,
        'vms_html.html of 1': page?.version.html,
        'vms_fonts.css': library.source().fonts?.css,
      }[name]
      const source = library.source()
      const bytes = sha256 && library.blobs.get(sha256)
      if (!bytes) throw new Error('the sample has these files')
      const spoiled = spoil(bytes)
      if (spoiled === null) library.blobs.delete(sha256)
      else library.blobs.set(sha256, spoiled)
      const result = await exportBundle({ source, target: { kind: 'folder', directory: out }, options: plainOptions })
      expect(result).toEqual({ ok: false, failure: { code: 'damaged_blob', name, sha256, problem } })
      expect(filesIn(out).filter((path) => path.includes('hero') || path.endsWith('.tmp'))).toEqual([])
      expect(existsSync(join(out, 'index.html'))).toBe(false)
    }
  })
})

async function freshContents(library: Library): Promise<Readonly<Record<string, string>>> {
  const out = temporaryFolder()
  await exported(library, out)
  return contentsOf(out)
}
