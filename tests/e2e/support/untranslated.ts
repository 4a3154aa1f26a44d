import type { Page } from 'playwright'

import { en } from '../../../src/texts/en.ts'
import { ru } from '../../../src/texts/ru.ts'

/** The texts of a catalogue by their paths; of a plural all forms under one. */
function textsIn(tree: object, path = ''): readonly (readonly [path: string, text: string])[] {
  return Object.entries(tree).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'string'
      ? [[path + key.replace(/_(?:one|few|many|other)$/, ''), value] as const]
      : textsIn(value as object, `${path}${key}.`),
  )
}

const russian = new Set(textsIn(ru).map(([, text]) => text))

/** The English texts: those that Russian has too, and those without words, left out. */
const english = textsIn(en)
  .map(([, text]) => text)
  .filter((text) => !russian.has(text) && /\p{L}{2}/u.test(text.replaceAll(/\{\{[^}]*\}\}/g, '')))

const fixed: ReadonlySet<string> = new Set(english.filter((text) => !text.includes('{{')))

/** What the others look like when they are filled in. */
const filled: readonly RegExp[] = english
  .filter((text) => text.includes('{{'))
  .map((text) => text.split(/\{\{[^}]*\}\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')))
  .map((parts) => new RegExp(`^${parts.join('[^]+')}$`, 'u'))

/** All current texts of the window, visible or for screen readers: text nodes, and attributes that are read out. */
const saidIn = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const said: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (node instanceof Element) {
        for (const name of ['aria-label', 'aria-description', 'aria-roledescription', 'title', 'placeholder', 'alt'])
          said.push(node.getAttribute(name) ?? '')
      } else if (
        node.parentElement?.closest('script, style, code, pre, .cm-editor, [data-prose], [lang="en"]:not(html)') ===
        null
      ) {
        said.push(node.textContent ?? '')
      }
    }
    return [...new Set(said.map((text) => text.trim()))].filter((text) => text !== '')
  })

/** What was found of a text before: most texts of a window are those of the window before. */
const judged = new Map<string, boolean>()

/** Whether a text is one of the English catalogue, or a sentence of no catalogue: three English words in a row. */
function isEnglish(text: string): boolean {
  const known = judged.get(text)
  if (known !== undefined) return known
  const found =
    fixed.has(text) ||
    filled.some((pattern) => pattern.test(text)) ||
    /(?:\b[a-z]{2,}\b[ ,]+){2}\b[a-z]{2,}\b/i.test(text)
  judged.set(text, found)
  return found
}

/** The English texts of a window that should be in Russian. `data`: texts that people have written. */
export async function untranslatedIn(page: Page, data: readonly string[]): Promise<readonly string[]> {
  const said = await saidIn(page)
  const isData = (text: string): boolean => data.some((written) => written.includes(text))
  const ours = (text: string): string => data.reduce((left, written) => left.replaceAll(written, ''), text)
  return said.filter((text) => !isData(text) && isEnglish(ours(text)))
}

/** Buttons and tabs whose words do not fit in, cells cut without a title, and whether the window as a whole is too wide. */
export const clippedIn = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const clipped = [...document.querySelectorAll('button, [role="tab"], [role="menuitem"], [role="radio"]')].filter(
      (element) => {
        if (!element.checkVisibility({ visibilityProperty: true })) return false
        const outer = element.getBoundingClientRect()
        const words = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
        for (let node = words.nextNode(); node !== null; node = words.nextNode()) {
          // Content for screen readers only has a size of one pixel.
          if ((node.parentElement?.getBoundingClientRect().width ?? 0) <= 1) continue
          const range = document.createRange()
          range.selectNodeContents(node)
          const inner = range.getBoundingClientRect()
          if (inner.right > Math.min(outer.right, innerWidth) + 1 || inner.left < outer.left - 1) return true
        }
        return false
      },
    )
    const isCut = (element: Element): boolean =>
      element.scrollWidth > element.clientWidth && getComputedStyle(element).overflowX !== 'visible'
    /** Texts of grid cells that are cut off and have no title with the full text. */
    const cut = [...document.querySelectorAll('[role="gridcell"]')].flatMap((cell) => {
      const found: string[] = []
      const words = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
      for (let node = words.nextNode(); node !== null; node = words.nextNode()) {
        const from = node.parentElement
        if (from === null || !from.checkVisibility() || cell.contains(from.closest('[title]'))) continue
        const around = [cell, ...cell.querySelectorAll('*')].filter((element) => element.contains(from))
        if (around.some(isCut)) found.push(node.textContent ?? '')
      }
      return found
    })
    const isTooWide = document.documentElement.scrollWidth > innerWidth
    return [
      ...clipped.map((element) => element.textContent ?? ''),
      ...new Set(cut),
      ...(isTooWide ? ['the window'] : []),
    ]
  })
