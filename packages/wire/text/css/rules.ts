import { commaParts, cssBlocks } from './declarations.ts'
import type { FontChange } from './font-values.ts'
import { fontChange } from './font-values.ts'

/** A rule that sets fonts, by the last part of its selector. */
export interface Rule {
  readonly tag: string | null
  readonly id: string | null
  readonly classes: readonly string[]
  readonly change: FontChange
}

interface ElementFacts {
  readonly tag: string
  readonly id: string | null
  readonly classes: ReadonlySet<string>
}

export const matches = ({ tag, id, classes }: Rule, element: ElementFacts): boolean =>
  (tag === null || tag === element.tag) &&
  (id === null || id === element.id) &&
  classes.every((name) => element.classes.has(name))

/** The rules of a style sheet that set fonts, in ascending priority, and its variables. */
export function rulesOf(css: string): {
  readonly rules: readonly Rule[]
  readonly variables: ReadonlyMap<string, string>
} {
  const blocks = cssBlocks(css)
  const variables = new Map(
    blocks.flatMap(({ declarations }) =>
      declarations.filter(({ name }) => name.startsWith('--')).map(({ name, value }) => [name, value] as const),
    ),
  )
  const weighed = blocks.flatMap(({ prelude, declarations }) => {
    const change = fontChange(declarations, variables)
    if (prelude.startsWith('@') || Object.keys(change).length === 0) return []
    return commaParts(prelude).flatMap((selector) => ruleOf(selector, change))
  })
  // The sort is stable, so rules of the same weight stay in order.
  return { rules: weighed.toSorted((one, other) => one.weight - other.weight).map(({ rule }) => rule), variables }
}

const names = (text: string, sign: '#' | '.'): readonly string[] =>
  [...text.matchAll(sign === '#' ? /#([\w-]+)/g : /\.([\w-]+)/g)].map(([, name]) => name ?? '')

/** Empty for generated content, which is not part of the page's text. */
function ruleOf(selector: string, change: FontChange): readonly { readonly weight: number; readonly rule: Rule }[] {
  if (/::|:(?:before|after|first-letter|first-line)\b/i.test(selector)) return []
  const bare = selector.replaceAll(/:root\b/gi, 'html').replaceAll(/\[[^\]]*\]|:[\w-]+(?:\([^)]*\))?|[&*]/g, '')
  const parts = bare.split(/[\s>+~]+/).filter((part) => part !== '')
  const last = parts.at(-1) ?? ''
  const tags = parts.filter((part) => /^[a-z]/i.test(part)).length
  const weight = names(bare, '#').length * 10_000 + names(bare, '.').length * 100 + tags
  return [
    {
      weight,
      rule: {
        tag: /^[a-z][\w-]*/i.exec(last)?.[0].toLowerCase() ?? null,
        id: names(last, '#')[0] ?? null,
        classes: names(last, '.'),
        change,
      },
    },
  ]
}
