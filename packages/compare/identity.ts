/** The hash of the stored file at an address of a page, as written there; null where it leads elsewhere. */
export type HashOf = (address: string) => string | null

/** What an address leads to: two addresses of the same file are the same. */
export const identityOf = (address: string, hashOf: HashOf): string => hashOf(address) ?? address

/** The same for the addresses in a `srcset`. */
export const identitiesOf = (srcset: string, hashOf: HashOf): string =>
  srcset
    .split(',')
    .map((each) => each.trim().split(/\s+/))
    .map(([address = '', ...rest]) => [identityOf(address, hashOf), ...rest].join(' '))
    .join(', ')

/** The same for CSS, with collapsed white space. */
export const identityOfCss = (css: string, hashOf: HashOf): string =>
  withUrls(css, (address) => identityOf(address, hashOf))

/**
 * CSS with its addresses replaced, and collapsed white space. Searched by hand, as a pattern would search to the end from
 * every `url(`.
 */
export function withUrls(css: string, replace: (address: string, property: string) => string): string {
  const parts: string[] = []
  let done = 0
  let property = ''
  for (let at = css.indexOf('url('); at !== -1; at = css.indexOf('url(', done)) {
    const end = css.indexOf(')', at)
    if (end === -1) break
    const address = css.slice(at + 4, end).trim()
    const isQuoted = /^["']/.test(address)
    const before = css.slice(done, at)
    const start = Math.max(before.lastIndexOf(';'), before.lastIndexOf('{')) + 1
    // The second address of a declaration has only a comma before it.
    property = /^\s*([\w-]+)\s*:/.exec(before.slice(start))?.[1]?.toLowerCase() ?? property
    parts.push(before, 'url(', replace(isQuoted ? address.slice(1, -1) : address, property))
    done = end
  }
  return [...parts, css.slice(done)].join('').replace(/\s+/g, ' ').trim()
}

/** The file name of an address, for people; the type of one that contains its file. */
export function fileNameOf(address: string): string {
  if (address.startsWith('data:')) return address.slice(0, Math.min(40, (address.search(/[;,]/) + 41) % 41))
  const [path = ''] = address.split(/[?#]/)
  const name = path.slice(path.lastIndexOf('/') + 1) || path
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
