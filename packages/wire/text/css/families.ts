import { commaParts, cssText } from './declarations.ts'

/** Generic families, and the common system fonts that pages name as a fallback. */
const everywhere = new Set(
  (
    'serif,sans-serif,monospace,cursive,fantasy,system-ui,ui-serif,ui-sans-serif,ui-monospace,ui-rounded,emoji,math,' +
    'fangsong,inherit,initial,unset,revert,revert-layer,-apple-system,blinkmacsystemfont,arial,helvetica,' +
    'helvetica neue,times,times new roman,georgia,verdana,tahoma,trebuchet ms,courier,courier new,segoe ui,roboto,' +
    'ubuntu,cantarell,menlo,monaco,consolas,apple color emoji,segoe ui emoji,segoe ui symbol,noto color emoji'
  ).split(','),
)

/** Whether a family is generic or a system font, and so not expected in a snapshot. */
const isSystemFamily = (family: string): boolean => everywhere.has(family.toLowerCase())

/** The families of a list that a font set is expected to contain. */
export const namedFamilies = (list: string): readonly string[] =>
  commaParts(list.replace(/\s*!important\s*$/i, '')).flatMap((part) => {
    const family = part === '' || /[()]/.test(part) ? '' : cssText(part)
    return isSystemFamily(family) || !/\p{L}/u.test(family) ? [] : [family]
  })

/** The family list of a `font` shorthand: the part after the size in `italic 600 1rem/1.5 "A", serif`. */
export function shorthandFamilies(value: string): string {
  const size =
    /(?:^|\s)(?:[\d.]+(?:[a-z]+|%)|(?:xx?-)?(?:small|large)|medium|smaller|larger|(?:calc|clamp|min|max|var)\([^]*?\))(?:\s*\/\s*[^\s,]+)?\s+/i.exec(
      value,
    )
  return size ? value.slice(size.index + size[0].length) : ''
}
