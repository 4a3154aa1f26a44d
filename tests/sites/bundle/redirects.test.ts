import { describe, expect, it } from 'vitest'

import { readRedirect } from '../../../packages/library/records/addresses.ts'
import { isRedirectPath } from '../../../packages/library/records/page-path.ts'
import { bundlePath, isBundlePath } from '../../../packages/library/records/paths.ts'
import { pageDefaults, publishingDefaults } from '../../../packages/library/records/site-model-fields.ts'
import { layOut } from '../../../packages/sites/bundle/layout.ts'
import { createPageLinks } from '../../../packages/sites/bundle/page-links.ts'
import { redirectedBy, redirectFiles } from '../../../packages/sites/bundle/render/redirects.ts'
import type { MaterialId } from '../../../packages/wire/ids.ts'
import { aLayoutInput, aPage } from './sample.ts'

const laidOut = (home: 'listing' | MaterialId = 'listing') => {
  const input = aLayoutInput({
    pages: [
      aPage('1', {
        title: 'A <title>',
        settings: { ...pageDefaults, path: 'blog/new', redirectsFrom: ['old', 'blog/older'], language: 'ar' },
      }),
      aPage('2', { settings: { ...pageDefaults, path: 'posts', redirectsFrom: ['blog/new'] } }),
    ],
  })
  return layOut({ ...input, site: { ...input.site, publishing: { ...publishingDefaults, home } } })
}
const filesOf = (layout: ReturnType<typeof laidOut>, baseUrl: string | null = null) =>
  new Map(redirectFiles(layout, [], baseUrl).map(({ path, text }) => [path, text()]))

describe('redirects of a bundle', () => {
  it('point from each earlier address to its page, and never from the address of a page', () => {
    const { redirects } = laidOut()
    expect(redirects).toEqual([
      { from: 'blog/older/index.html', to: 'blog/new/index.html' },
      { from: 'old/index.html', to: 'blog/new/index.html' },
    ])
    const { pages } = laidOut()
    expect(pages.find(({ path }) => path === 'posts/index.html')?.redirectsFrom, 'one that is not written').toEqual([])
  })

  it('are pages that every host shows, and one list', () => {
    const files = filesOf(laidOut())
    expect([...files.keys()]).toEqual(['blog/older/index.html', 'old/index.html', '_redirects'])
    expect(files.get('_redirects')).toBe('/blog/older/ /blog/new/ 301\n/old/ /blog/new/ 301\n')
    const page = files.get('blog/older/index.html') ?? ''
    expect(page).toContain('<html lang="ar" dir="rtl">')
    expect(page).toContain('<meta http-equiv="refresh" content="0; url=../new/index.html">')
    expect(page).toContain('<a href="../new/index.html">A &lt;title&gt;</a>')
    expect(page).not.toContain('canonical')
  })

  it.each([
    ['/новости/статья/', 'новости/статья'],
    ['/%D0%BD%D0%BE%D0%B2%D0%BE%D1%81%D1%82%D0%B8/%d1%81.html', 'новости/с.html'],
    ['https://old.example/Caf\u0065\u0301/My%20Page (1).html', 'Café/My Page (1).html'],
    ['a+b/c,d;e=f&g@h!', 'a+b/c,d;e=f&g@h!'],
    ['新闻/2019', '新闻/2019'],
    ['/2019/index.html', '2019'],
    ['https://old.example/2019/Index.html', '2019/Index.html'],
  ])('start from the paths of an old site: %s', (given, path) => {
    const read = readRedirect(given)
    expect(read).toBe(path)
    const input = aLayoutInput({
      pages: [aPage('1', { settings: { ...pageDefaults, path: 'new', redirectsFrom: [path] } })],
    })
    const layout = layOut(input)
    const files = filesOf(layout, 'https://example.org/sub/')
    const file = [...files.keys()].find((each) => each !== '_redirects') ?? ''
    expect([file, isBundlePath(file)]).toEqual([path.endsWith('.html') ? path : `${path}/index.html`, true])
    const [from = '', to] = (files.get('_redirects') ?? '').split(' ')
    expect(from).toMatch(/^[\x21-\x7E]+$/)
    expect([decodeURIComponent(from), to]).toEqual([`/sub/${path}${path.endsWith('.html') ? '' : '/'}`, '/sub/new/'])
    expect(redirectedBy(files.get('_redirects') ?? '', '/sub/')(file)).toBe(true)
    const link = createPageLinks({ ...layout, others: [] }, null)
    expect(link(`/${path}`)?.target).toBe('new/index.html')
    expect(link(encodeURI(`/${path}`))?.target).toBe('new/index.html')
  })

  it.each(['a/%2e%2e/b', 'a%2Fb%00', 'a\\b', 'a:b', 'x*', '.htaccess', 'a /b', 'я'.repeat(128), 'a%0Ab'])(
    'never start from %s',
    (given) => {
      expect(readRedirect(given)).toBe(null)
    },
  )

  it('use the address of the site, also below a folder', () => {
    const files = filesOf(laidOut(), 'https://example.org/sub/')
    expect(files.get('old/index.html')).toContain('<link rel="canonical" href="https://example.org/sub/blog/new/">')
    expect(files.get('old/index.html')).toContain('<meta http-equiv="refresh" content="0; url=../blog/new/">')
    expect(files.get('_redirects')).toContain('/sub/old/ /sub/blog/new/ 301\n')
  })

  it('point to the home page from the address of its material; the list makes room', () => {
    const layout = laidOut('1')
    expect(layout.pages.map(({ path }) => path).toSorted()).toEqual(['index.html', 'posts/index.html'])
    expect(layout.listing).toEqual({ path: 'posts-2/index.html' })
    expect(layout.redirects).toContainEqual({ from: 'blog/new/index.html', to: 'index.html' })
    expect(filesOf(layout).get('_redirects')).toContain('/blog/new/ / 301\n')
  })

  it('are not written where the list of posts is', () => {
    const moved = aPage('2', { settings: { ...pageDefaults, path: 'x', redirectsFrom: ['posts'] } })
    const input = aLayoutInput({ pages: [aPage('1'), moved] })
    const publishing = { ...publishingDefaults, home: '1' }
    const { listing, redirects } = layOut({ ...input, site: { ...input.site, publishing } })
    expect(listing).toEqual({ path: 'posts/index.html' })
    expect(redirects.map(({ from }) => from)).not.toContain('posts/index.html')
  })

  it('keep the spelling of an earlier site: documents are files, other paths are folders', () => {
    const earlier = ['Old/Post.HTML', 'index.php/foo', 'a.aspx', 'About', 'about', 'blog/NEW']
    const page = aPage('1', { settings: { ...pageDefaults, path: 'blog/new', redirectsFrom: earlier } })
    const files = filesOf(layOut(aLayoutInput({ pages: [page] })))
    // `About` and `about` are one folder on some systems, and so are `blog/NEW` and the page.
    expect([...files.keys()]).toEqual([
      'About/index.html',
      'Old/Post.HTML',
      'a.aspx/index.html',
      'index.php/foo/index.html',
      '_redirects',
    ])
    expect(files.get('Old/Post.HTML')).toContain('url=../blog/new/index.html')
    expect(files.get('_redirects')?.split('\n')).toEqual([
      '/About/ /blog/new/ 301',
      '/Old/Post.HTML /blog/new/ 301',
      '/a.aspx/ /blog/new/ 301',
      '/about/ /blog/new/ 301',
      '/blog/NEW/ /blog/new/ 301',
      '/index.php/foo/ /blog/new/ 301',
      '',
    ])
    expect([...files.keys()].every(isBundlePath)).toBe(true)
  })

  it.each(Object.values(bundlePath).filter((path) => !path.includes('/')))('never replace %s', (path) => {
    expect(isRedirectPath(path)).toBe(false)
  })

  it.each([
    '?p=1',
    'a?b',
    'feed.xml',
    'Feed.XML',
    'media/x',
    '.well-known',
    'a/',
    'a//b',
    '..',
    'a/../b',
    'aux.php',
    'a.',
    'a\u0308',
    'a.html/b',
    'a/b/c/d/e/f/g',
  ])('are refused from %s', (path) => {
    expect(isRedirectPath(path)).toBe(false)
  })

  it.each([
    ['https://old.example?p=12', '?p=12'],
    ['/?p=12&cat=a b', '?p=12&cat=a+b'],
    ['/index.php?id=3', 'index.php?id=3'],
    ['/index.html?p=12', '?p=12'],
    ['/old/index.html?p=12', 'old?p=12'],
    ['/Artikel/?titel=%C3%BCber', 'Artikel?titel=%C3%BCber'],
  ])('start from queries of an old site: %s', (given, address) => {
    expect(readRedirect(given)).toBe(address)
    expect(readRedirect(address)).toBe(address)
  })

  it.each(['?', '?p', '?=1', '?p=', 'media/x?p=1', '../x?p=1', `?p=${'1'.repeat(200)}`])(
    'do not start from %s',
    (given) => {
      expect(readRedirect(given)).toBe(null)
    },
  )

  const asked = aPage('1', {
    title: 'New',
    settings: {
      ...pageDefaults,
      path: 'blog/new',
      redirectsFrom: [
        '?p=12',
        'index.php?id=3',
        'index.php?id=3&page=2',
        'index.php',
        'old.asp?a=1',
        'other?x=1',
        'archive?y=1',
      ],
    },
  })
  const askedLayout = layOut(
    aLayoutInput({ pages: [asked, aPage('2', { settings: { ...pageDefaults, path: 'other' } })] }),
  )

  it('from queries need no file, but a script on the page that they reach', () => {
    const made = redirectFiles(askedLayout, ['index.html', 'archive/index.html'], 'https://example.org/sub/')
    const files = new Map(made.map(({ path, text }) => [path, text()]))
    expect([...files.keys()]).toEqual([
      'index.php/index.html',
      'old.asp/index.html',
      'theme/redirects.js',
      '_redirects',
    ])
    expect([...files.keys()].every(isBundlePath)).toBe(true)
    expect(files.get('_redirects')?.split('\n')).toEqual([
      '/sub/archive/ y=1 /sub/blog/new/ 301!',
      '/sub/ p=12 /sub/blog/new/ 301!',
      // What asks for more comes first.
      '/sub/index.php/ id=3 page=2 /sub/blog/new/ 301!',
      '/sub/index.php/ id=3 /sub/blog/new/ 301!',
      '/sub/old.asp/ a=1 /sub/blog/new/ 301!',
      '/sub/other/ x=1 /sub/blog/new/ 301!',
      '/sub/index.php/ /sub/blog/new/ 301',
      '',
    ])
    const both = files.get('index.php/index.html')
    expect(both).toContain(
      '<script id="index.php/index.html" src="../theme/redirects.js" data-otherwise="../blog/new/">',
    )
    expect(both).toContain('<noscript><meta http-equiv="refresh" content="0; url=../blog/new/"></noscript>')
    const alone = files.get('old.asp/index.html')
    expect(alone).toContain('<script id="old.asp/index.html" src="../theme/redirects.js"></script>')
    expect(alone).toContain('<p><a href="../">My &lt;Site&gt;</a></p>')
    expect(alone).not.toContain('refresh')
    const isRedirected = redirectedBy(files.get('_redirects') ?? '', '/sub/')
    expect([isRedirected('index.html'), isRedirected('index.php/index.html')]).toEqual([false, true])
  })

  it('lead links with such a query to the page', () => {
    const targetOf = createPageLinks({ ...askedLayout, others: [] }, 'https://example.org/')
    const target = { target: 'blog/new/index.html', tail: '#a' }
    expect(targetOf('/?p=12#a')).toEqual(target)
    expect(targetOf('https://example.org/index.php?id=3#a')).toEqual(target)
    expect(targetOf('/?p=13')).toEqual({ target: 'index.html', tail: '?p=13' })
  })

  it('create no files if nothing moved', () => {
    expect(redirectFiles(layOut(aLayoutInput({ pages: [aPage('1')] })), [], null)).toEqual([])
  })
})
