import { commaParts, cssBlocks, cssText } from './declarations.ts'

/** One `@font-face` with values as written in the CSS, and the sources in its `src`. */
export interface ParsedFace {
  readonly family: string
  readonly weight: string
  readonly style: string
  readonly stretch: string
  readonly unicodeRange: string | null
  readonly sources: readonly { readonly url: string; readonly format: string | null }[]
}

/** The faces declared by a style sheet, in order. Faces without a family are skipped. */
export function fontFaces(css: string): readonly ParsedFace[] {
  return cssBlocks(css).flatMap(({ prelude, declarations }): readonly ParsedFace[] => {
    if (!/(^|[\s;}])@font-face$/i.test(prelude)) return []
    const last = (name: string): string | null => declarations.findLast((each) => each.name === name)?.value ?? null
    const family = last('font-family')
    if (family === null) return []
    return [
      {
        family: cssText(family),
        weight: last('font-weight') ?? 'normal',
        style: last('font-style') ?? 'normal',
        stretch: last('font-stretch') ?? 'normal',
        unicodeRange: last('unicode-range'),
        // Browsers use the last `src` they support; earlier ones are for old browsers, so all are read.
        sources: declarations.filter(({ name }) => name === 'src').flatMap(({ value }) => sourcesOf(value)),
      },
    ]
  })
}

const sourcesOf = (value: string): ParsedFace['sources'] =>
  commaParts(value).flatMap((part) => {
    const [, address] = /^url\(\s*("[^"]*"|'[^']*'|[^)]*?)\s*\)/i.exec(part) ?? []
    const [, format] = /\bformat\(\s*("[^"]*"|'[^']*'|[^)]*?)\s*\)/i.exec(part) ?? []
    return address === undefined
      ? []
      : [{ url: cssText(address), format: format === undefined ? null : cssText(format) }]
  })
