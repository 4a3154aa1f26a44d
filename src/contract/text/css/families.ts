import { commaParts, cssText } from './declarations.ts'

/** Names that stand for no face of their own, and the usual system faces that pages name as a fallback. */
const everywhere = new Set(
  (
    'serif,sans-serif,monospace,cursive,fantasy,system-ui,ui-serif,ui-sans-serif,ui-monospace,ui-rounded,emoji,math,' +
    'fangsong,inherit,initial,unset,revert,revert-layer,-apple-system,blinkmacsystemfont,arial,helvetica,' +
    'helvetica neue,times,times new roman,georgia,verdana,tahoma,trebuchet ms,courier,courier new,segoe ui,roboto,' +
    'ubuntu,cantarell,menlo,monaco,consolas,apple color emoji,segoe ui emoji,segoe ui symbol,noto color emoji'
  ).split(','),
)

/** Families that are looked for in a snapshot; the others are on the reader's machine or nowhere. */
const isSystemFamily = (family: string): boolean => everywhere.has(family.toLowerCase())

/** The families of a list that are looked for in a font set. */
export const namedFamilies = (list: string): readonly string[] =>
  commaParts(list.replace(/\s*!important\s*$/i, '')).flatMap((part) => {
    const family = part === '' || /[()]/.test(part) ? '' : cssText(part)
    return isSystemFamily(family) || !/\p{L}/u.test(family) ? [] : [family]
  })

/** Of `font: italic 600 1rem/1.5 "A", serif` what stands behind the size. */
export function shorthandFamilies(value: string): string {
  const size =
    /(?:^|\s)(?:[\d.]+(?:[a-z]+|%)|(?:xx?-)?(?:small|large)|medium|smaller|larger|(?:calc|clamp|min|max|var)\([^]*?\))(?:\s*\/\s*[^\s,]+)?\s+/i.exec(
      value,
    )
  return size ? value.slice(size.index + size[0].length) : ''
}
