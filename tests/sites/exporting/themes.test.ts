import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ParserError } from 'parse5'
import { parse } from 'parse5'
import { describe, expect, it } from 'vitest'

import { readTheme } from '../../../packages/sites/exporting/theme-folders.ts'
import { cause } from '../../../packages/wire/cause.ts'
import { builtSearch, searchAsset } from '../../../scripts/search-asset.ts'
import { noFiles } from '../../support/no-files.ts'
import { filesIn, temporaryFolder } from './folders.ts'
import { plainOptions } from './sample-library.ts'
import { exportedWith, foldersOf, shipped, themesFolder } from './themed-site.ts'

describe.each(shipped)('the theme %s', (theme) => {
  it.each([
    { direction: 'ltr', language: 'en', publishing: { baseUrl: 'https://example.org/sub/' } },
    { direction: 'rtl', language: 'ar', publishing: { footer: 'ذيل', description: 'وصف' } },
  ])('makes every kind of page without a fault, $direction', async ({ direction, language, publishing }) => {
    const { directory, done } = await exportedWith(foldersOf(theme), { ...publishing, language })
    expect(done).toMatchObject({ ok: true, value: { links: { broken: [] } } })
    const pages = filesIn(directory).filter((path) => path.endsWith('.html'))
    expect(pages).toEqual(expect.arrayContaining(['404.html', 'page/3/index.html', 'tags/food/page/2/index.html']))
    for (const path of pages) {
      const html = readFileSync(join(directory, path), 'utf8')
      const errors: ParserError[] = []
      parse(html, { onParseError: (error) => errors.push(error) })
      expect([path, errors]).toEqual([path, []])
      const scripts = [...html.matchAll(/<script(?![^>]*ld\+json)/g)].length
      expect([path, scripts]).toEqual([path, path === 'search/index.html' ? 2 : 0])
      const written = /<html lang="([^"]*)" dir="([^"]*)"/.exec(html)?.slice(1)
      expect([path, written]).toEqual([path, [language, direction]])
    }
  })

  it('calls no part of a page like a kind of page, whose rules would be those of the whole page', async () => {
    const { directory } = await exportedWith(foldersOf(theme))
    const kinds = new Set<string>()
    const parts = new Set<string>(['galley-page'])
    for (const path of filesIn(directory).filter((each) => each.endsWith('.html'))) {
      const html = readFileSync(join(directory, path), 'utf8')
      for (const [, element, classes = ''] of html.matchAll(/<(\w+)(?:\s[^>]*?)?\sclass="([^"]*)"/g))
        for (const name of classes.split(' ')) (element === 'body' ? kinds : parts).add(name)
    }
    expect([...kinds].filter((kind) => parts.has(kind) || kind === '')).toEqual([])
  })

  it('lets nothing that is embedded be wider than the page', () => {
    const css = readFileSync(join(themesFolder, theme, 'assets/style.css'), 'utf8')
    const [, limited = ''] = /:where\(([^)]*)\) \{\s*max-inline-size: 100%/.exec(css) ?? []
    expect(limited.split(', ')).toEqual('img video audio svg canvas iframe object embed'.split(' '))
  })

  it('has little CSS, and none that depends on left and right', () => {
    const css = join(themesFolder, theme, 'assets/style.css')
    expect(statSync(css).size).toBeLessThanOrEqual(15 * 1024)
    expect(readFileSync(css, 'utf8')).not.toMatch(
      /(?:margin|padding|border|inset)-(?:left|right)|[;{]\s*(?:left|right):|(?:margin|padding|inset): \S+ (\S+) \S+ (?!\1;)\S+;/,
    )
  })
})

it.each(['default', 'magazine'])('%s marks the language of dates that stand among words of the site', async (theme) => {
  const { directory } = await exportedWith(foldersOf(theme), {}, 'ar')
  for (const path of ['page-1/index.html', 'archive/2021/index.html']) {
    const html = readFileSync(join(directory, path), 'utf8')
    const dates = [...html.matchAll(/<time datetime="[^"]*"(.*?)>/g)].map(([, attributes]) => attributes)
    expect([path, ...new Set(dates)]).toEqual([path, ' lang="ar" dir="rtl"'])
  }
})

it('what stands above the heading of a page or card begins at its side, also on a site of the other direction', async () => {
  const { directory } = await exportedWith(foldersOf('magazine'), {}, 'ar')
  const [page, home] = ['page-1', 'tags/food'].map((path) => readFileSync(join(directory, path, 'index.html'), 'utf8'))
  expect(page).toMatch(/<div class="galley-meta" lang="en" dir="rtl">/)
  expect(page).toMatch(/<span class="galley-author" dir="ltr">/)
  expect(home).toMatch(/<p class="galley-kicker" lang="en">/)
})

it('a menu leads to pages, lists and other sites, with query and anchor', async () => {
  const addresses = ['/page-1/#part', 'page-1?a=1', '/', '/#x', '#top', '/feed.xml', 'https://example.org/x?y#z']
  const menu = addresses.map((url) => ({ label: url, target: { url } }))
  const { directory } = await exportedWith(foldersOf('default'), { menu })
  const html = readFileSync(join(directory, 'page-2/index.html'), 'utf8')
  expect([...html.matchAll(/<li><a href="([^"]*)">/g)].map(([, link]) => link).slice(0, menu.length)).toEqual([
    '../page-1/index.html#part',
    '../page-1/index.html?a=1',
    '../index.html',
    '../index.html#x',
    '#top',
    '../feed.xml',
    'https://example.org/x?y#z',
  ])
})

describe('a custom theme', () => {
  it('may use settings, assets and partials, and asset names change with their content', async () => {
    const theme = temporaryFolder()
    mkdirSync(join(theme, 'assets/img'), { recursive: true })
    writeFileSync(
      join(theme, 'theme.json'),
      '{"name":"own","label":"Own","version":"1","settings":[{"key":"tone","label":"Tone","type":"color","default":"#112233"}],"words":{"en":{"back_home":"Go home"}}}',
    )
    writeFileSync(
      join(theme, 'page.html'),
      "{{ settings.tone }}{{ 'img/a.png' | asset }}{{ words.back_home }}{{ content }}",
    )
    writeFileSync(join(theme, 'assets/img/a.png'), 'bytes')
    writeFileSync(join(theme, 'assets/style.css'), 'a{background:url(img/a.png)}')
    // The other templates are still the default theme's, which reads its own settings.
    writeFileSync(join(theme, 'layouts.txt'), '')
    mkdirSync(join(theme, 'layouts'))
    writeFileSync(join(theme, 'layouts/base.html'), '<main>{% block main %}{% endblock %}</main>')
    const { directory, done } = await exportedWith([theme, ...plainOptions.themes], {
      themeSettings: { tone: '#abcdef' },
    })
    expect(done).toMatchObject({ ok: true })
    const picture = filesIn(directory).find((path) => path.startsWith('theme/img-a-'))
    expect(readFileSync(join(directory, 'page-1/index.html'), 'utf8')).toMatch(`#abcdef../${picture}Go home<h1>`)
    const style = filesIn(directory).find((path) => path.startsWith('theme/style-')) ?? ''
    expect(readFileSync(join(directory, style), 'utf8')).toBe(`a{background:url(${picture?.replace('theme/', '')})}`)
    expect(filesIn(directory)).not.toContain('layouts.txt')
  })

  it('is refused for an invalid value, but not for settings of another theme', async () => {
    const { done } = await exportedWith(foldersOf('magazine'), { themeSettings: { accent: 'red' } })
    expect(done).toMatchObject({ failure: { code: 'invalid_theme', file: 'theme.json' } })
    expect((await exportedWith(foldersOf('magazine'), { themeSettings: { colour: 'red' } })).done.ok).toBe(true)
  })

  it('cannot refer to files outside its folder', async () => {
    const theme = temporaryFolder()
    writeFileSync(join(theme, 'page.html'), "{% render '../secret.html' %}{{ content }}")
    symlinkSync('/etc/hostname', join(theme, 'linked.html'))
    const read = await readTheme([theme, ...plainOptions.themes], noFiles)
    expect(read.ok && read.value.theme.templates.has('linked.html')).toBe(false)
    const { done } = await exportedWith([theme, ...plainOptions.themes])
    expect(done).toMatchObject({ failure: { code: 'invalid_theme', file: 'page.html', line: 1 } })
  })

  it('is not looked for in a folder with thousands of other files', async () => {
    const theme = temporaryFolder()
    writeFileSync(join(theme, 'page.html'), '{{ content }}')
    mkdirSync(join(theme, 'photos'))
    for (let at = 0; at < 4998; at += 1) writeFileSync(join(theme, 'photos', `${at}.jpg`), '')
    expect((await readTheme([theme, ...plainOptions.themes], noFiles)).ok).toBe(true)
    writeFileSync(join(theme, 'photos', 'more.jpg'), '')
    expect(await readTheme([theme, ...plainOptions.themes], noFiles)).toMatchObject({
      failure: { code: 'invalid_theme', file: theme, problem: cause('theme_entries', { name: 5000 }) },
    })
  })
})

describe('the script of the search page', () => {
  it('matches its sources', async () => {
    expect(readFileSync(searchAsset, 'utf8')).toBe(await builtSearch())
  })
})
