import { expect, test } from 'vitest'

import { exportedWith, foldersOf, shipped } from '../sites/exporting/themed-site.ts'
import { expectAccessible, goodPractice } from './support/axe.ts'
import { aBrowserPage } from './support/browser-window.ts'

const kinds = ['index', 'page/2/index', 'page-1/index', 'page-4/index', 'page-5/index', 'archive/2025/index', 'tags/index', 'tags/food/index', 'archive/index', '404', 'search/index'] // prettier-ignore

test.each(shipped)(
  'the theme %s has no known barrier and no missing file on any kind of page',
  async (theme) => {
    const page = await aBrowserPage()
    const failed: string[] = []
    page.on('requestfailed', (request) => {
      // axe requests style sheets again, which pages on a disk may not do; the next page aborts what is still loading.
      const isExpected = request.resourceType() === 'xhr' || request.failure()?.errorText === 'net::ERR_ABORTED'
      if (!isExpected) failed.push(`${request.url()} ${request.failure()?.errorText}`)
    })
    // Colours depend on the scheme alone, and nothing else does.
    for (const [language, words, checks] of [
      ['en', 'post', { light: goodPractice, dark: 'colours' }],
      ['ar', 'Page', { light: 'without colours' }],
    ] as const) {
      const { directory } = await exportedWith(foldersOf(theme), { language })
      for (const kind of kinds) {
        await page.goto(`file://${directory}/${kind}.html`)
        if (kind === 'search/index') {
          await page.getByRole('searchbox').fill(words)
          await expect.poll(() => page.locator('[data-galley-results] a').count()).toBe(5)
        }
        for (const [scheme, rules] of Object.entries(checks)) {
          await page.emulateMedia({ colorScheme: scheme as 'light' | 'dark' })
          await expectAccessible(page, `${language} ${scheme} ${kind}`, rules)
        }
      }
      await page.setViewportSize({ width: 320, height: 640 })
      for (const kind of kinds) {
        await page.goto(`file://${directory}/${kind}.html`)
        const overflow = await page.evaluate(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        )
        expect([theme, kind, overflow]).toEqual([theme, kind, 0])
      }
      await page.setViewportSize({ width: 1280, height: 900 })
    }
    expect(failed).toEqual([])
  },
  120_000,
)

/** The printed page: its colours, what is wider than its box, what is not at the edge, and its navigation. */
const onPaper = `(() => {
  const shown = (element) => element.checkVisibility()
  const boxes = [...document.querySelectorAll('pre, table')]
  return {
    paper: [document.documentElement, document.body].map((element) => getComputedStyle(element).backgroundColor),
    cut: boxes.filter((box) => box.scrollWidth > box.clientWidth + 1).map((box) => box.tagName),
    beyond: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    navigation: [...document.querySelectorAll('nav, .galley-footer, [role=search] input')].filter(shown).length,
  }
})()`

test.each(shipped)(
  'on paper, the theme %s is black on white, without navigation, and cuts nothing off',
  async (theme) => {
    const page = await aBrowserPage()
    const { directory } = await exportedWith(foldersOf(theme))
    // Printing from a dark system.
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await page.setViewportSize({ width: 700, height: 990 })
    for (const kind of kinds) {
      await page.goto(`file://${directory}/${kind}.html`)
      await page.evaluate(`(() => {
      const cells = (tag) => '<tr>' + ('<' + tag + '>averylongword</' + tag + '>').repeat(20) + '</tr>'
      const stored = document.querySelector('.galley-page') ?? document.querySelector('main')
      if (document.body.matches('.galley-post') || '${theme}' === 'plain')
        stored.insertAdjacentHTML('beforeend',
          '<pre>' + 'one long line of code '.repeat(20) + '</pre><table>' + cells('th') + cells('td') + '</table>')
    })()`)
      const found = await page.evaluate<{ readonly paper: readonly string[]; readonly cut: readonly string[] }>(onPaper)
      const { paper, ...rest } = found
      expect([kind, rest]).toEqual([kind, { cut: [], beyond: 0, navigation: 0 }])
      for (const colour of paper) expect(['rgba(0, 0, 0, 0)', 'rgb(255, 255, 255)']).toContain(colour)
    }
  },
)
