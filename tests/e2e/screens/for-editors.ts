import type { Page } from 'playwright'

/** What no editor can read: UUIDs, hashes also when cut short, and lines of raw headers. */
const technical: readonly RegExp[] = [
  /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/i,
  /\b(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{16,}\b/i,
  /\b(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{6,}…/i,
  /\b(?:x-[a-z-]+|authorization|content-(?:type|length)|user-agent|webhook-(?:id|signature|timestamp)):/i,
  /\bSHA-256\b/,
]

/** The texts that a page shows or reads out. Fields are left out: they show what a person may type. */
const shownIn = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const shown: string[] = []
    for (const element of document.body.querySelectorAll('*')) {
      if (!element.checkVisibility({ visibilityProperty: true })) continue
      for (const name of ['aria-label', 'aria-description', 'title', 'placeholder', 'alt'])
        shown.push(element.getAttribute(name) ?? '')
      for (const node of element.childNodes)
        if (node instanceof Text && !element.matches('script, style')) shown.push(node.data)
    }
    return [...new Set(shown.map((text) => text.trim()))]
  })

/** The texts of a page that are for developers. */
export const technicalIn = async (page: Page): Promise<readonly string[]> =>
  (await shownIn(page)).filter((text) => technical.some((kind) => kind.test(text)))
