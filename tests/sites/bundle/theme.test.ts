import { describe, expect, it } from 'vitest'

import type { RenderTime } from '../../../packages/sites/bundle/render/engine.ts'
import { createEngine } from '../../../packages/sites/bundle/render/engine.ts'
import { Markup } from '../../../packages/sites/bundle/render/markup.ts'
import { assetPath, placeAssets } from '../../../packages/sites/bundle/render/theme-assets.ts'
import { parseThemeManifest, settingsFor } from '../../../packages/sites/bundle/render/theme.ts'
import { urlsFrom } from '../../../packages/sites/bundle/render/urls.ts'
import { dateText, wordsFor } from '../../../packages/sites/bundle/render/words.ts'
import { cause, causeSentence } from '../../../packages/wire/cause.ts'

const engineOf = (
  templates: Readonly<Record<string, string>>,
  zone = 'UTC',
  time: RenderTime = { nowMs: () => 0, allowedMs: 60_000 },
) =>
  createEngine(
    { templates: new Map(Object.entries(templates)), assets: new Map([['a.css', 'theme/a-1.css']]) },
    zone,
    () => undefined,
    time,
  )

const values = {
  galley_urls: urlsFrom('x/index.html', null),
  title: '<b>',
  body: new Markup('<p>{{ title }}</p>'),
  page: { a: 1 },
}

describe('the time of all pages of a run', () => {
  const page = (path: string) => ({ ...values, galley_urls: urlsFrom(path, null) })

  it('ends the run with the template that took most of it, and the page that came last', () => {
    let nowMs = 0
    // Each reading of the clock is a second later, so a page takes one.
    const engine = engineOf({ 'page.html': 'page', 'home.html': 'home' }, 'UTC', {
      nowMs: () => (nowMs += 1_000),
      allowedMs: 3_500,
    })
    for (const path of ['a/index.html', 'b/index.html']) expect(engine.render('page.html', page(path)).ok).toBe(true)
    expect(engine.render('home.html', page('index.html')).ok).toBe(true)
    const ended = engine.render('home.html', page('c/index.html'))
    if (ended.ok) throw new Error('The run went on')
    expect(ended.failure).toMatchObject({ file: 'page.html', line: null })
    expect(causeSentence(ended.failure.problem)).toBe(
      'its pages take too long: together they may take 4 s, which were over at c/index.html',
    )
    // Nothing is rendered after that.
    expect(engine.render('page.html', page('d/index.html')).ok).toBe(false)
  })

  it('counts the time of a page that fails', () => {
    let nowMs = 0
    const engine = engineOf({ 'page.html': '{{ none }}' }, 'UTC', { nowMs: () => (nowMs += 5_000), allowedMs: 3_000 })
    expect(engine.render('page.html', page('a/index.html'))).toMatchObject({
      failure: { problem: { code: 'theme_slow' } },
    })
  })
})

describe('templates', () => {
  it('print the time of now there', () => {
    const timesIn = (zone: string) =>
      engineOf({ 'page.html': `{{ 'now' | date: '%s %H' }} {{ 'today' | date: '%H' }}` }, zone).render(
        'page.html',
        values,
      )
    const hours = (zone: string): readonly number[] => {
      const rendered = timesIn(zone)
      return rendered.ok ? rendered.value.split(' ').map(Number) : []
    }
    const [seconds = 0, , tokyo = 0] = hours('Asia/Tokyo')
    expect([0, 1]).toContain((tokyo - new Date(seconds * 1000).getUTCHours() - 9 + 48) % 24)
  })

  it.each([
    ["'2026-05-01' | date: '%Y-%m-%d %H:%M'", '2026-05-01 00:00'],
    ["'2026-11-01' | date: '%e %B'", ' 1 November'],
    ["'May 1, 2026 20:30' | date: '%d %H:%M'", '01 20:30'],
    ["'2026-05-01T20:30' | date: '%d %H:%M'", '01 20:30'],
    ["'2026-05-02T00:30:00Z' | date: '%d %H:%M'", '01 20:30'],
    ["'2026-05-02 00:30 +0000' | date: '%d'", '01'],
    ["1777681800 | date: '%d %H:%M'", '01 20:30'],
    ["'2026-05-01T20:30' | date: '%s'", '1777681800'],
    ["'2026-05-01T20:30' | date_to_xmlschema", '2026-05-02T00:30:00+00:00'],
    ["'2026-05-01' | date_to_long_string", '01 May 2026'],
    ["'no date' | date: '%d'", 'no date'],
  ])('print %s in the time zone of the site', (expression, text) => {
    const engine = engineOf({ 'page.html': `{{ ${expression} }}` }, 'America/New_York')
    expect(engine.render('page.html', values)).toEqual({ ok: true, value: text })
  })

  it('escape their output except for markup, which is never read as a template', () => {
    const engine = engineOf({
      'page.html': `{% layout 'base.html' %}{% block main %}{{ title }}{{ body }}{{ 'a.css' | asset }}{% render 'part.html', n: 2 %}{% endblock %}`,
      'base.html': '<main>{% block main %}{% endblock %}</main>',
      'part.html': '{{ n }}{{ title }}',
    })
    expect(engine.render('page.html', values)).toEqual({
      ok: true,
      value: '<main>&lt;b&gt;<p>{{ title }}</p>../theme/a-1.css2&lt;b&gt;</main>',
    })
  })

  it.each([
    ['{{ page.b }}', 'undefined variable: page.b'],
    ['{{ title | nope }}', 'undefined filter: nope'],
    ["{{ 'b.css' | asset }}", 'there is no assets/b.css'],
    ["{% render '../../../../etc/passwd' %}", 'there is no ../../../../etc/passwd'],
    ['{% for i in (1..900000000) %}{% endfor %}', 'memory alloc limit exceeded'],
    ["{% render 'part.html' %}", 'this includes itself, directly or through other files'],
    ['{% if title %}', 'tag {% if title %} not closed'],
  ])('name the file, the line and the column of %s', (template, problem) => {
    const engine = engineOf({ 'page.html': "{% render 'part.html' %}", 'part.html': `<p>\n  ${template}` })
    const made = engine.render('page.html', values)
    expect(made).toMatchObject({ ok: false, failure: { file: 'part.html', line: 2 } })
    expect(made.ok ? '' : causeSentence(made.failure.problem)).toBe(problem)
  })

  it('access only their data', () => {
    const engine = engineOf({ 'page.html': '{{ title.constructor }}{{ page.constructor }}' })
    expect(engine.render('page.html', values)).toMatchObject({ ok: false })
  })
})

describe('theme.json', () => {
  const manifest = (settings: string): string =>
    `{\n "name": "t", "label": "T", "version": "1",\n "settings": [\n  ${settings}\n ]\n}`
  const accent = '{"key": "accent", "label": "Accent", "type": "color", "default": "#112233"}'
  const width = '{"key": "width", "label": "Width", "type": "number", "default": 40, "min": 30, "max": 50}'

  it('is read with its settings', () => {
    expect(parseThemeManifest(manifest(`${accent},\n  ${width}`))).toMatchObject({
      ok: true,
      value: { label: 'T', settings: [{ key: 'accent' }, { key: 'width', max: 50 }] },
    })
  })

  it.each([
    [manifest(accent.replace('#112233', 'red')), 4, 'settings.0.default: must be a colour such as #1f5fd0'],
    [manifest(`${accent},\n  ${width.replace('40', '60')}`), 5, 'settings.1.default: must be a number from 30 to 50'],
    [manifest(`${accent},\n  ${accent}`), 5, 'settings.1.key: is used twice'],
    [manifest('').replace('"t"', '"T t"'), 2, 'name: must be lower-case letters, digits and hyphens'],
    ['{\n "name": nope }', 2, 'is not valid JSON'],
    [manifest(accent.replace('"label"', '"colour": 1, "label"')), 4, 'settings.0.colour: is not known'],
  ])('is refused with the line of the mistake', (text, line, problem) => {
    const read = parseThemeManifest(text)
    expect(read).toMatchObject({ ok: false, failure: { file: 'theme.json', line } })
    expect(read.ok ? '' : causeSentence(read.failure.problem)).toBe(problem)
  })

  it('decides which settings a site may have', () => {
    const read = parseThemeManifest(manifest(`${accent},\n  ${width}`))
    if (!read.ok) throw new Error(causeSentence(read.failure.problem))
    expect(settingsFor(read.value, { width: 45 })).toEqual({ ok: true, value: { accent: '#112233', width: 45 } })
    expect(settingsFor(read.value, { width: 'wide' })).toMatchObject({
      failure: {
        problem: cause('theme_setting', { name: 'width', why: cause('theme_number', { name: 30, why: 50 }) }),
      },
    })
    expect(settingsFor(read.value, { width: '45' })).toEqual({ ok: true, value: { accent: '#112233', width: 45 } })
    const choices = '"choices": [{"value": "2", "label": "Two"}, {"value": "007", "label": "Seven"}]'
    const texts = parseThemeManifest(
      manifest(`{"key": "intro", "label": "I", "type": "text", "default": ""},
        {"key": "cols", "label": "C", "type": "choice", "default": "2", ${choices}}`),
    )
    if (!texts.ok) throw new Error(causeSentence(texts.failure.problem))
    // The command line cannot tell a text that looks like a number from one.
    expect(settingsFor(texts.value, { intro: 2026, cols: 2 })).toEqual({
      ok: true,
      value: { intro: '2026', cols: '2' },
    })
    expect(settingsFor(texts.value, { intro: true, cols: '007' })).toMatchObject({
      value: { intro: 'true', cols: '007' },
    })
    // Of the theme that the site had before.
    expect(settingsFor(read.value, { columns: 3 })).toEqual(settingsFor(read.value, {}))
  })
})

describe('assets', () => {
  const placed = (css: Readonly<Record<string, string>>) => {
    const texts = new Map<string, string>()
    const made = placeAssets(
      [...Object.keys(css), 'fonts/A b.woff2'],
      (name) => css[name] ?? '',
      (name, text) => {
        if (text !== null) texts.set(name, text)
        return assetPath(name, '0123456789abcdef')
      },
    )
    return { made, texts }
  }

  it('are named by their bytes, and style sheets are updated', () => {
    expect(assetPath('site.webmanifest', 'f'.repeat(64))).toBe(`theme/site-${'f'.repeat(16)}.webmanifest`)
    expect(assetPath('img/Photo One.PNG', 'f'.repeat(64))).toBe(`theme/img-photo-one-${'f'.repeat(16)}.png`)
    const { texts } = placed({
      'style.css': `@import "sub/x.css";a{background:url( 'fonts/A%20b.woff2#i' ),url(https://x.example/y.png),url(data:,x),url(#z)}`,
      'sub/x.css': 'b{src:url(../fonts/A%20b.woff2)}',
    })
    expect(texts.get('sub/x.css')).toBe('b{src:url(fonts-a-b-0123456789abcdef.woff2)}')
    expect(texts.get('style.css')).toBe(
      `@import "sub-x-0123456789abcdef.css";a{background:url( 'fonts-a-b-0123456789abcdef.woff2#i' ),url(https://x.example/y.png),url(data:,x),url(#z)}`,
    )
  })

  it.each([
    ['"fonts/A b.woff2"', '"A.woff2"'],
    ["'fonts/A%20b.woff2?#iefix'", "'A.woff2?#iefix'"],
    ['fonts/A\\ b.woff2', 'A.woff2'],
    ['"fonts/A(1).woff2"', '"A1.woff2"'],
    ['fonts/A\\(1\\).woff2', 'A1.woff2'],
  ])('are found by names with blanks and parentheses: %s', (written, expected) => {
    const texts: string[] = []
    const made = placeAssets(
      ['style.css', 'fonts/A b.woff2', 'fonts/A(1).woff2'],
      () => `a{src:url(${written}) format("woff2")}`,
      (name, text) => {
        if (text !== null) texts.push(text)
        return name.includes('(1)') ? 'theme/A1.woff2' : 'theme/A.woff2'
      },
    )
    expect(made).toMatchObject({ ok: true })
    expect(texts).toEqual([`a{src:url(${expected}) format("woff2")}`])
  })

  it('are missed with the line, and may not name each other in a circle', () => {
    expect(placed({ 'style.css': 'a{}\nb{background:url(no.png)}' }).made).toMatchObject({
      failure: { file: 'assets/style.css', line: 2, problem: cause('theme_lacks', { name: 'assets/no.png' }) },
    })
    expect(placed({ 'a.css': '@import "b.css"', 'b.css': '@import "a.css"' }).made).toMatchObject({ ok: false })
  })
})

describe('words of a site', () => {
  const words = { en: { older: 'Earlier' }, fr: { older: 'Avant' } }

  it('are those of its language, the theme’s own first', () => {
    expect(wordsFor('fr-CA', { words }).older).toBe('Avant')
    expect(wordsFor('fr-CA', { words }).newer).toBe('Articles plus récents')
    expect(wordsFor('pl', { words }).older).toBe('Earlier')
    expect(wordsFor('ru', { words }).older).toBe('Более ранние записи')
  })

  it('exist in every supported language', () => {
    for (const language of ['en', 'ru', 'de', 'fr', 'es', 'ar'])
      expect([language, Object.entries(wordsFor(language, { words: {} })).filter(([, word]) => word === '')]).toEqual([
        language,
        [],
      ])
  })

  it('write days as readers do', () => {
    const day = '2026-05-01'
    expect(['en-GB', 'ru', 'de', 'fr', 'es', 'ar', 'pl'].map((language) => dateText(day, language))).toEqual([
      'May 1, 2026', '1 мая 2026 г.', '1. Mai 2026', '1 mai 2026', '1 de mayo de 2026', '1 مايو 2026', '2026-05-01',
    ]) // prettier-ignore
  })
})
