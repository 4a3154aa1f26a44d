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

/** The same for CSS, with collapsed white space. Searched by hand, as a pattern would search to the end from every `url(`. */
export function identityOfCss(css: string, hashOf: HashOf): string {
  const parts: string[] = []
  let done = 0
  for (let at = css.indexOf('url('); at !== -1; at = css.indexOf('url(', done)) {
    const end = css.indexOf(')', at)
    if (end === -1) break
    const address = css.slice(at + 4, end).trim()
    const isQuoted = /^["']/.test(address)
    parts.push(css.slice(done, at + 4), identityOf(isQuoted ? address.slice(1, -1) : address, hashOf))
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
