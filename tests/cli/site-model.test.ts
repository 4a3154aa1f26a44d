import { mkdir, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

import type { AtEnd } from './support/cli.ts'
import { galley } from './support/cli.ts'
import { aNewsroom, aPage } from './support/library.ts'

// The settings of pages by command line: permanent addresses, dates, drafts, the home page, redirects.

const ends: (() => Promise<void>)[] = []
const atEnd: AtEnd = (clean) => void ends.unshift(clean)
let room: Awaited<ReturnType<typeof aNewsroom>>

async function open(id: string, ...args: string[]): Promise<string> {
  const opened = await room.run('open', 'acme', id, ...args)
  expect(opened.code, opened.stderr).toBe(0)
  return (opened.json() as { fingerprint: string }).fingerprint
}

beforeAll(async () => {
  room = await aNewsroom({ atEnd })
  for (const [id, slug] of [
    ['a', 'summer'],
    ['b', 'summer'],
    ['c', 'blog/2026/05/Sea'],
    ['d', null],
  ] as const) {
    const fingerprint = await open(id, ...(slug === null ? [] : ['--slug', slug]))
    expect((await room.save(fingerprint, aPage(`Heading of ${id}`))).result).toBe('merged')
  }
})
afterAll(async () => {
  for (const clean of ends) await clean()
})

interface Report {
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly sha256: string
  readonly left_out: readonly { readonly material_id: string; readonly reason: string }[]
  readonly notes: readonly { readonly code: string }[]
  readonly links: { readonly broken: readonly unknown[] }
}

async function exported(out: string, ...args: string[]): Promise<Report> {
  const done = await room.run('export', 'acme', '--out', join(room.folder, out), ...args)
  expect(done.code, done.stderr).toBe(0)
  return done.json() as Report
}
const page = async (id: string, ...args: string[]) => {
  const done = await room.run('page', 'acme', id, ...args)
  expect(done.code, done.stderr).toBe(0)
  return done.json() as Record<string, unknown>
}
const refused = (...args: string[]) => room.refused(...args)
const read = (...path: string[]) => readFile(join(room.folder, ...path), 'utf8')
/** Without those that the theme makes. */
const pagesIn = async (out: string): Promise<readonly string[]> =>
  (await readdir(join(room.folder, out), { recursive: true }))
    .filter((path) => path.endsWith('index.html'))
    .map((path) => path.replace(/\/?index\.html$/, ''))
    .filter((path) => !/^(?:archive|search|tags)(?:\/|$)/.test(path))
    .toSorted()

test('a page has an address before it is published, and a moment afterwards', async () => {
  expect(await page('a')).toMatchObject({
    site: 'acme',
    material_id: 'a',
    path: 'summer',
    path_decided: false,
    slug: 'summer',
    title: 'Heading of a',
    published: null,
    not_before: null,
    state: 'published',
    type: 'post',
    language: null,
    description: null,
    tags: [],
    version: 'latest',
    redirects_from: [],
  })
  // A part of the site decides the addresses of all of it, and publishes what is in it.
  const report = await exported('part', '--material', 'b')
  expect(report.notes).toEqual([{ code: 'no_base_url' }])
  expect(await pagesIn('part')).toEqual(['', 'summer-b'])
  const [a, b] = [await page('a'), await page('b')]
  expect(a).toMatchObject({ path: 'summer', path_decided: true, published: null })
  expect(b).toMatchObject({ path: 'summer-b', published: expect.stringMatching(/^2\d{3}-.*Z$/) as string })
})

test('the whole site has nested addresses and titles for addresses, and the same bytes again later', async () => {
  const first = await exported('site')
  expect(await pagesIn('site')).toEqual(['', 'blog/2026/05/sea', 'heading-of-d', 'summer', 'summer-b'])
  expect(first.links.broken).toEqual([])
  expect(await read('site', 'blog/2026/05/sea/index.html')).toContain('src="../../../../media/')
  expect(await exported('again')).toMatchObject({ sha256: first.sha256 })
  expect(await exported('site')).toMatchObject({ added: 0, changed: 0, removed: 0 })
})

test('only a person moves a page, and its old address redirects to it', async () => {
  await open('a', '--slug', 'sommer')
  expect(await page('a')).toMatchObject({ path: 'sommer', redirects_from: ['summer'] })
  expect(await page('b'), 'nobody takes what has become free').toMatchObject({ path: 'summer-b' })
  expect(await page('a', '--slug', '/Blog/Sommer/')).toMatchObject({
    path: 'blog/sommer',
    slug: 'Blog/Sommer',
    redirects_from: ['sommer', 'summer'],
  })
  await exported('site')
  expect(await pagesIn('site')).toEqual([
    '',
    'blog/2026/05/sea',
    'blog/sommer',
    'heading-of-d',
    'sommer',
    'summer',
    'summer-b',
  ])
  const redirect = await read('site', 'summer/index.html')
  expect(redirect).toContain('<meta http-equiv="refresh" content="0; url=../blog/sommer/index.html">')
  expect(await read('site', '_redirects')).toBe('/sommer/ /blog/sommer/ 301\n/summer/ /blog/sommer/ 301\n')

  expect(await refused('page', 'acme', 'b', '--slug', 'blog/sommer')).toEqual([1, 'address_taken'])
  expect(await refused('open', 'acme', 'b', '--slug', 'blog/sommer')).toEqual([1, 'address_taken'])
  // The same slug as before does not move the page.
  await open('b', '--slug', 'summer')
  expect(await page('b')).toMatchObject({ path: 'summer-b' })
  expect(await page('b', '--slug', 'summer'), 'what leads elsewhere can be given away').toMatchObject({
    path: 'summer',
    redirects_from: ['summer-b'],
  })
  expect(await page('a')).toMatchObject({ redirects_from: ['sommer'] })
  expect(await page('a', '--slug', 'sommer')).toMatchObject({ path: 'sommer', redirects_from: ['blog/sommer'] })
  await exported('site')
  expect(await read('site', '_redirects')).toBe('/blog/sommer/ /sommer/ 301\n/summer-b/ /summer/ 301\n')
})

test('drafts and scheduled pages stay behind, hidden ones are in no list, and the choice of a version holds', async () => {
  await page('a', '--state', 'draft')
  await page('b', '--not-before', '2999-01-01')
  await page('c', '--state', 'hidden')
  await page('d', '--version', 'approved')
  const { left_out: leftOut } = await exported('states')
  expect(leftOut.map(({ material_id: id, reason }) => [id, reason])).toEqual([
    ['a', 'draft'],
    ['b', 'scheduled'],
    ['d', 'not_approved'],
  ])
  expect(await pagesIn('states')).toEqual(['', 'blog/2026/05/sea'])
  expect(await read('states', 'index.html')).not.toContain('sea')
  await page('a', '--state', 'published', '--pinned', 'on')
  await page('b', '--not-before', 'none', '--published', '2001-02-03')
  await page('c', '--state', 'published', '--published', '2030-01-01T10:00:00+02:00', '--tags', 'x, ü ,x')
  expect(await page('d', '--version', 'latest')).toMatchObject({ version: 'latest' })
  expect(await page('c')).toMatchObject({ published: '2030-01-01T08:00:00.000Z', tags: ['x', 'ü'] })
  await exported('states')
  const home = await read('states', 'index.html')
  const order = ['sommer/', 'sea/', 'heading-of-d/', 'summer/'].map((path) => home.indexOf(`${path}index.html`))
  expect(order, 'pinned, then the last published').toEqual(order.toSorted((x, y) => x - y))
  expect(order).not.toContain(-1)
})

test('a setting of a theme has the type that the theme gives it', async () => {
  const given = {
    year: '007',
    size: '1.50',
    endless: 'Infinity',
    yes: 'true',
    width: '-2.5',
    wide: 'on',
    bare: 'false',
  }
  const types = { width: { type: 'number', default: 0, min: -9, max: 9 }, wide: { type: 'switch', default: false } }
  const described = { ...types, bare: { type: 'switch', default: true } } as const
  const standard = join(import.meta.dirname, '../../resources/themes/default/theme.json')
  const { settings: inherited } = JSON.parse(await readFile(standard, 'utf8')) as {
    readonly settings: readonly unknown[]
  }
  const own = Object.keys(given).map((key) => ({
    ...(key in described ? described[key as keyof typeof described] : { type: 'text', default: '' }),
    key,
    label: { en: key },
  }))
  const theme = join(room.folder, 'typed')
  await mkdir(theme)
  const settings = [...inherited, ...own]
  await writeFile(
    join(theme, 'theme.json'),
    JSON.stringify({ name: 'typed', label: { en: 'T' }, version: '1', settings }),
  )
  const options = Object.entries(given).flatMap(([key, value]) => ['--theme-setting', `${key}=${value}`])
  const set = await room.run('site', 'publishing', 'acme', '--theme', theme, ...options)
  expect(set.json()).toMatchObject({ theme_settings: { ...given, width: -2.5, wide: true, bare: false } })
  await room.run('site', 'publishing', 'acme', '--theme', 'default')
  const cleared = Object.keys(given).flatMap((key) => ['--theme-setting', `${key}=`])
  expect((await room.run('site', 'publishing', 'acme', ...cleared)).json()).toMatchObject({ theme_settings: {} })
})

test('a setting that the theme does not have is refused, and an export takes the name of a theme', async () => {
  const publishing = ['site', 'publishing', 'acme']
  for (const setting of ['bar=off', 'bar=banana', 'sections=on'])
    expect((await room.run(...publishing, '--theme-setting', setting)).failure()).toEqual({
      code: 'usage',
      message: expect.stringContaining('it has type, accent, accent_dark, neighbours') as string,
    })
  const wrong = await room.run(...publishing, '--theme', 'plain', '--theme-setting', 'bar=banana')
  expect(wrong.failure().message).toContain('must be on or off')
  const set = await room.run(...publishing, '--theme', 'plain', '--theme-setting', 'bar=off')
  expect(set.json()).toMatchObject({ theme: 'plain', theme_settings: { bar: false } })
  await room.run(...publishing, '--theme', 'default', '--theme-setting', 'bar=')
  await exported('by-name', '--theme', 'plain')
  await exported('by-default')
  const [plain, own] = [await read('by-name', 'index.html'), await read('by-default', 'index.html')]
  expect(plain).not.toBe(own)
})

test('a site sets its home page, its language and its address', async () => {
  const set = await room.run(
    'site',
    'publishing',
    'acme',
    '--home',
    'd',
    '--language',
    'ar',
    '--base-url',
    'https://example.org/sub',
    '--theme-setting',
    'accent=#123456',
    '--theme-setting',
    'neighbours=off',
    '--menu',
    'About=material:d',
    '--menu',
    'Shop=https://shop.example/',
    '--posts-per-page',
    '5',
    '--footer',
    'Fin',
  )
  expect(set.json()).toEqual({
    site: 'acme',
    edit_link: null,
    outgoing: 'not-rejected',
    home: 'd',
    language: 'ar',
    time_zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    base_url: 'https://example.org/sub/',
    description: null,
    theme: 'default',
    theme_settings: { accent: '#123456', neighbours: false },
    menu: [
      { label: 'About', material: 'd' },
      { label: 'Shop', url: 'https://shop.example/' },
    ],
    footer: 'Fin',
    posts_per_page: 5,
    head: '',
    body: '',
  })
  const report = await exported('home')
  expect(report.notes).toEqual([])
  expect(report.links.broken).toEqual([])
  expect(await read('home', 'index.html')).toContain('Heading of d')
  expect(await read('home', 'heading-of-d/index.html')).toContain('url=../"')
  expect(await read('home', 'posts/index.html')).toContain('href="../sommer/"')
  expect(await read('home', '_redirects')).toContain('/sub/heading-of-d/ /sub/ 301\n')
  const page = await read('home', 'sommer/index.html')
  expect(page).toContain('lang="ar"')
  expect(page).toContain('<meta name="description" content="Text of Heading of a.">')
  expect(page).toMatch(/<meta property="og:image" content="https:\/\/example\.org\/sub\/media\//)
  expect((await exported('home-part', '--material', 'a')).notes).toEqual([{ code: 'home_left_out', material_id: 'd' }])
  expect(await read('home-part', 'posts/index.html'), 'the list is the home page').toContain('url=../"')
})

test('a move adds its redirect to those given with it, and a list stays where a redirect would replace it', async () => {
  const { path: before } = await page('d')
  expect(
    await page('d', '--slug', 'moved', '--redirect-from', '2019/Old_Page.html', '--redirect-from', '/%D0%BD/My%20page'),
  ).toMatchObject({
    path: 'moved',
    redirects_from: [before, '2019/Old_Page.html', 'н/My page'],
  })
  await exported('moved', '--base-url', 'https://example.org/')
  expect(await read('moved', '2019', 'Old_Page.html')).toContain('url=../"')
  expect(await read('moved', '_redirects')).toContain('/2019/Old_Page.html / 301\n')
  expect(await read('moved', 'н', 'My page', 'index.html')).toContain('url=../../"')
  expect(await read('moved', '_redirects')).toContain('/%D0%BD/My%20page/ / 301\n')
  await page('d', '--redirect-from', 'https://old.example/?p=12')
  await exported('moved', '--base-url', 'https://example.org/')
  expect(await read('moved', '_redirects')).toContain('/ p=12 / 301!\n')
  expect(await read('moved', 'theme/redirects.js')).toContain('"p=12"')
  await page('d', '--slug', String(before), '--redirect-from', 'archive', '--redirect-from', 'tags/x')
  const { links, sha256 } = await exported('lists', '--base-url', 'https://example.org/')
  expect(links.broken).toEqual([])
  for (const list of ['archive', 'tags/x']) expect(await read('lists', list, 'index.html')).not.toContain('refresh')
  expect(await read('lists', '_redirects')).not.toMatch(/^\/(?:archive|tags)\//m)
  const { files } = JSON.parse(await read('lists', 'galley-bundle.json')) as { files: readonly { path: string }[] }
  expect(new Set(files.map(({ path }) => path)).size).toBe(files.length)
  const left = (await readdir(join(room.folder, 'lists'), { recursive: true })).filter((path) =>
    path.includes('.galley'),
  )
  expect(left).toEqual([])
  expect(await exported('lists', '--base-url', 'https://example.org/', '--verify')).toMatchObject({
    added: 0,
    changed: 0,
    removed: 0,
    sha256,
    verified: { files: files.length + 1, wrong: [] },
  })
  await page('d', '--redirect-from', 'none')
})

test('a publication names what it leaves out, as an export does, and takes a theme as an export does', async () => {
  await room.run('target', 'add', 'acme', 'live', `folder:${join(room.folder, 'live')}`)
  await page('d', '--state', 'draft')
  await room.run('site', 'publishing', 'acme', '--base-url', 'none')
  const report = {
    left_out: [{ material_id: 'd', reason: 'draft', instead: null }],
    notes: [{ code: 'home_left_out', material_id: 'd' }, { code: 'no_base_url' }],
  }
  expect((await room.run('publish', 'acme', '--dry-run')).json()).toMatchObject(report)
  expect((await room.run('publish', 'acme')).json()).toMatchObject(report)
  const said = await galley(['publish', 'acme', '--library', room.library], room.environment)
  expect(said.stdout).toContain('Not exported: d')
  await page('d', '--state', 'published')

  const theme = join(room.folder, 'theme')
  await mkdir(theme)
  const setting = { key: 'columns', label: 'Columns', type: 'number', default: 1, min: 1, max: 2 }
  const manifest = { name: 'own', label: 'Own', version: '1', settings: [setting] }
  await writeFile(join(theme, 'theme.json'), JSON.stringify(manifest))
  for (const name of ['page', 'home', 'list', 'archive', 'tags', 'search', '404'])
    await writeFile(join(theme, `${name}.html`), '{{ content }}')
  await exported('themed', '--theme', theme)
  const published = await room.run('publish', 'acme', '--theme', theme)
  expect(published.code, published.stderr).toBe(0)
  await room.run('site', 'publishing', 'acme', '--base-url', 'https://example.org/sub')
})

test('a target that is changed keeps its endpoint and region, until another bucket or none is named', async () => {
  const place = async (...args: readonly string[]) => {
    const ran = await room.run('target', 'add', 'acme', 'bucket', ...args)
    expect(ran.code, ran.stderr).toBe(0)
    const { endpoint, region } = ran.json() as { readonly endpoint: string | null; readonly region: string | null }
    return [endpoint, region]
  }
  const given = ['https://s3.example', 'eu-1']
  expect(await place('s3:web/www', '--endpoint', 'https://s3.example', '--region', 'eu-1')).toEqual(given)
  expect(await place('s3:web/www', '--schedule', '06:00')).toEqual(given)
  expect(await place('s3:web/www', '--region', 'none')).toEqual(['https://s3.example', null])
  expect(await place('s3:web/other')).toEqual([null, null])
  await room.run('target', 'remove', 'acme', 'bucket')
})

test('options without an effect are wrong usage, and an address may contain an at sign', async () => {
  for (const args of [
    ['export', 'acme', '--out', join(room.folder, 'never'), '--material', 'd', '--pin', 'e=v1'],
    ['publish', 'acme', '--rollback', 'r1', '--check', 'block'],
    ['site', 'publishing', 'acme', '--base-url', `https://example.org/${'x'.repeat(2000)}`],
    ['site', 'publishing', 'acme', '--base-url', 'https://user@example.org/'],
  ])
    expect((await room.run(...args)).code, args.join(' ')).toBe(2)
  expect((await room.run('site', 'publishing', 'acme', '--base-url', 'https://example.org/@me/')).json()).toMatchObject(
    {
      base_url: 'https://example.org/@me/',
    },
  )
  await room.run('site', 'publishing', 'acme', '--base-url', 'https://example.org/sub')
})

test('each target has a place of its own, outside the library', async () => {
  const add = async (name: string, place: string) => {
    const { code, stderr } = await room.run('target', 'add', 'acme', name, place)
    return code === 0 ? 'added' : `${code} ${stderr}`
  }
  const own = `folder:${join(room.folder, 'own')}`
  expect(await add('own', own)).toBe('added')
  expect(await add('own', own), 'saved again').toBe('added')
  expect(await add('other', `${own}/`)).toMatch(/^2 .*the target own of acme publishes to this location/s)
  await symlink(room.library, join(room.folder, 'linked'))
  for (const folder of [room.library, join(room.library, 'web/new'), join(room.folder, 'linked/web')])
    expect(await add('inside', `folder:${folder}`), folder).toMatch(/^2 .*is in a Galley library/s)
  for (const args of [
    ['export', 'acme', '--out', join(room.folder, 'linked/web')],
    ['export', 'acme', '--out', join(room.library, 'x.zip')],
    ['backup', join(room.folder, 'linked/log/x.zip')],
  ]) {
    const inside = await room.run(...args)
    expect([inside.code, inside.stderr], args.join(' ')).toEqual([
      2,
      expect.stringMatching(/(is|would be) in a Galley library/),
    ])
  }
  expect((await readdir(room.library, { recursive: true })).filter((path) => path.endsWith('x.zip'))).toEqual([])
  await room.run('target', 'remove', 'acme', 'own')
})

test('invalid values are refused before anything changes', async () => {
  const before = [await page('a'), (await room.run('site', 'publishing', 'acme')).json()]
  for (const args of [
    ['--slug', '日本/…'],
    ['--updated', 'yesterday'],
    ['--slug', 'media/x'],
    ['--slug', 'a/../b'],
    ['--published', 'yesterday'],
    ['--published', '2026-02-30'],
    ['--not-before', '2026'],
    ['--language', 'not a language'],
    ['--state', 'gone'],
    ['--type', 'news'],
    ['--canonical', 'javascript:alert(1)'],
    ['--canonical', 'https://user:password@example.org/x'],
    ['--canonical', 'https://:password@example.org/x'],
    ['--tags', ','],
    ['--tags', ' '],
    ['--redirect-from', 'sommer'],
    ['--redirect-from', '/?p'],
    ['--redirect-from', 'feed.xml'],
    ['--redirect-from', 'Media/x'],
    ['--redirect-from', 'a/../b'],
    ['--redirect-from', 'x.html/y'],
    ['--redirect-from', 'con.php'],
    ['--pinned', 'yes'],
  ])
    expect(await refused('page', 'acme', 'a', ...args), args.join(' ')).toEqual([2, 'usage'])
  for (const args of [
    ['--language', 'x_y'],
    ['--base-url', 'ftp://x/'],
    ['--theme', 'no-such-theme'],
    ['--outgoing', 'some'],
    ['--menu', 'x'],
    ['--menu', 'x=javascript:alert(1)'],
    ['--menu', 'x=https://user:password@example.org/'],
    ['--menu', 'none', '--menu', 'x=/y/'],
    ['--posts-per-page', '0'],
    ['--theme-setting', '1=2'],
  ])
    expect(await refused('site', 'publishing', 'acme', ...args), args.join(' ')).toEqual([2, 'usage'])
  expect(await refused('page', 'acme', 'nobody')).toEqual([1, 'unknown_material'])
  expect(await refused('page', 'acme', 'a', '--version', 'v9')).toEqual([1, 'unknown_version'])
  expect(await refused('page', 'acme', 'a', '--redirect-from', 'summer')).toEqual([1, 'address_taken'])
  for (const image of [
    'lost.png',
    'media/hero.png',
    '/hero.png',
    'ftp://x.example/hero.png',
    'https://u:p@x.example/a.png',
  ])
    expect(await refused('page', 'acme', 'a', '--social-image', image), image).toEqual([1, 'invalid_social_image'])
  expect(await refused('site', 'publishing', 'acme', '--home', 'nobody')).toEqual([1, 'unknown_material'])
  for (const args of [
    ['folder:/srv/www', '--public-url', 'https://:password@example.org'],
    ['s3:web', '--endpoint', 'https://:password@s3.example'],
  ])
    expect(await refused('target', 'add', 'acme', 'never', ...args), args.join(' ')).toEqual([2, 'usage'])
  expect([await page('a'), (await room.run('site', 'publishing', 'acme')).json()]).toEqual(before)
})

test('a material that was never saved is not left out in silence', async () => {
  await open('unsaved')
  const out = join(room.folder, 'never-saved')
  const nothing = await room.run('export', 'acme', '--out', out, '--material', 'unsaved')
  expect([nothing.code, nothing.failure().code]).toEqual([1, 'never_saved'])
  const one = await room.run('export', 'acme', '--out', out, '--material', 'a', '--material', 'unsaved')
  expect([one.code, one.stderr]).toEqual([0, expect.stringContaining('unsaved was never saved')])
  await room.run('material', 'delete', 'acme', 'unsaved')
})

test('a slug that equals the id is an address too, unless another page has it', async () => {
  const saved = async (id: string, ...args: string[]) => {
    expect((await room.save(await open(id, ...args), aPage(`Our company, ${id}`))).result).toBe('merged')
    return page(id)
  }
  expect(await saved('about-us', '--slug', 'about-us')).toMatchObject({ path: 'about-us', slug: 'about-us' })
  expect(await saved('imprint')).toMatchObject({ path: 'our-company-imprint', slug: 'imprint' })
  // Asked for before anything decides an address, at a later open too.
  await open('imprint', '--slug', 'imprint')
  expect(await page('imprint')).toMatchObject({ path: 'imprint', path_decided: true })
  await page('about-us', '--slug', 'contact')
  expect(await saved('contact', '--slug', 'contact')).toMatchObject({ path: 'our-company-contact' })
  await room.run('material', 'delete', 'acme', 'contact')
})

test('a slug that cannot be an address opens its material, and stderr says that the page stays', async () => {
  const far = async (slug = 'media/far') => {
    const { code, stderr } = await room.run('open', 'acme', 'far', '--slug', slug)
    return [code, stderr]
  }
  expect(await far()).toEqual([0, ''])
  expect((await room.save(await open('far'), aPage('Far'))).result).toBe('merged')
  expect(await page('far')).toMatchObject({ path: 'media-page/far', path_decided: false })
  await exported('far')
  expect(await far()).toEqual([0, ''])
  expect(await far('…')).toEqual([0, expect.stringContaining('The page keeps its address')])
  expect(await page('far')).toMatchObject({ path: 'media-page/far', slug: '…', path_decided: true })
  await room.run('material', 'delete', 'acme', 'far')
})

test('a theme with a mistake is wrong usage only where the command names it', async () => {
  const theme = join(room.folder, 'broken')
  await mkdir(theme)
  await writeFile(join(theme, 'page.html'), '{% if %}')
  await room.run('target', 'add', 'acme', 'themed', `folder:${join(room.folder, 'themed-site')}`)
  const commands = [
    ['export', 'acme', '--out', join(room.folder, 'never')],
    ['publish', 'acme', '--target', 'themed'],
    ['preview', 'acme'],
  ]
  for (const args of commands) expect(await refused(...args, '--theme', theme), args.join(' ')).toEqual([2, 'usage'])
  const publishing = ['site', 'publishing', 'acme']
  for (const args of [
    ['--theme', theme],
    ['--theme-setting', 'accent=blue'],
  ])
    expect(await refused(...publishing, ...args), args.join(' ')).toEqual([2, 'usage'])
  await writeFile(join(theme, 'page.html'), '{{ content }}')
  const set = await room.run(...publishing, '--theme', theme)
  expect([set.code, set.json()]).toMatchObject([0, { theme: expect.stringMatching(/^files:[0-9a-f]{64}$/) as string }])
  // Its files are in the library: neither the folder nor what is in it now is read again.
  await writeFile(join(theme, 'page.html'), '{% if %}')
  const out = join(room.folder, 'stored-theme')
  expect((await room.run('export', 'acme', '--out', out)).code).toBe(0)
  await rm(theme, { recursive: true })
  expect((await room.run('linkcheck', 'acme')).json()).toMatchObject({ checked: expect.any(Number) as number })
  const { files: kept } = (await room.run('gc', '--dry-run')).json() as { files: number }
  await room.run('site', 'publishing', 'acme', '--theme', 'default')
  expect((await room.run('gc', '--dry-run')).json(), 'only a theme in use keeps its file').toMatchObject({
    files: kept + 1,
  })
  await room.run('target', 'remove', 'acme', 'themed')
})

test('backup, restore and a rebuild keep all of it', async () => {
  await page('a', '--redirect-from', '/old/Place/', '--author', 'Ida', '--description', 'Said')
  expect(await page('a', '--social-image', 'hero.png')).toMatchObject({ social_image: 'hero.png' })
  const pages = async () => [await page('a'), await page('b'), await page('c'), await page('d')]
  const before = await pages()
  expect(before[0]).toMatchObject({ redirects_from: ['old/Place', 'blog/sommer'], author: 'Ida' })
  const { sha256 } = await exported('kept')

  const backup = join(room.folder, 'galley.zip')
  expect((await room.run('backup', backup)).code).toBe(0)
  const library = join(room.folder, 'restored')
  const there = (...args: string[]) => room.at(library, ...args)
  expect((await there('restore', backup)).code).toBe(0)
  for (const [at, id] of ['a', 'b', 'c', 'd'].entries())
    expect((await there('page', 'acme', id)).json()).toEqual(before[at])
  expect((await there('rebuild')).code).toBe(0)
  expect((await there('page', 'acme', 'a')).json()).toEqual(before[0])
  const out = join(room.folder, 'restored-site')
  expect((await there('export', 'acme', '--out', out)).json()).toMatchObject({ sha256 })
})

test('the plan of a publication names the page that moves, and where from', async () => {
  const target = join(room.folder, 'live')
  const run = async (...args: string[]) => (await room.run(...args)).json() as Record<string, unknown>
  await run('target', 'add', 'acme', 'live', `folder:${target}`)
  await run('publish', 'acme', '--target', 'live')
  const { path } = (await page('b')) as { path: string }
  await page('b', '--slug', 'moved/b')
  expect((await run('publish', 'acme', '--target', 'live', '--dry-run'))['files']).toContainEqual({
    path: 'moved/b/index.html',
    change: 'added',
    reason: 'new',
    bytes: expect.any(Number) as number,
    material_id: 'b',
    version_id: expect.any(String) as string,
    title: 'Heading of b',
    moved_from: `${path}/index.html`,
  })
})

test('the list of posts redirects from its former address when it is the home page again', async () => {
  const home = (material: string) => room.run('site', 'publishing', 'acme', '--home', material)
  await home('a')
  await exported('list-again')
  expect(await read('list-again', 'posts/index.html')).toContain('Heading of')
  await home('listing')
  expect(await exported('list-again')).toMatchObject({ links: { broken: [] } })
  expect(await read('list-again', 'posts/index.html')).toContain('url=../"')
  expect(await read('list-again', '_redirects')).toContain('/sub/posts/ /sub/ 301\n')
})
