import { join } from 'node:path'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'

import { aFolder, aFreePort, expectListener, goTo, inGrid, startApp } from './support/app.ts'
import { expectAccessible, goodPractice } from './support/axe.ts'
import { headings, libraryOf, openReview, pagesUnderReview } from './support/review.ts'

const materialId = 'story'
const drafts = ['First', 'Second', 'Third', 'Fourth'].map((heading) => ({ html: `<h1>${heading}</h1><p>Herring</p>` }))

async function aComparison() {
  const port = await aFreePort()
  const library = join(await aFolder(), 'library')
  const { environment, versions } = await libraryOf(library, port, { [materialId]: drafts })
  const ids = versions[materialId] ?? []
  const started = await startApp({ library, port, environment })
  const { app, page } = started
  await expectListener(page, 'Listening')
  const opened = { materialId, versionId: ids[2] ?? '', compareWith: ids[1] ?? '' }
  const frame = await openReview(app, page, opened)
  const shown = pagesUnderReview(app)
  await expect.poll(() => headings(shown)).toStrictEqual(['Second', 'Third'])
  const above = (at: number) => frame.getByRole('region', { name: ids[at] ?? '' })
  const verdictOf = (at: number) =>
    page.evaluate(
      async (asked) => {
        const found = await window.galley.call('inspectVersion', asked)
        return found.ok ? found.value.version.verdict : found.failure
      },
      { site: 'press', materialId, versionId: ids[at] ?? '' },
    )
  return { ...started, ids, frame, shown, above, verdictOf }
}

/** The positions of the controls that every tab has. */
const places = (frame: Page) =>
  frame.evaluate(() =>
    [...document.querySelectorAll('h1, section button, section select, header button:last-of-type, [role="tab"]')].map(
      (control) => {
        const { x, y } = control.getBoundingClientRect()
        return `${control.getAttribute('aria-label') ?? control.textContent} at ${Math.round(x)}, ${Math.round(y)}`
      },
    ),
  )

test(
  'each selector and verdict is above its own page, and nothing moves from tab to tab',
  { timeout: 90_000 },
  async () => {
    const { frame, shown, above, verdictOf, close } = await aComparison()
    const [left, right] = [above(1), above(2)]
    const leftOf = async (part: typeof left) => (await part.boundingBox())?.x ?? -1
    expect(await leftOf(left)).toBeLessThan(await leftOf(right))

    await left.getByRole('button', { name: 'Approve' }).click()
    await left.getByRole('status').getByText('Approved').waitFor()
    expect(await verdictOf(2)).toBeNull()
    await expect.poll(() => verdictOf(1)).toMatchObject({ kind: 'approved' })

    const inTabs = new Map<string, readonly string[]>()
    for (const tab of ['Pages', 'Text', 'HTML', 'Editor state', 'Media']) {
      await frame.getByRole('tab', { name: tab, exact: true }).click()
      inTabs.set(tab, await places(frame))
    }
    const pages = inTabs.get('Pages') ?? []
    expect(pages.length).toBeGreaterThan(14)
    for (const [tab, found] of inTabs) expect(found, tab).toStrictEqual(pages)
    await frame.getByRole('tab', { name: 'Pages' }).click()

    // Each offers versions that keep the older one on the left.
    const choice = (part: typeof left) => part.getByRole('combobox', { name: 'Version' })
    expect(await choice(left).locator('option').count()).toBe(2)
    expect(await choice(right).locator('option').count()).toBe(2)
    // Saves by one person within a minute differ only in their numbers.
    expect(await choice(left).locator('option').allTextContents()).toStrictEqual([
      expect.stringMatching(/^#2 · /),
      expect.stringMatching(/^#1 · /),
    ])
    await choice(left).selectOption({ index: 1 })
    await expect.poll(() => headings(shown)).toStrictEqual(['First', 'Third'])
    await choice(right).selectOption({ index: 0 })
    await expect.poll(() => headings(shown)).toStrictEqual(['First', 'Fourth'])
    await above(0).getByRole('button', { name: 'Newer version' }).click()
    await above(1).getByRole('button', { name: 'Newer version' }).click()
    await expect.poll(() => headings(shown)).toStrictEqual(['Third', 'Fourth'])
    expect(await above(2).getByRole('button', { name: 'Newer version' }).getAttribute('aria-disabled')).toBe('true')
    await close()
  },
)

test(
  'a rejection says why where people look, and leads on; keys judge the marked version',
  { timeout: 90_000 },
  async () => {
    const { app, page, ids, frame, above, verdictOf, close } = await aComparison()
    const marked = () => frame.locator('section[aria-current="true"]').getAttribute('aria-label')
    expect(await marked()).toBe(ids[2])
    await frame.keyboard.press('x')
    await expect.poll(marked).toBe(ids[1])
    await frame.keyboard.press('n')
    await frame.keyboard.type('Name the quay.')
    await expectAccessible(frame, 'reject', goodPractice)
    await frame.keyboard.press('Control+Enter')
    const left = above(1)
    await left.getByRole('status').getByText('Name the quay.').waitFor()
    expect(await verdictOf(1)).toMatchObject({ kind: 'rejected', note: 'Name the quay.' })
    expect(await verdictOf(2)).toBeNull()
    await expectAccessible(frame, 'rejected', goodPractice)

    // The same key opens the reason for editing; the button as well. Clearing is a command of its own, with Undo.
    await frame.keyboard.press('n')
    const reason = left.getByRole('textbox', { name: 'What needs to change?' })
    expect(await reason.inputValue()).toBe('Name the quay.')
    await frame.keyboard.press('Escape')
    await left.getByRole('button', { name: 'Request changes' }).click()
    await reason.waitFor()
    await frame.keyboard.press('Escape')
    expect(await verdictOf(1)).toMatchObject({ kind: 'rejected', note: 'Name the quay.' })
    await left.getByRole('button', { name: 'Clear decision' }).click()
    await left.getByRole('status').getByText('Decision cleared.').waitFor()
    expect(await verdictOf(1)).toBeNull()
    await left.getByRole('button', { name: 'Undo' }).click()
    await left.getByRole('status').getByText('Name the quay.').waitFor()
    await left.getByRole('button', { name: 'Approve' }).click()
    await left.getByRole('status').getByText('Approved').waitFor()
    await left.getByRole('button', { name: 'Approve' }).click()
    expect(await verdictOf(1)).toMatchObject({ kind: 'approved' })
    await left.getByRole('button', { name: 'Undo' }).click()
    await left.getByRole('status').getByText('Name the quay.').waitFor()
    expect(await verdictOf(1)).toMatchObject({ kind: 'rejected', note: 'Name the quay.' })

    await left.getByRole('button', { name: 'Copy for author' }).click()
    await left.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await app.evaluate(({ clipboard }) => clipboard.readText())
    expect(copied).toMatch(/^Changes requested: “First”, version saved .+\.\n\nName the quay\.$/)

    const titles = () =>
      app.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()
          .map((each) => each.getTitle())
          .toSorted(),
      )
    await expect.poll(titles, { message: 'main names the window' }).toContain('First · Galley')

    await left.getByRole('button', { name: 'Open in editor' }).click()
    await page.getByText('Opened in your browser.').waitFor()
    await page.getByRole('heading', { level: 1, name: 'First' }).waitFor()
    const row = inGrid(page, 'Versions').filter({ hasText: 'Changes requested' })
    await row.getByText('Name the quay.').waitFor()
    await goTo(page, 'Materials')
    await close()
  },
)
