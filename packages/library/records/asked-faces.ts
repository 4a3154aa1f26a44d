import { changedFont, cssBlocks, fontChange, initialFont, matches, rulesOf, unread } from '@galley/wire'
import type { FontChange, PageFont, Rule } from '@galley/wire'
import type { DefaultTreeAdapterTypes } from 'parse5'
import { parse } from 'parse5'

/** A font face requested by text of a page: a family, a weight from 1 to 1000, and upright or italic. */
export interface AskedFace {
  readonly family: string
  readonly weight: number
  readonly style: 'normal' | 'italic'
}

type Element = DefaultTreeAdapterTypes.Element

/** The browsers' default styles of elements. */
const byElement: Readonly<Record<string, FontChange>> = Object.fromEntries([
  ...['b', 'strong'].map((name) => [name, { weight: 'bolder' }] as const),
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'th'].map((name) => [name, { weight: 700 }] as const),
  ...['i', 'em', 'cite', 'var', 'dfn', 'address'].map((name) => [name, { style: 'italic' }] as const),
])

/**
 * The distinct faces that the texts of a page request. Approximates the cascade: a rule applies to every element that
 * matches the last part of its selector, under every condition (`@media`, `:hover`); variables have their last written
 * value; generated content and other style sheets are ignored.
 */
export function askedFaces(html: string): readonly AskedFace[] {
  const page = parse(html)
  const rules = rulesOf(styleSheets(page))
  const asked = new Map<string, AskedFace>()
  const open: { readonly node: DefaultTreeAdapterTypes.ParentNode; readonly font: PageFont }[] = [
    { node: page, font: initialFont },
  ]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const child of next.node.childNodes) {
      if ('tagName' in child) {
        if (!unread.has(child.tagName)) open.push({ node: child, font: fontOf(child, next.font, rules) })
      } else if (child.nodeName === '#text' && 'value' in child && child.value.trim() !== '') {
        const { families, weight, style } = next.font
        for (const family of families)
          asked.set(JSON.stringify([family.toLowerCase(), weight, style]), { family, weight, style })
      }
    }
  }
  return [...asked.values()]
}

function fontOf(element: Element, inherited: PageFont, { rules, variables }: ReturnType<typeof rulesOf>): PageFont {
  const attribute = (name: string): string | null => element.attrs.find((each) => each.name === name)?.value ?? null
  const facts = {
    tag: element.tagName,
    id: attribute('id'),
    classes: new Set((attribute('class') ?? '').split(/\s+/)),
  }
  const own = attribute('style')
  const fitting: readonly Rule[] = rules.filter((rule) => matches(rule, facts))
  const changes: readonly FontChange[] = [
    byElement[element.tagName] ?? {},
    ...fitting.map(({ change }) => change),
    ...(own === null ? [] : cssBlocks(own).map(({ declarations }) => fontChange(declarations, variables))),
  ]
  return changes.reduce<PageFont>((font, change) => changedFont(font, change, inherited), inherited)
}

function styleSheets(page: DefaultTreeAdapterTypes.Document): string {
  const sheets: string[] = []
  const open: DefaultTreeAdapterTypes.ParentNode[] = [page]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const child of node.childNodes.toReversed()) if ('tagName' in child) open.push(child)
    if (node.nodeName !== 'style') continue
    sheets.push(node.childNodes.map((child) => ('value' in child ? child.value : '')).join(''))
  }
  return sheets.join('\n')
}
