import { fillFontUrls } from '../../../../packages/wire/protocol/fonts.ts'
import { rewriteCss } from '../../../../packages/wire/text/references/css.ts'
import { dummyNames } from '../../../../packages/wire/text/references/finder.ts'
import type { Has } from './faults.ts'
import type { PublicFiles } from './public-files.ts'
import { decoded } from './reading.ts'
import type { Reply } from './replies.ts'

type Failed = (material: string, reason: string) => Reply

/** Handles a font set: publishes files and style sheet, answers with the tree. */
export const createFonts = (has: Has, { publish }: PublicFiles, failed: Failed) => {
  function storeFonts(entries: ReadonlyMap<string, Buffer>, tree: unknown): Reply {
    const css = decoded(entries.get('vms_fonts.css'))
    if (css === null && !has('skips-what-is-damaged', 'ignores-events')) return failed('fonts', 'no style sheet')
    if (has('fonts-need-a-tree') && !(tree as { list?: unknown } | null)?.list) return { status: 500, body: 'no list' }
    const urls = new Map<string, string>()
    for (const [name, bytes] of entries) {
      if (name.startsWith('vms_fonts/')) urls.set(name.slice(10), publish(name.slice(10), bytes))
    }
    const text = has('fonts-css-untouched') ? (css ?? '') : rewriteCss(css ?? '', dummyNames(urls)).text
    const sheet = publish(`vms_fonts.css`, Buffer.from(text))
    urls.set('vms_fonts.css', has('fonts-css-nowhere') ? `${sheet}.css` : sheet)
    if (has('fonts-on-another-host'))
      for (const [name, url] of urls) urls.set(name, url.replace('127.0.0.1', 'localhost'))
    const given = JSON.stringify(tree ?? null)
    const filled = has('fonts-keep-dummies') ? given : filledTree(given, urls)
    const answered = has('fonts-lose-the-tree')
      ? JSON.stringify({ urls: Object.fromEntries(urls) })
      : has('fonts-tree-of-its-own')
        ? ownTree(has('fonts-keep-dummies') ? new Map([...urls.keys()].map((name) => [name, ''])) : urls)
        : filled
    const data = tree === undefined ? '{}' : `{"fonts":${returnedTree(has, answered)}}`
    const returned = has('fonts-without-tree') ? '[]' : has('fonts-data-as-text') ? JSON.stringify(data) : data
    return { status: 200, body: `{"rc":1,"rm":"Fonts saved successfully","data":${returned}}` }
  }

  return storeFonts
}

/** The JSON of `data.fonts`, in all the ways that the tree may get lost. */
function returnedTree(has: Has, tree: string): string {
  if (has('fonts-tree-as-text')) return JSON.stringify(tree)
  if (has('fonts-tree-as-list')) return `[${tree}]`
  return has('fonts-with-null') ? 'null' : tree
}

/** A tree as somebody would make it who reads nothing but the contract. */
function ownTree(urls: ReadonlyMap<string, string>): string {
  const [css, ...files] = [...urls].toReversed().map(([name, clientUrl]) => [name, { clientUrl }] as const)
  return JSON.stringify({ css: css?.[1], files: Object.fromEntries(files) })
}

const filledTree = (tree: string, urls: ReadonlyMap<string, string>): string => {
  const filled = fillFontUrls(tree, urls)
  return filled.ok ? filled.value.text : tree
}
