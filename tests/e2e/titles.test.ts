import type { Page } from 'playwright'
import { expect, test } from 'vitest'

import { comeToRest } from './support/come-to-rest.ts'
import { startHarbourWeekly } from './support/harbour-weekly.ts'

// Titles win over columns: at 1280 pixels, those of 60 characters are read whole in every list.

const titles = [
  'A ferry that crossed the harbour for the last time in winter',
  'Последний паром ушёл из старой гавани поздним вечером в дождь',
  'Why we moved the old maritime museum down to Wharf Warehouse',
]

/** Texts in lists that are cut, or that are not there at all. */
const cutIn = (page: Page, texts: readonly string[]): Promise<readonly string[]> =>
  page.evaluate((texts) => {
    const list = document.querySelector('[data-pane="list"]')
    const isWhole = (element: Element): boolean => {
      const words = document.createRange()
      words.selectNodeContents(element)
      const { bottom, right } = words.getBoundingClientRect()
      for (let box: Element | null = element; box !== null && !box.matches('li, [data-row]'); box = box.parentElement) {
        const edge = box.getBoundingClientRect()
        const hides = getComputedStyle(box).overflow !== 'visible'
        if (hides && (right > edge.right + 1 || bottom > edge.bottom + 1)) return false
      }
      return true
    }
    return texts.flatMap((text) => {
      const found = [...(list?.querySelectorAll('li *, [data-row] *') ?? [])].filter(
        (element) => element.childElementCount === 0 && element.textContent === text,
      )
      return found.length > 0 && found.every(isWhole) ? [] : [`${text} (${found.length})`]
    })
  }, texts)

/** The places whose lists have titles, by their keys, and the longest other words in them. */
const places = {
  en: { 1: ['New page'], 2: ['Changes requested'], 3: ['Not online'], 5: ['Blocked by rule'] },
  ru: { 1: ['Новая страница'], 2: ['Нужны правки'], 3: ['Нет на сайте'], 5: ['Заблокирован'] },
} as const
/** Columns that are there only while they say something. */
const empty = new Set(['Tags', 'Signature', 'Метки', 'Подпись'])

test('titles of 60 characters are whole in every list at 1280 pixels', async () => {
  const { page, nativeWindow, close } = await startHarbourWeekly()
  for (const [at, materialId] of ['travel/harbour-weekend', 'food/market-at-nine', 'people/net-makers'].entries()) {
    expect(titles[at]?.length).toBeGreaterThanOrEqual(60)
    await page.evaluate((input) => window.galley.call('setFields', input), {
      record: 'material' as const,
      site: 'harbour',
      of: [{ materialId }],
      set: { title: titles[at] ?? '', slug: `page-${at}` },
    })
  }
  await page.evaluate(async () => {
    const of = { site: 'harbour', materialId: 'travel/lighthouse-road' }
    const { rows } = await window.galley.call('queryVersions', { ...of, offset: 0, limit: 1 })
    const verdict = { decision: 'changes_requested', reason: 'Too dark' } as const
    const versions = [{ materialId: of.materialId, versionId: rows[0]?.versionId ?? '' }]
    await window.galley.call('setFields', { record: 'version', site: of.site, of: versions, set: { verdict } })
  })
  await nativeWindow.evaluate((shown) => shown.setContentSize(1280, 800))
  const findings: string[] = []
  const look = async (place: string, words: readonly string[]): Promise<void> => {
    await comeToRest(page)
    const heads = await page.getByRole('columnheader').allTextContents()
    const cut = [...(await cutIn(page, [...titles, ...words])), ...heads.filter((head) => empty.has(head))]
    findings.push(...cut.map((finding) => `${place}: ${finding}`))
  }
  for (const language of ['en', 'ru'] as const) {
    await page.evaluate((language) => window.galley.call('changeSettings', { language }), language)
    await page.waitForFunction((language) => document.documentElement.lang === language, language)
    for (const [key, words] of Object.entries(places[language])) {
      await page.keyboard.press(`Control+${key}`)
      const row = page.locator('[data-pane="list"]').getByText(words[0]).first()
      await row.waitFor()
      await look(`${language} ${key}`, words)
      await row.click()
      await look(`${language} ${key} beside its details`, words)
    }
  }
  expect(findings).toStrictEqual([])
  await close()
})
